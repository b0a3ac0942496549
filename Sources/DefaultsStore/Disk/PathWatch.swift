/// Notices that the file at a path, or anything in a folder, may have changed, wherever the path leads at that time.
///
/// The kernel tells of each step of the path, links included, so that a file is found whose folders are yet to be made,
/// that is reached over a link which is turned elsewhere, or whose folders are moved away. Where the kernel does not
/// tell, as on a network's disk or of a folder that may not be read, the file is looked at once a second for as long as
/// that is so. The watch ends with its last reference.
package final class PathWatch: Sendable {
    private struct State {
        var watches: [Housekeeper.Watch] = []
        /// Which walk along the path was the last one begun.
        var walk = 0
        /// Whether the kernel tells of the whole path.
        var isWhole = false
        /// Whether there is an appointment to look.
        var isLooking = false
        var seen: FileStatus?
    }

    /// What counts of what is at the path's end.
    enum End: Sendable {
        /// A file, which need not be there.
        case file
        /// Everything that stands right in a folder.
        case names
        /// Which folder it is, and nothing in it.
        case place
    }

    private let path: String
    private let end: End
    private let handler: @Sendable () -> Void
    private let state = Locked(State())  // Lock L7: protects the watches; nothing is called under it.

    /// Watches a file; `handler` is called on the housekeeping thread, also for changes that leave the file as it was.
    package convenience init(_ file: ForeignFile, _ handler: @escaping @Sendable () -> Void) {
        self.init(path: file.absolutePath, handler)
    }

    /// Watches everything that stands right in a folder.
    package convenience init(folder path: String, _ handler: @escaping @Sendable () -> Void) {
        self.init(path: SystemCalls.absolute(path), to: .names, handler)
    }

    /// Watches what an absolute path leads to.
    init(path: String, to end: End = .file, _ handler: @escaping @Sendable () -> Void) {
        self.path = path
        self.end = end
        self.handler = handler
        follow()
        // After that, so that a change in between is heard and not taken for what was there.
        let seen = status
        state.withLock { $0.seen = seen }
    }

    /// Whether the kernel tells of the whole path now, so that nobody has to look.
    var isWhole: Bool { state.withLock { $0.isWhole } }

    /// Watches the steps of the path as they are now, in place of those before.
    private func follow() {
        let number = state.withLock { state in
            state.walk += 1
            return state.walk
        }
        let walk = PathWalk(path, to: end) { [weak self] in self?.noticed() }
        let (old, beginsToLook) = state.withLock { state -> ([Housekeeper.Watch], Bool) in
            // A walk that another thread began later has seen what is newer.
            guard state.walk == number else { return ([], false) }
            let (old, beginsToLook) = (state.watches, !walk.isWhole && !state.isLooking)
            (state.watches, state.isWhole) = (walk.watches, walk.isWhole)
            if beginsToLook { state.isLooking = true }
            return (old, beginsToLook)
        }
        withExtendedLifetime((old, walk)) {}
        if beginsToLook { lookLater() }
    }

    private func noticed() {
        // First, so that nothing that happens along a new path is missed by whoever reads the file now.
        follow()
        handler()
    }

    private var status: FileStatus? {
        do { return try SystemCalls.statusBehindLinks(path: path) } catch {
            // Not a failure of the watch: reading the file tells what is wrong with it.
            return nil
        }
    }

    private func lookLater() {
        do {
            try Housekeeper.shared.schedule(afterMilliseconds: 1_000) { [weak self] in self?.look() }
        } catch {
            state.withLock { $0.isLooking = false }
            SystemCalls.writeToStandardError("TypedDefaults: changes of \(path) cannot be noticed: \(error)")
        }
    }

    /// One look where the kernel did not tell of everything; the last one where it does now.
    private func look() {
        state.withLock { $0.isLooking = false }
        follow()
        let present = status
        let isChanged = state.withLock { state in
            defer { state.seen = present }
            return end == .place ? state.seen?.inode != present?.inode : state.seen != present
        }
        // What stands in a folder can change without the folder.
        if isChanged || end == .names { handler() }
    }
}
