import Measuring

/// One line of the table: what was measured, beside what, and whether it is as good as was set out.
struct Row {
    /// What a row is held to.
    enum Goal {
        /// At most so many times the peer, which is the limit of what can be reached here, and measured in the same run.
        case atMost(Double)
        /// Our figure itself is at most so large; there is no peer.
        case limit(Double)
        /// Nothing: how many times as much the peer takes.
        case compared
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
        case .compared: peer.value / ours.value
        case .atMost: ours.value / peer.value
        case .limit: nil
        }
    }

    /// Whether the goal is reached; nil where there is none.
    var holds: Bool? {
        switch goal {
        case .atMost(let most): (ratio ?? .infinity) <= most
        case .limit(let most): ours.value <= most
        case .compared: nil
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

private func short(_ nanoseconds: Double) -> String {
    duration(nanoseconds).split(separator: " ").joined()
}
