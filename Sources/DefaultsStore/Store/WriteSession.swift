import _Concurrency

/// What a write session is based on: a state, the writer's lock, and what was read of the state.
struct WriteSession: ~Copyable {
    /// The state; replaced by each commit, and when another program has saved in between.
    var base: StoreSnapshot
    /// The proof of the writer's lock; nil in memory.
    var lock: HeldWriterLock?
    /// Whether the changes may depend on values that were read.
    let isRead: Bool
    /// Whether files that somebody has removed are created again: not for work that nobody asked for.
    let remakes: Bool
    /// Whether the session may go before others who wait, if it is this process's turn.
    let takesTurn: Bool
    /// The state that everything was read from; nil if nothing is read.
    private let origin: StoreSnapshot?
    private var reads = ReadSet()

    init(
        base: StoreSnapshot, lock: consuming HeldWriterLock?, isRead: Bool, remakes: Bool = true,
        takesTurn: Bool = true
    ) {
        self.base = base
        self.lock = lock
        (self.isRead, self.remakes, self.takesTurn) = (isRead, remakes, takesTurn)
        origin = isRead ? base : nil
    }

    mutating func recordRead(_ key: KeyName) { reads.insert(key) }

    mutating func recordReadOfAll() { reads.insertAll() }

    /// Whether something that was read is different in the state that the session is based on now.
    var hasStaleReads: Bool {
        guard let origin, base !== origin else { return false }
        return reads.differ(between: origin.values, and: base.values)
    }

    /// Releases the writer's lock before the session is over: other processes may go on.
    mutating func unlock() { lock = nil }

    /// Whether the lock is the one that everybody takes, and the settings file the one that the state came from.
    func isCurrent() throws(DefaultsError) -> Bool {
        let base = base
        let isLocked = try withLock { lock in lock.files === base.files }
        guard isLocked else { return false }
        return try base.standing(in: [.place, .settings]) == .same
    }

    func withLock<Result>(
        _ body: (borrowing HeldWriterLock) throws(DefaultsError) -> Result
    ) throws(DefaultsError) -> Result {
        switch lock {
        case .some(let lock): return try body(lock)
        case .none: throw DefaultsError(.ioFailure, path: base.files?.location.path)
        }
    }
}

/// Who has a session with a store: a thread and the task that it was running.
///
/// For a nested use to join, both have to be the same: a thread alone is shared by the tasks it runs in turn, and a
/// task alone may run on another thread after a suspension, when anything else may have run in between.
struct SessionOwner: Sendable {
    let thread: UInt
    /// Nil for a session that lasts only during a call: no other task runs on its thread meanwhile.
    private let task: Task?

    private enum Task: Hashable { case none, number(Int) }

    /// For a session that may end on another thread or task.
    static var current: SessionOwner { SessionOwner(thread: SystemCalls.threadID, task: presentTask) }

    /// For a session that ends within this call.
    static var duringCall: SessionOwner { SessionOwner(thread: SystemCalls.threadID, task: nil) }

    var isCurrent: Bool {
        guard thread == SystemCalls.threadID else { return false }
        return task == nil || task == SessionOwner.presentTask
    }

    private static var presentTask: Task {
        withUnsafeCurrentTask { task in task.map { .number($0.hashValue) } ?? .none }
    }
}
