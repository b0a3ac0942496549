/// The figures of several rounds of one measurement.
public struct Sample: Sendable {
    private let sorted: [Double]

    /// Takes the rounds in any order; there is at least one.
    public init(_ figures: [Double]) {
        precondition(!figures.isEmpty, "a measurement has at least one round")
        sorted = figures.sorted()
    }

    /// How many rounds there were.
    public var count: Int { sorted.count }

    /// The figure in the middle.
    public var median: Double { percentile(50) }

    /// The smallest figure that so many of a hundred do not exceed.
    public func percentile(_ percent: Double) -> Double {
        let place = (Double(sorted.count) * percent / 100).rounded(.up)
        return sorted[min(max(Int(place) - 1, 0), sorted.count - 1)]
    }

    /// The same with each figure divided.
    public func divided(by divisor: Double) -> Sample { Sample(sorted.map { $0 / divisor }) }
}
