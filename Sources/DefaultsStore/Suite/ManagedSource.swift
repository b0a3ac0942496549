import Synchronization

/// Which administrator's file a suite has, and what is under way with it.
final class ManagedSource: Sendable {
    private struct State {
        var file: ManagedFile?
        var watcher: PlaceWatcher?
        var readings: UInt64 = 0
        var isNoticed = false
    }

    private let state: Locked<State>  // A leaf.
    /// Whether the file has been read, or there is none.
    let isKnown: Atomic<Bool>

    init(_ file: ManagedFile?) {
        state = Locked(State(file: file))
        isKnown = Atomic(file == nil)
    }

    /// Names another file; nil names none.
    func choose(_ file: ManagedFile?) {
        state.withLock { $0.file = file }
        isKnown.store(false, ordering: .releasing)
    }

    /// Begins a reading, numbered in order, with the file to read.
    func beginReading() -> (number: UInt64, file: ManagedFile?) {
        state.withLock { state in
            state.readings += 1
            return (state.readings, state.file)
        }
    }

    /// Watches anew, before a reading, so that nothing can happen unseen between the two.
    func watch(_ handler: @escaping @Sendable () -> Void) {
        let file = state.withLock { $0.file }
        let fresh = file.map { PlaceWatcher(path: $0.path, handler) }
        let old = state.withLock { state in
            defer { state.watcher = fresh }
            return state.watcher
        }
        withExtendedLifetime(old) {}
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
