/// Runs measurements in turn, round after round, so that all of them meet the same state of the machine.
///
/// - Parameter rounds: how often each is run; an untimed round goes before them.
/// - Returns: a sample for each measurement.
public func alternate(rounds: Int, _ measurements: [() throws -> Double]) throws -> [Sample] {
    for measure in measurements { _ = try measure() }
    var figures = [[Double]](repeating: [], count: measurements.count)
    for _ in 0..<rounds {
        for (place, measure) in measurements.enumerated() { figures[place].append(try measure()) }
    }
    return figures.map(Sample.init)
}
