import Synchronization

/// What has happened to a suite's files, as far as it is known, and has not been seen to.
final class PendingEvents: Sendable {
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
        /// Whatever it was, the observers have to be notified.
        static let untold = Kind(rawValue: 16)
    }

    private let kinds = Atomic<UInt8>(0)
    /// Of the state published last.
    let generation = Atomic<UInt64>(0)

    func add(_ kind: Kind) { kinds.bitwiseOr(kind.rawValue, ordering: .acquiringAndReleasing) }

    /// Takes all that has happened since the last time.
    func take() -> Kind { Kind(rawValue: kinds.exchange(0, ordering: .acquiringAndReleasing)) }
}

/// Notices that a suite's files were touched: by notifications from the kernel, and by looking at them where there are
/// none, or none of what other machines do.
final class FileWatcher: Sendable {
    /// What the kernel may refuse to notify of.
    struct Part: OptionSet, Hashable, Sendable {
        let rawValue: UInt8

        /// The names in the suite's folder.
        static let names = Part(rawValue: 1)
        static let journal = Part(rawValue: 2)
        static let settings = Part(rawValue: 4)
    }

    private let watching: Watching

    /// Starts to watch; the work sees to what was noticed.
    ///
    /// - Parameter note: notes why the kernel does not notify of everything; nil once it does.
    /// - Throws: if neither notifications nor polls are possible, because no thread can be had.
    init(
        _ files: SuiteFiles, _ sights: PendingEvents, _ work: CoalescedWork,
        note: @escaping @Sendable (SystemError?) -> Void = { _ in }
    ) throws(SystemError) {
        watching = Watching(files, sights, work, note)
        try watching.begin(files)
    }

    deinit { watching.end() }

    /// Records whether the kernel notifies of a part; otherwise the files are polled, and the work, which
    /// tries again, is done each time.
    func record(_ part: Part, refusal: SystemError?) {
        do { try watching.record(part, refusal: refusal) } catch { watching.complain(error) }
    }
}

/// What a watcher does as long as it is there.
///
/// An object of its own, because notifications and polls refer to it, and must not keep the watcher.
private final class Watching: Sendable {
    private struct State {
        /// Nil when the watcher is gone.
        var files: SuiteFiles?
        var watch: EventLoop.Watch?
        /// The parts that the kernel does not notify of.
        var untold: FileWatcher.Part = []
        /// Whether the folder that is watched has come to its end.
        var hasEnded = false
        var isPolling = false
        var interval = Interval()
        var seen: Poll?
    }

    /// How far apart the polls are: close together after a change, for the next one, then further and further.
    private struct Interval {
        static let shortest: UInt64 = 16
        static let longest: UInt64 = 250
        /// Of a file system that is not local, where a poll costs more.
        static let remote: UInt64 = 1_000
        /// Until the next poll, in milliseconds.
        var wait = longest

        mutating func record(isNews: Bool) {
            wait = isNews ? Interval.shortest : min(wait * 2, Interval.longest)
        }
    }

    /// What a poll has found.
    private struct Poll {
        let lock: Inode?
        let settings: FileStatus.Identity?
        /// Whether the settings file's next change will show in its times.
        let isSettled: Bool

        init(at files: SuiteFiles) throws(SystemError) {
            let time = SystemCalls.wallNanoseconds
            // By their whole paths, so that another folder in place of this one is noticed too.
            lock = try Poll.unlessMissing { () throws(SystemError) in
                try SystemCalls.inode(path: files.location.lockPath)
            }
            settings = try Poll.unlessMissing { () throws(SystemError) in
                try SystemCalls.status(path: files.location.path).identity
            }
            isSettled = settings.map { !files.isRecent($0, readSince: time) } ?? true
        }

        private static func unlessMissing<Found>(
            _ read: () throws(SystemError) -> Found
        ) throws(SystemError) -> Found? {
            do { return try read() } catch {
                guard error.isMissing || error.isUnsafePlace else { throw error }
                return nil
            }
        }

        /// What has happened since an earlier poll.
        func news(since seen: Poll?) -> PendingEvents.Kind {
            guard let seen, seen.isSettled else { return .written }
            let isSameLock = lock.map { now in seen.lock.map(now.isSameFile) ?? false } ?? (seen.lock == nil)
            guard isSameLock, settings?.inode == seen.settings?.inode else { return .replaced }
            return settings == seen.settings ? [] : .beingWritten
        }
    }

    private let sights: PendingEvents
    private let work: CoalescedWork
    private let resource: WorkerPool.Resource
    private let isLocal: Bool
    private let recordRefusal: @Sendable (SystemError?) -> Void
    // Lock L7: protects what varies; nothing is called or released under it.
    private let state: Locked<State>

    init(
        _ files: SuiteFiles, _ sights: PendingEvents, _ work: CoalescedWork,
        _ recordRefusal: @escaping @Sendable (SystemError?) -> Void
    ) {
        (self.sights, self.work, self.recordRefusal) = (sights, work, recordRefusal)
        (resource, isLocal) = (files.resource, files.isLocal)
        state = Locked(State(files: files))
    }

    func begin(_ files: SuiteFiles) throws(SystemError) {
        try watchNames(files)
        // What was refused before, to a watcher of other files, is over too.
        if state.withLock({ $0.untold.isEmpty }) { recordRefusal(nil) }
        if !isLocal { try pollLater() }
    }

    func end() {
        let last = state.withLock { state in
            defer { (state.files, state.watch, state.seen) = (nil, nil, nil) }
            return (state.files, state.watch)
        }
        withExtendedLifetime(last) {}
    }

    /// If the kernel can.
    private func watchNames(_ files: SuiteFiles) throws(SystemError) {
        let refusal: SystemError?
        do {
            let watch = try EventLoop.shared.watch(files.folder, on: resource, work) { [self] in
                record($0, files.location)
            }
            let unused = state.withLock { state -> EventLoop.Watch? in
                guard state.files != nil, state.watch == nil else { return watch }
                state.watch = watch
                return nil
            }
            withExtendedLifetime(unused) {}
            refusal = nil
        } catch { refusal = error }
        try record(.names, refusal: refusal)
    }

    func record(_ part: FileWatcher.Part, refusal: SystemError?) throws(SystemError) {
        let (before, now) = state.withLock { state in
            let before = state.untold
            if refusal == nil { state.untold.remove(part) } else { state.untold.insert(part) }
            return (before, state.untold)
        }
        guard before != now else { return }
        if let refusal {
            recordRefusal(refusal)
            try pollLater()
        } else if now.isEmpty {
            recordRefusal(nil)
        }
    }

    /// Records a notification.
    ///
    /// - Returns: whether it concerns the suite.
    private func record(_ notice: FileEvents.Notice, _ location: SuiteLocation) -> Bool {
        if notice.isEnd {
            state.withLock { $0.hasEnded = true }
            goOn()
        }
        guard let kind = Watching.kind(of: notice, location) else { return false }
        sights.add(kind)
        return true
    }

    /// Nil for names that are not the suite's.
    private static func kind(of notice: FileEvents.Notice, _ location: SuiteLocation) -> PendingEvents.Kind? {
        if notice.watch == nil || notice.isEnd || notice.name.isEmpty { return .written }
        if notice.name == location.settings { return notice.isWriteInPlace ? .written : .replaced }
        return notice.name == location.lock || notice.name == location.journal ? .replaced : nil
    }

    private func pollLater() throws(SystemError) {
        let wait = state.withLock { state -> UInt64? in
            guard state.files != nil, !state.isPolling else { return nil }
            state.isPolling = true
            return isLocal ? state.interval.wait : Interval.remote
        }
        guard let wait else { return }
        do {
            try EventLoop.shared.schedule(afterMilliseconds: wait, on: resource) { [self] in poll() }
        } catch {
            state.withLock { $0.isPolling = false }
            throw error
        }
    }

    /// Called on a thread of the library's, so that there is one.
    private func goOn() {
        do { try pollLater() } catch { complain(error) }
    }

    func complain(_ error: SystemError) {
        SystemCalls.writeToStandardError(
            "TypedDefaults: changes from outside cannot be noticed: \(error)")
    }

    /// Checks the files once, if they are to be checked; the last time if the kernel notifies of everything
    /// now.
    private func poll() {
        let (files, untold, hasEnded) = state.withLock { state in
            state.isPolling = false
            return (state.files, state.untold, state.hasEnded)
        }
        guard let files else { return }
        // A folder that was removed can be watched, but nothing happens there.
        if untold.contains(.names), !hasEnded {
            do { try watchNames(files) } catch { complain(error) }
        }
        let news = isLocal ? news(of: files) : .written
        if !news.isEmpty { sights.add(news) }
        if !news.isEmpty || !untold.isEmpty { WorkerPool.shared.run(work, on: resource) }
        // Until a poll has found everything told: what happened before the last watch began is found by this one.
        if !untold.isEmpty || hasEnded || !isLocal { goOn() }
    }

    private func news(of files: SuiteFiles) -> PendingEvents.Kind {
        var news = PendingEvents.Kind.written
        var found: Poll?
        do {
            let poll = try Poll(at: files)
            news = poll.news(since: state.withLock { $0.seen })
            found = poll
        } catch {
            // A load runs into the same error, and reports it.
            found = nil
        }
        let isRecorded = files.page.map { $0.number != sights.generation.load(ordering: .relaxed) } ?? false
        if isRecorded { news.insert(.recorded) }
        let isNews = found != nil && !news.isEmpty
        state.withLock { state in
            state.seen = found
            state.interval.record(isNews: isNews)
        }
        return news
    }
}
