// The work of Benchmarks/compare by this library.
import CWork
import Glibc
import TypedDefaults

/// The suite of the folder that is the first word, and its keys.
enum Settings {
    static let suite: DefaultsSuite = {
        do { return try DefaultsSuite("work", in: CommandLine.arguments[1]) } catch { fail(error) }
    }()
    static let wanted = Defaults.Key<Double>("wanted", default: 0, suite: suite)
    static let counter = Defaults.Key<Double>("counter", default: 0, suite: suite)

    static func store(_ value: DefaultsValue, _ key: UnsafePointer<CChar>?) {
        guard let key else { return }
        doing { try suite.set(value, forKey: String(cString: key)) }
    }
    static func doing(_ body: () throws -> Void) {
        do { try body() } catch { fail(error) }
    }
    static func fail(_ error: any Error) -> Never { work_failed("TypedDefaults", "\(error)") }
}

/// What is measured. Not in top-level code: that runs on the main actor, and its closures check at each call that they do.
extension Settings {
    static var library: work {
        work(
            open: { _ in _ = Settings.suite },
            store: { Settings.store(DefaultsValue(floatLiteral: $1), $0) },
            store_text: { key, text in
                if let text { Settings.store(DefaultsValue(stringLiteral: String(cString: text)), key) }
            },
            get: { Defaults[Settings.wanted] },
            set: { number in Settings.doing { try Settings.suite.set(Settings.wanted, to: number) } },
            set_durably: { number in
                Settings.doing {
                    try Settings.suite.set(Settings.wanted, to: number)
                    try Settings.suite.synchronize()
                }
            },
            increment: { Defaults[Settings.counter] += 1 },
            count: { Defaults[Settings.counter] })
    }
}

var library = Settings.library
exit(work(CommandLine.argc, CommandLine.unsafeArgv, &library))
