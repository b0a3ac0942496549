/// How many changes in a row a handler has answered by changing again what it observes.
///
/// A few are usual: a handler that puts a value into its range is told of that, and finds nothing to do. Handlers that
/// never find the end would keep the write that they were called for from ever returning.
package struct AnswerCount: Sendable {
    /// So many in a row are more than any handler needs that comes to an end.
    private static let most = 1_000
    private var count = 0
    private var isAnswered = false
    /// Whether so many were reached since there was nothing left to tell.
    package private(set) var isEndless = false

    package init() {}

    /// Notes that the handler that is being called has changed what it observes.
    package mutating func noteAnswer() { isAnswered = true }

    /// Notes that the handler has returned, and that there is more to tell.
    ///
    /// - Returns: whether the thread has done enough, and somebody else goes on later; and whether that is news.
    package mutating func goOn() -> (isEnough: Bool, isNews: Bool) {
        count = isAnswered ? count + 1 : 0
        isAnswered = false
        guard count >= AnswerCount.most else { return (false, false) }
        count = 0
        defer { isEndless = true }
        return (true, !isEndless)
    }

    /// Notes that there is nothing left to tell.
    package mutating func end() { self = AnswerCount() }
}
