/// Notices that the file at a path, or anything in a folder, may have changed, wherever the path leads at that time.
///
/// The kernel notifies of each step of the path, links included. So a file is found even if its folders do not exist
/// yet, if it is reached through a link that is redirected, or if its folders are moved away. If the kernel does not
/// notify, as on a network file system or about a folder that may not be read, the file is checked once a second for
/// as long as that is so. The watch ends with its last reference.
package final class PathWatch: Sendable {
    private struct State {
        var watches: [EventLoop.Watch] = []
        var walk = 0
        /// Whether the kernel notifies of the whole path.
        var isWhole = false
        /// Set while a check is scheduled.
        var isPolling = false
        /// Whether there was a thread for the last check that was scheduled.
        var isAttended = true
        var seen: FileStatus?
    }

    /// What is watched at the end of the path.
    enum End: Sendable {
        /// A file, which need not exist.
        case file
        /// All names in a folder.
        case names
        /// The folder itself, and nothing in it.
        case place
    }

    private let path: String
    private let end: End
    private let handler: @Sendable () -> Void
    /// Where the path is walked along, and the handler is called.
    package let resource: WorkerPool.Resource
    private let noticing = LazyReference<CoalescedWork>()
    private let state = Locked(State())  // Lock L7: protects the watches; nothing is called under it.

    /// Watches a file; `handler` is called in the background, also for changes that leave the file as it was.
    package convenience init(_ file: ForeignFile, _ handler: @escaping @Sendable () -> Void) {
        self.init(path: file.absolutePath, handler)
    }

    package convenience init(folder path: String, _ handler: @escaping @Sendable () -> Void) {
        self.init(path: ForeignFile(path).absolutePath, to: .names, handler)
    }

    /// Watches what an absolute path leads to.
    ///
    /// - Parameter place: where the path is walked along; nil for a place of its own, because nobody knows where it
    ///   leads.
    init(
        path: String, to end: End = .file, on resource: WorkerPool.Resource? = nil,
        _ handler: @escaping @Sendable () -> Void
    ) {
        self.path = path
        self.end = end
        self.handler = handler
        self.resource = resource ?? .path(path)
        follow()
        // Read afterwards, so that a change in between is noticed and not taken for what was there before.
        let seen = status
        state.withLock { $0.seen = seen }
    }

    var isWhole: Bool { state.withLock { $0.isWhole } }

    /// Whether changes are noticed: without a thread, whoever reads the file has to look.
    var isAttended: Bool { state.withLock { $0.isWhole || $0.isAttended } }

    private var work: CoalescedWork {
        noticing.load() ?? noticing.storeIfNil(CoalescedWork { [weak self] in self?.noticed() })
    }

    /// Watches the steps of the path as they are now, instead of the previous ones.
    private func follow() {
        let number = state.withLock { state in
            state.walk += 1
            return state.walk
        }
        let walk = PathWalk(path, to: end, work, on: resource)
        let (old, beginsToLook) = state.withLock { state -> ([EventLoop.Watch], Bool) in
            // A walk that another thread began later has seen something newer.
            guard state.walk == number else { return ([], false) }
            let (old, beginsToLook) = (state.watches, !walk.isWhole && !state.isPolling)
            (state.watches, state.isWhole) = (walk.watches, walk.isWhole)
            if beginsToLook { state.isPolling = true }
            return (old, beginsToLook)
        }
        withExtendedLifetime(old) {}
        withExtendedLifetime(walk) {}
        if beginsToLook { pollLater() }
    }

    private func noticed() {
        // First, so that nothing that happens along a new path is missed by a reader of the file.
        follow()
        handler()
    }

    private var status: FileStatus? {
        do { return try SystemCalls.statusBehindLinks(path: path) } catch {
            // Not a failure of the watch: reading the file reveals what is wrong with it.
            return nil
        }
    }

    private func pollLater() {
        let refusal = EventLoop.shared.scheduleAnyway(afterMilliseconds: 1_000, on: resource) { [weak self] in
            self?.poll()
        }
        state.withLock { $0.isAttended = refusal == nil }
        if let refusal {
            SystemCalls.writeToStandardError(
                "TypedDefaults: until a thread can be had, changes of \(path) are not noticed: \(refusal)")
        }
    }

    /// Checks once, if the kernel did not notify of everything; it was the last check if the kernel does now.
    private func poll() {
        state.withLock { $0.isPolling = false }
        follow()
        let present = status
        let isChanged = state.withLock { state in
            defer { state.seen = present }
            return end == .place ? state.seen?.inode != present?.inode : state.seen != present
        }
        // What is in a folder can change without the folder's status.
        if isChanged || end == .names { handler() }
    }
}
