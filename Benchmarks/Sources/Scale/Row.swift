import Measuring

/// One line of the table: a figure, and its control, which is the same with what is asked about left out.
struct Row {
    /// What was measured.
    let what: String
    /// What it is.
    let figure: Figure
    /// What the control leaves out, or is.
    let beside: String
    /// The control's figure.
    let control: Figure

    /// The figure over the control's; nil where that is nothing.
    var ratio: Double? { control.value > 0 ? figure.value / control.value : nil }

    /// What stands in its line.
    var cells: [String] { [what, figure.text, beside, control.text, ratio.map(times) ?? ""] }

    /// Whether both are numbers that can be.
    var isMeasured: Bool { [figure, control].allSatisfy { $0.value.isFinite && $0.value >= 0 } }
}

/// A measured figure and how to write it.
struct Figure {
    let value: Double
    let text: String

    /// A time in nanoseconds.
    static func time(_ nanoseconds: Double) -> Figure {
        Figure(value: nanoseconds, text: duration(nanoseconds))
    }

    /// A number of bytes.
    static func bytes(_ bytes: Double) -> Figure { Figure(value: bytes, text: amount(bytes)) }

    /// A number of something else.
    static func count(_ number: Double, _ unit: String = "") -> Figure {
        let digits = number == number.rounded() ? 0 : 2
        return Figure(value: number, text: decimal(number, digits) + (unit.isEmpty ? "" : " \(unit)"))
    }
}

/// What can be asked for by name: rows that are measured together.
enum RowGroup: String, CaseIterable {
    case listeners, tasks, idle, tight, disk, history, value, suites, threads, keys

    func measure(on stage: Stage) throws -> [Row] {
        switch self {
        case .listeners: try stage.listeners()
        case .tasks: try stage.waitingTasks()
        case .idle: try stage.idleObservers()
        case .tight: try stage.besideTightWriter()
        case .disk: try stage.bytesToDisk()
        case .history: try stage.keptVersions()
        case .value: try stage.largeValue()
        case .suites: try stage.manySuites()
        case .threads: try stage.observersThreads()
        case .keys: try stage.manyKeys()
        }
    }
}
