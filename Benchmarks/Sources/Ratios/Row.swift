import Measuring

/// One line of the table: what was measured, beside what, and whether it is as good as was set out.
struct Row {
    /// How far our figure may be from the peer's.
    enum Goal {
        /// We are at least so many times as fast.
        case fasterBy(Double)
        /// We take at most so many times as long, or as much.
        case atMost(Double)
        /// Our figure itself is at most so large; there is no peer.
        case limit(Double)
        /// None: what the figure would be without any code of ours, to tell how much of it is the machine's.
        case reference
    }

    /// The number of the item in the list of goals.
    let item: Int
    let what: String
    let ours: Figure
    let peer: Figure?
    let goal: Goal

    /// How many times as fast, or how many times as much; nil where there is no peer.
    var ratio: Double? {
        guard let peer else { return nil }
        return switch goal {
        case .fasterBy: peer.value / ours.value
        case .atMost, .reference: ours.value / peer.value
        case .limit: nil
        }
    }

    /// Whether the goal is reached; nil where there is none.
    var holds: Bool? {
        switch goal {
        case .fasterBy(let least): (ratio ?? 0) >= least
        case .atMost(let most): (ratio ?? .infinity) <= most
        case .limit(let most): ours.value <= most
        case .reference: nil
        }
    }
}

/// A measured figure and how to write it.
struct Figure {
    let value: Double
    let text: String
    /// Whether the value is in nanoseconds.
    var isTime = false

    /// Rounds of a time, in nanoseconds.
    static func time(_ sample: Sample) -> Figure {
        let text = duration(sample.median)
        guard sample.count > 1 else { return Figure(value: sample.median, text: text, isTime: true) }
        let spread = "\(short(sample.percentile(10)))-\(short(sample.percentile(90)))"
        return Figure(value: sample.median, text: "\(text) (\(spread))", isTime: true)
    }

    /// One time, in nanoseconds, such as a percentile or a figure that is quoted.
    static func time(_ nanoseconds: Double, note: String = "") -> Figure {
        Figure(value: nanoseconds, text: duration(nanoseconds) + note, isTime: true)
    }

    /// A number of things.
    static func count(_ number: Double, _ unit: String) -> Figure {
        let digits = number == number.rounded() ? 0 : 2
        return Figure(value: number, text: "\(decimal(number, digits)) \(unit)")
    }
}

/// Nanoseconds with a unit that suits them.
func duration(_ nanoseconds: Double) -> String {
    let size = abs(nanoseconds)
    if size < 1e3 { return "\(decimal(nanoseconds, size < 100 ? 1 : 0)) ns" }
    if size < 1e6 { return "\(decimal(nanoseconds / 1e3, size < 1e5 ? 2 : 0)) µs" }
    if size < 1e9 { return "\(decimal(nanoseconds / 1e6, size < 1e8 ? 2 : 0)) ms" }
    return "\(decimal(nanoseconds / 1e9, 2)) s"
}

private func short(_ nanoseconds: Double) -> String {
    duration(nanoseconds).split(separator: " ").joined()
}

/// A number with so many digits after the point.
func decimal(_ number: Double, _ digits: Int) -> String {
    let factor = (0..<digits).reduce(1.0) { factor, _ in factor * 10 }
    let scaled = (number * factor).rounded()
    guard digits > 0 else { return "\(Int(scaled))" }
    let sign = scaled < 0 ? "-" : ""
    let whole = Int(abs(scaled)) / Int(factor)
    let rest = String(Int(abs(scaled)) % Int(factor))
    return "\(sign)\(whole).\(String(repeating: "0", count: digits - rest.count))\(rest)"
}
