import _Concurrency

/// Who is inside a store's gate: a thread and the task it was running.
///
/// Both have to be the same for a nested use to join: a thread alone is shared by the tasks it runs in turn, and a
/// task alone may run on another thread after a suspension, when nobody knows what else has run in between.
struct Visitor: Hashable, Sendable {
    let thread: UInt
    private let task: Int?

    /// The caller.
    static var current: Visitor {
        Visitor(thread: SystemCalls.threadID, task: withUnsafeCurrentTask { $0?.hashValue })
    }
}
