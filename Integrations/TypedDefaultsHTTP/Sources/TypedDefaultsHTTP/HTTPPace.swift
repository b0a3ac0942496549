/// How long to wait before the next question.
struct HTTPPace: Sendable {
    /// Between two questions that were answered.
    let interval: Duration
    /// After the first failure.
    var shortest = Duration.seconds(1)
    private var failures = 0

    init(interval: Duration) { self.interval = interval }

    /// The pause behind an answer, or a failure, somewhere in this range by chance.
    mutating func range(afterSuccess isGood: Bool) -> ClosedRange<Duration> {
        failures = isGood ? 0 : failures + 1
        if isGood { return interval * 0.9...interval * 1.1 }
        let longest = max(interval, .seconds(60))
        // Doubled no more often than it can grow.
        let pause = min(shortest * (1 << min(failures - 1, 40)), longest)
        return pause * 0.5...pause * 1.5
    }

    mutating func pause(afterSuccess isGood: Bool) -> Duration {
        let range = range(afterSuccess: isGood)
        return range.lowerBound + (range.upperBound - range.lowerBound) * Double.random(in: 0...1)
    }
}
