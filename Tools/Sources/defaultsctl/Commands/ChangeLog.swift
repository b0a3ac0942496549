import DefaultsStore
import Dispatch
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
    private let end = DispatchSemaphore(value: 0)

    /// Makes a log that is over after so many changes.
    init(isJSON: Bool, limit: Int?) {
        self.isJSON = isJSON
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
            if state.isOver { end.signal() }
        }
    }

    /// Waits until as many changes were printed as were asked for.
    ///
    /// - Throws: what kept one from being printed.
    func waitForEnd() throws {
        end.wait()
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    private func print(_ change: DefaultsChange) throws {
        if isJSON { return try Output.jsonLine(json(change)) }
        let values =
            change.isInitial
            ? Colour.value(Shown.inLine(change.newValue))
            : Shown.inLine(change.oldValue) + " → " + Colour.value(Shown.inLine(change.newValue))
        try Output.line(
            [
                Colour.faint(System.timeOfDay), Colour.key(SafeText.name(change.key)), values,
                Colour.faint(Shown.cause(change)),
            ].joined(separator: "  "))
    }

    private func json(_ change: DefaultsChange) -> DefaultsValue {
        var process: DefaultsValue?
        if !change.isInitial, case .otherProcess(let id?) = change.cause { process = .count(id) }
        return .members([
            "time": .string(System.timestamp), "key": .string(change.key), "old": change.oldValue,
            "new": change.newValue, "cause": .string(Shown.causeName(change)), "process": process,
        ])
    }
}
