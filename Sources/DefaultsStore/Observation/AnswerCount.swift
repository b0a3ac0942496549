/// How many changes in a row a handler has answered by changing again what it observes.
///
/// A few are usual: a handler that puts a value into its range is notified of that, and finds nothing to do.
/// Handlers that never find the end would keep the write that they were called for from ever returning.
package struct AnswerCount: Sendable {
    /// More than any handler needs that comes to an end.
    private static let most = 1_000
    /// In so many rounds at least: what others have written while a handler was at work is one round, however much it
    /// is, and its answers are the next one.
    private static let fewestRounds = 10
    private var count = 0
    /// How many rounds were answered in a row, and how much of the present one is left to tell.
    private var (rounds, rest) = (0, 0)
    private var isAnswered = false
    /// Whether so many were reached since there was nothing left to tell.
    package private(set) var isEndless = false

    package init() {}

    /// Records that the handler that is being called has changed what it observes.
    package mutating func recordAnswer() { isAnswered = true }

    /// Records that the handler has returned, and that there is more to tell.
    ///
    /// - Parameter waiting: how many changes wait to be told, with the next one.
    /// - Returns: whether the thread has done enough, and somebody else goes on later; and whether that is news.
    package mutating func goOn(_ waiting: Int) -> (isEnough: Bool, isNews: Bool) {
        if isAnswered { count += 1 } else { (count, rounds, rest) = (0, 0, waiting) }
        isAnswered = false
        if rest == 0 { (rounds, rest) = (rounds + 1, waiting) }
        rest -= 1
        guard count >= AnswerCount.most, rounds >= AnswerCount.fewestRounds else { return (false, false) }
        count = 0
        defer { isEndless = true }
        return (true, !isEndless)
    }

    package mutating func end() { self = AnswerCount() }
}
