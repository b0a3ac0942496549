/// Runs measurements in turn, round after round, so that all of them meet the same state of the machine.
///
/// Each round has an order of its own: what one leaves in the processor's caches counts for the next one, by some
/// hundredths where programs are started.
///
/// - Parameter rounds: how often each is run; an untimed round goes before them.
/// - Returns: a sample for each measurement.
public func alternate(rounds: Int, _ measurements: [() throws -> Double]) throws -> [Sample] {
    for measure in measurements { _ = try measure() }
    var figures = [[Double]](repeating: [], count: measurements.count)
    for _ in 0..<rounds {
        for place in measurements.indices.shuffled() { figures[place].append(try measurements[place]()) }
    }
    return figures.map(Sample.init)
}
