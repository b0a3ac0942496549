import Synchronization

/// Which administrator's file a suite has, and the state of reading it.
final class ManagedSource: Sendable {
    private struct State {
        var file: ManagedFile?
        var watch: PathWatch?
        var partWatches: [String: PathWatch] = [:]
        var readings: UInt64 = 0
        /// What the file was like before it was read last; nil if that read failed, or if the file had just been
        /// written.
        var seen: ManagedFile.Status?
        /// Whether somebody has named a file, or named none.
        var isChosen = false
    }

    private let state: Locked<State>  // A leaf.
    /// Whether the file has been read, or there is none.
    let isKnown: Atomic<Bool>
    /// Whether the kernel notifies of its changes, or there is no file.
    let isWatched: Atomic<Bool>

    init(_ file: ManagedFile?) {
        state = Locked(State(file: file))
        isKnown = Atomic(file == nil)
        isWatched = Atomic(file == nil)
    }

    /// Nil names none.
    func choose(_ file: ManagedFile?) {
        let old = state.withLock { put(file, in: &$0) }
        isKnown.store(false, ordering: .releasing)
        withExtendedLifetime(old) {}
    }

    /// Names a file if there is none only because the first handle of the location did not name one.
    ///
    /// - Returns: whether it was taken.
    func take(_ file: ManagedFile) -> Bool {
        let isTaken = state.withLock { state in
            // A pattern, because `== nil` has a new process put the optional's type together, which took a third of
            // the time of opening a suite.
            guard case .none = state.file, !state.isChosen else { return false }
            // Without a file there was no watch.
            _ = put(file, in: &state)
            return true
        }
        if isTaken { isKnown.store(false, ordering: .releasing) }
        return isTaken
    }

    /// - Returns: the watches of the old file.
    private func put(_ file: ManagedFile?, in state: inout State) -> Watches {
        state.file = file
        state.isChosen = true
        // In one step with the file, or a watch of the new file would be taken for one of none.
        isWatched.store(file == nil, ordering: .releasing)
        return takeWatches(from: &state)
    }

    /// Released with no lock held.
    private typealias Watches = (PathWatch?, [String: PathWatch])

    private func takeWatches(from state: inout State) -> Watches {
        let watches = (state.watch.take(), state.partWatches)
        state.partWatches = [:]
        return watches
    }

    /// Begins a read.
    ///
    /// - Returns: a number that puts the reads in order, the file to read, and what it was like a moment ago.
    func beginReading() -> (number: UInt64, file: ManagedFile?, status: ManagedFile.Status?) {
        // The number is taken first: what a later read finds must not be replaced by what this one sees now.
        let (number, file) = state.withLock { state in
            state.readings += 1
            state.seen = nil
            return (state.readings, state.file)
        }
        let status = file?.status()
        let present = status?.isRecent(at: SystemCalls.wallNanoseconds) == true ? nil : status
        state.withLock { state in
            if state.readings == number, state.file == file { state.seen = present }
        }
        return (number, file, status)
    }

    /// Records that the read failed: what makes it succeed need not change the file's status.
    func recordRefusal() { state.withLock { $0.seen = nil } }

    /// Whether the file is, according to its status, the one that was read last.
    var isAsRead: Bool {
        let (file, seen) = state.withLock { ($0.file, $0.seen) }
        guard let seen else { return false }
        return file?.status() == seen
    }

    /// Watches folders of drop-ins, unless they are watched already; before they are read, as the file.
    ///
    /// - Returns: whether one of them was not watched before.
    func watchParts(_ paths: some Sequence<String>, _ handler: @escaping @Sendable () -> Void) -> Bool {
        let (file, missing) = state.withLock { state in
            (state.file, paths.filter { state.watch != nil && state.partWatches[$0] == nil })
        }
        guard !missing.isEmpty else { return false }
        let fresh = missing.map { (path: $0, watch: PathWatch(folder: $0, handler)) }
            .filter(\.watch.isAttended)
        guard !fresh.isEmpty else { return false }
        state.withLock { state in
            // Another thread may have been first, or have named another file, which it watches itself.
            for (path, watch) in fresh where state.file == file && state.partWatches[path] == nil {
                state.partWatches[path] = watch
            }
        }
        withExtendedLifetime(fresh) {}
        return true
    }

    /// Watches the file, unless it is watched already; before a read, so that nothing goes unseen between the two.
    func watch(_ handler: @escaping @Sendable () -> Void) {
        guard let file = state.withLock({ $0.watch == nil ? $0.file : nil }) else { return }
        let fresh = PathWatch(path: file.path, handler)
        // Each use of the suite looks at the file until a thread can be had, and asks for one.
        guard fresh.isAttended else { return }
        state.withLock { state in
            // Another thread may have been first, or have named another file, which it watches itself.
            guard state.watch == nil, state.file == file else { return }
            state.watch = fresh
            isWatched.store(true, ordering: .releasing)
        }
        withExtendedLifetime(fresh) {}
    }
}
