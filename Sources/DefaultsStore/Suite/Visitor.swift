import _Concurrency

/// Who is inside a store's gate: a thread and the task it was running.
///
/// Both have to be the same for a nested use to join: a thread alone is shared by the tasks it runs in turn, and a
/// task alone may run on another thread after a suspension, when nobody knows what else has run in between.
struct Visitor: Sendable {
    let thread: UInt
    /// Nil for one that is inside during a call only: no other task runs on its thread meanwhile.
    private let task: Task?

    private enum Task: Hashable { case none, number(Int) }

    /// The caller, wherever it comes to leave.
    static var current: Visitor { Visitor(thread: SystemCalls.threadID, task: presentTask) }

    /// The caller, who leaves before it returns.
    static var duringCall: Visitor { Visitor(thread: SystemCalls.threadID, task: nil) }

    /// Whether it is the caller.
    var isCurrent: Bool {
        guard thread == SystemCalls.threadID else { return false }
        return task == nil || task == Visitor.presentTask
    }

    private static var presentTask: Task {
        withUnsafeCurrentTask { task in task.map { .number($0.hashValue) } ?? .none }
    }
}
