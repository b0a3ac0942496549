import Synchronization

/// What has happened to a suite's files, as far as it is known, and has not been seen to.
final class Sights: Sendable {
    /// Some things that may have happened.
    struct Kind: OptionSet, Hashable, Sendable {
        let rawValue: UInt8

        /// A name appeared, disappeared or was replaced.
        static let replaced = Kind(rawValue: 1)
        /// The settings file was written in place, or everything may have changed.
        static let written = Kind(rawValue: 2)
        /// A program that still has the settings file open has written to it.
        static let beingWritten = Kind(rawValue: 4)
        /// Bytes were added to the journal.
        static let recorded = Kind(rawValue: 8)
        /// Whatever it was, the observers have to hear of it.
        static let untold = Kind(rawValue: 16)
    }

    private let kinds = Atomic<UInt8>(0)
    /// The generation of the state published last.
    let generation = Atomic<UInt64>(0)

    /// Notes what has happened.
    func add(_ kind: Kind) { kinds.bitwiseOr(kind.rawValue, ordering: .acquiringAndReleasing) }

    /// Takes all that has happened since the last time.
    func take() -> Kind { Kind(rawValue: kinds.exchange(0, ordering: .acquiringAndReleasing)) }
}

/// Notices that a suite's files were touched: by notifications from the kernel, and by checking once a second if there
/// are none, or none of what other machines do.
final class FileWatcher: Sendable {
    private let watch: EventLoop.Watch?
    private let checks: SecondlyChecks

    /// Starts to watch; the errand sees to what was noticed.
    ///
    /// - Throws: if neither notifications nor checks are possible, because no thread can be had.
    init(_ files: SuiteFiles, _ sights: Sights, _ errand: Errand) throws(SystemError) {
        let (location, place) = (files.location, files.place)
        let checks = SecondlyChecks(sights, errand, place)
        self.checks = checks
        do {
            watch = try EventLoop.shared.watch(files.folder, in: place, errand) { notice in
                if notice.isEnd { checks.goOn() }
                guard let kind = FileWatcher.kind(of: notice, location) else { return false }
                sights.add(kind)
                return true
            }
        } catch {
            watch = nil
        }
        if watch == nil || !files.isLocal { try checks.begin() }
    }

    deinit { checks.end() }

    /// Returns what a notification means for the suite; nil for names that are not the suite's.
    private static func kind(of notice: FileEvents.Notice, _ location: SuiteLocation) -> Sights.Kind? {
        if notice.watch == nil || notice.isEnd || notice.name.isEmpty { return .written }
        if notice.name == location.settings { return notice.isWriteInPlace ? .written : .replaced }
        return notice.name == location.lock || notice.name == location.journal ? .replaced : nil
    }
}

/// What stands in for notifications where there are none.
private final class SecondlyChecks: Sendable {
    private let isOver = Atomic<Bool>(false)
    private let sights: Sights
    private let errand: Errand
    private let place: WorkerPool.Place

    init(_ sights: Sights, _ errand: Errand, _ place: WorkerPool.Place) {
        (self.sights, self.errand, self.place) = (sights, errand, place)
    }

    func begin() throws(SystemError) {
        try EventLoop.shared.schedule(afterMilliseconds: 1_000, in: place) { [self] in
            guard !isOver.load(ordering: .acquiring) else { return }
            sights.add(.written)
            WorkerPool.shared.run(errand, in: place)
            goOn()
        }
    }

    /// Called on a thread of the library's, so that there is one.
    func goOn() {
        do { try begin() } catch {
            SystemCalls.writeToStandardError(
                "TypedDefaults: changes from outside cannot be noticed: \(error)")
        }
    }

    func end() { isOver.store(true, ordering: .releasing) }
}
