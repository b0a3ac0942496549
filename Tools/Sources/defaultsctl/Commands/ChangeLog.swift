import DefaultsStore
import Synchronization

/// The lines that `watch` prints, from whatever thread a change is delivered on.
final class ChangeLog: Sendable {
    private struct State {
        var left: Int?
        var failure: (any Error)?
        var isOver = false
    }

    private let isJSON: Bool
    private let state: Mutex<State>
    private let hidden: HiddenValues
    private let end: Bell

    /// Makes a log that is over after so many changes.
    init(isJSON: Bool, limit: Int?, hidden: HiddenValues) throws {
        self.isJSON = isJSON
        self.hidden = hidden
        end = try Bell()
        state = Mutex(State(left: limit))
    }

    /// Prints some changes.
    func add(_ changes: [DefaultsChange]) {
        state.withLock { state in
            for change in changes where !state.isOver {
                do { try print(change) } catch {
                    state.failure = error
                    state.isOver = true
                }
                guard !change.isInitial, let left = state.left else { continue }
                state.left = left - 1
                state.isOver = state.isOver || left == 1
            }
            if state.isOver { end.ring() }
        }
    }

    /// Waits until as many changes were printed as were asked for; ends the program when nobody reads them any more.
    ///
    /// - Throws: what kept one from being printed.
    func waitForEnd() throws {
        guard end.wait() == .rung else { try System.endWithoutReader() }
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    private func print(_ change: DefaultsChange) throws {
        if isJSON { return try Output.jsonLine(json(change)) }
        let (old, new) = (shown(change.oldValue, change.key), shown(change.newValue, change.key))
        let values = change.isInitial ? Colour.value(new) : old + " → " + Colour.value(new)
        try Output.line(
            [
                Colour.faint(System.timeOfDay), Colour.key(SafeText.name(change.key)), values,
                Colour.faint(Shown.cause(change)),
            ].joined(separator: "  "))
    }

    private func shown(_ value: DefaultsValue?, _ key: String) -> String {
        value != nil && hidden.hides(key) ? HiddenValues.mark : Shown.inLine(value)
    }

    private func json(_ change: DefaultsChange) -> DefaultsValue {
        var process: DefaultsValue?
        let isHidden = hidden.hides(change.key)
        if !change.isInitial, case .otherProcess(let id?) = change.cause { process = .count(id) }
        return .members([
            "time": .string(System.timestamp), "key": .string(change.key),
            "old": isHidden ? nil : change.oldValue, "new": isHidden ? nil : change.newValue,
            "isHidden": isHidden ? true : nil, "cause": .string(Shown.causeName(change)), "process": process,
        ])
    }
}
