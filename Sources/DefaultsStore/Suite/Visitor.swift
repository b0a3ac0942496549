import _Concurrency

/// Who is inside a store's gate: a thread and the task that it was running.
///
/// For a nested use to join, both have to be the same: a thread alone is shared by the tasks it runs in turn, and a
/// task alone may run on another thread after a suspension, when anything else may have run in between.
struct Visitor: Sendable {
    let thread: UInt
    /// Nil for a visit that lasts only during a call: no other task runs on its thread meanwhile.
    private let task: Task?

    private enum Task: Hashable { case none, number(Int) }

    /// The caller, who may leave from anywhere.
    static var current: Visitor { Visitor(thread: SystemCalls.threadID, task: presentTask) }

    /// The caller, who leaves before the call returns.
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
