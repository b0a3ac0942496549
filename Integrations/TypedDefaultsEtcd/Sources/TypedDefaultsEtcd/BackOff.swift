/// The pauses between rounds of endpoints none of which answered: twice as long each time, up to a limit.
struct BackOff: Sendable {
    private let shortest: Duration
    private let longest: Duration
    private var next: Duration

    init(shortest: Duration, longest: Duration) {
        self.shortest = shortest
        self.longest = longest
        next = shortest
    }

    /// The next pause, made up to half longer or shorter by chance: many programs that lost one server at one moment
    /// do not come back at one.
    mutating func pause() -> Duration {
        defer { next = min(next * 2, longest) }
        return next * Double.random(in: 0.5...1.5)
    }

    /// A pause of the longest kind, for what only a person can mend.
    func longPause() -> Duration { longest * Double.random(in: 0.5...1.5) }

    /// Begins with the shortest again.
    mutating func reset() { next = shortest }
}
