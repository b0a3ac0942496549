/// How long to wait before the next question.
struct HTTPPace: Sendable {
    /// Between two questions that were answered.
    let interval: Duration
    /// After the first failure.
    var shortest = Duration.seconds(1)
    private var failures = 0

    init(interval: Duration) { self.interval = interval }

    /// The pause behind an answer, or a failure, somewhere in this range by chance.
    ///
    /// - Parameter wish: how long a server that has failed wants to be left alone.
    mutating func range(afterSuccess isGood: Bool, wish: Duration = .zero) -> ClosedRange<Duration> {
        failures = isGood ? 0 : failures + 1
        if isGood { return interval * 0.9...interval * 1.1 }
        let longest = max(interval, .seconds(60))
        // A server may slow a program down, but not stop it.
        let wish = min(wish, longest)
        // Doubled no more often than it can grow.
        let pause = max(min(shortest * (1 << min(failures - 1, 40)), longest), wish)
        return max(pause * 0.5, wish)...pause * 1.5
    }

    mutating func pause(afterSuccess isGood: Bool, wish: Duration = .zero) -> Duration {
        let range = range(afterSuccess: isGood, wish: wish)
        return range.lowerBound + (range.upperBound - range.lowerBound) * Double.random(in: 0...1)
    }
}
