import Synchronization

/// Which administrator's file a suite has, and what is under way with it.
final class ManagedSource: Sendable {
    private struct State {
        var file: ManagedFile?
        var watch: PathWatch?
        var readings: UInt64 = 0
        /// What the file was like before it was read last; nil where that reading was refused, and where the file had
        /// just been written.
        var seen: ManagedFile.Look?
        var isNoticed = false
    }

    private let state: Locked<State>  // A leaf.
    /// Whether the file has been read, or there is none.
    let isKnown: Atomic<Bool>
    /// Whether notices tell of its changes, or there is none.
    let isWatched: Atomic<Bool>

    init(_ file: ManagedFile?) {
        state = Locked(State(file: file))
        isKnown = Atomic(file == nil)
        isWatched = Atomic(file == nil)
    }

    /// Names another file; nil names none.
    func choose(_ file: ManagedFile?) {
        let old = state.withLock { state in
            state.file = file
            // In one step with the file, or a watch of the new one would count for none.
            isWatched.store(file == nil, ordering: .releasing)
            return state.watch.take()
        }
        isKnown.store(false, ordering: .releasing)
        withExtendedLifetime(old) {}
    }

    /// Begins a reading, numbered in order, with the file to read, and whether it had no folder a moment ago.
    func beginReading() -> (number: UInt64, file: ManagedFile?, isMissing: Bool) {
        // The number first: what a later reading finds must not make way for what this one sees now.
        let (number, file) = state.withLock { state in
            state.readings += 1
            state.seen = nil
            return (state.readings, state.file)
        }
        let look = file?.look()
        let present = look?.isRecent(at: SystemCalls.wallNanoseconds) == true ? nil : look
        state.withLock { state in
            if state.readings == number, state.file == file { state.seen = present }
        }
        return (number, file, look?.isWithoutFolder == true)
    }

    /// Notes that the reading was refused: what mends that need not change the file's look.
    func noteRefusal() { state.withLock { $0.seen = nil } }

    /// Whether the file is, by its look, the one that was read last.
    var isAsRead: Bool {
        let (file, seen) = state.withLock { ($0.file, $0.seen) }
        guard let seen else { return false }
        return file?.look() == seen
    }

    /// Watches the file unless that is done, before a reading, so that nothing can happen unseen between the two.
    func watch(_ handler: @escaping @Sendable () -> Void) {
        guard let file = state.withLock({ $0.watch == nil ? $0.file : nil }) else { return }
        let fresh = PathWatch(path: file.path, handler)
        state.withLock { state in
            // Another thread may have been first, or have named another file, which it watches itself.
            guard state.watch == nil, state.file == file else { return }
            state.watch = fresh
            isWatched.store(true, ordering: .releasing)
        }
        withExtendedLifetime(fresh) {}
    }

    /// Takes note of something that happened to the file.
    ///
    /// - Returns: whether nobody is about to look at it yet.
    func notice() -> Bool {
        state.withLock { state in
            defer { state.isNoticed = true }
            return !state.isNoticed
        }
    }

    /// What happens from now on is noticed again.
    func beginLook() { state.withLock { $0.isNoticed = false } }
}
