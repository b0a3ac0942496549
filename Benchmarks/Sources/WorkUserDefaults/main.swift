// The work of Benchmarks/compare by Foundation's `UserDefaults`. There is no call that adds.
import CWork
import Foundation

/// What `synchronize()` writes and reads again.
enum Settings {
    // Unchecked is sound because the work is done on one thread.
    nonisolated(unsafe) static let defaults = UserDefaults.standard

    static func synchronize() {
        if !defaults.synchronize() { work_failed("UserDefaults", "synchronize() gave false") }
    }
    static func store(_ number: Double, _ key: String) {
        defaults.set(number, forKey: key)
        synchronize()
    }
}

/// What is measured. Not in top-level code: that runs on the main actor, and its closures check at each call that they do.
extension Settings {
    static var library: work {
        work(
            open: { _ in },
            store: { key, number in key.map { Settings.store(number, String(cString: $0)) } },
            store_text: { key, text in
                guard let key, let text else { return }
                Settings.defaults.set(String(cString: text), forKey: String(cString: key))
                Settings.synchronize()
            },
            get: { Settings.defaults.double(forKey: "wanted") },
            set: { Settings.store($0, "wanted") },
            set_durably: { Settings.store($0, "wanted") },
            increment: {
                Settings.synchronize()
                Settings.store(Settings.defaults.double(forKey: "counter") + 1, "counter")
            },
            count: { Settings.defaults.double(forKey: "counter") })
    }
}

var library = Settings.library
exit(work(CommandLine.argc, CommandLine.unsafeArgv, &library))
