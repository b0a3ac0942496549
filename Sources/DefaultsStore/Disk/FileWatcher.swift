import Synchronization

/// Notices that a suite's files were touched: by notifications from the kernel, and by checking once a second if there
/// are none, or none of what other machines do.
final class FileWatcher: Sendable {
    /// What was noticed.
    enum Sight: Hashable, Sendable {
        /// A name appeared, disappeared or was replaced.
        case replaced
        /// The settings file may have been written in place, or everything may have changed.
        case written
    }

    private let watch: Housekeeper.Watch?
    private let isOver: Over

    /// Whether checking once a second should stop.
    private final class Over: Sendable {
        let flag = Atomic<Bool>(false)
    }

    /// Starts to watch; `handler` is called on the housekeeping thread.
    ///
    /// - Throws: if neither notifications nor checks are possible, because no thread can be had.
    init(_ files: SuiteFiles, _ handler: @escaping @Sendable (Sight) -> Void) throws(SystemError) {
        let location = files.location
        let isOver = Over()
        self.isOver = isOver
        do {
            watch = try Housekeeper.shared.watch(files.folder) { notice in
                if let sight = FileWatcher.sight(of: notice, location) { handler(sight) }
                if notice.isEnd { FileWatcher.goOnLooking(isOver, handler) }
            }
        } catch {
            watch = nil
        }
        if watch == nil || !files.isLocal { try FileWatcher.lookEverySecond(isOver, handler) }
    }

    deinit { isOver.flag.store(true, ordering: .releasing) }

    /// Returns what a notification means for the suite; nil for names that are not the suite's.
    private static func sight(of notice: FolderNotices.Notice, _ location: SuiteLocation) -> Sight? {
        if notice.watch == nil || notice.isEnd || notice.name.isEmpty { return .written }
        if notice.name == location.settings { return notice.isWriteInPlace ? .written : .replaced }
        return notice.name == location.lock || notice.name == location.journal ? .replaced : nil
    }

    private static func lookEverySecond(
        _ isOver: Over, _ handler: @escaping @Sendable (Sight) -> Void
    ) throws(SystemError) {
        try Housekeeper.shared.schedule(afterMilliseconds: 1_000) {
            guard !isOver.flag.load(ordering: .acquiring) else { return }
            handler(.written)
            goOnLooking(isOver, handler)
        }
    }

    /// Called on the housekeeping thread, which exists then.
    private static func goOnLooking(_ isOver: Over, _ handler: @escaping @Sendable (Sight) -> Void) {
        do { try lookEverySecond(isOver, handler) } catch {
            SystemCalls.writeToStandardError(
                "TypedDefaults: changes from outside cannot be noticed: \(error)")
        }
    }
}
