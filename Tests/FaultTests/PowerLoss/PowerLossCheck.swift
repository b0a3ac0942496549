import TestSupport

/// Lets the power go at every point of a recording, and tells what was promised and not kept.
struct PowerLossCheck {
    /// A promise that was not kept, with what led to it.
    struct Violation: Hashable, CustomStringConvertible {
        let recording: String
        let objection: String
        let steps: [String]
        let state: String

        var description: String {
            """
            \(recording): \(objection)
              after
                \(steps.suffix(60).joined(separator: "\n    "))
              the disk held
            \(state)

            """
        }
    }

    /// The states that were tried, with what the store made of them.
    private(set) var states: [FolderState: Aftermath] = [:]
    /// The first violation at each of the first points that have one.
    private(set) var violations: [Violation] = []

    /// Tries all points, or each fifth where not all is tried, and the last; stops after so many that have a violation.
    init(
        _ recording: Recording, limit: Int, violations most: Int = 3, atEach step: Int = Soak.isWhole ? 1 : 5
    ) throws {
        var powerLoss = PowerLoss(limit: limit)
        let last = recording.steps.count
        for count in recording.startingSteps...last where count % step == 0 || count == last {
            // What is promised after the last step, and before the next one.
            let promises = try Promises(
                recording, before: count == 0 ? 0 : recording.steps[count - 1].number + 1)
            for state in powerLoss.states(after: count, of: recording.steps) {
                let aftermath = states[state] ?? Aftermath(of: state, parent: recording.parent)
                states[state] = aftermath
                guard let objection = PowerLossCheck.objection(aftermath, promises) else { continue }
                violations.append(
                    Violation(
                        recording: recording.name, objection: objection,
                        steps: recording.steps.prefix(count).map { $0.line(recording.files) },
                        state: "\(state)"))
                break
            }
            if violations.count >= most { break }
        }
    }

    private static func objection(_ aftermath: Aftermath, _ promises: Promises) -> String? {
        if let objection = aftermath.objection { return objection }
        if let damage = aftermath.damage, !promises.isCareless { return damage }
        return promises.objection(to: aftermath.stored)
    }
}
