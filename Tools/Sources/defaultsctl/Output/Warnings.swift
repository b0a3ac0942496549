import DefaultsStore
import Synchronization

/// What the library reports while a command works: shown when that is done, without what the command says itself.
enum Warnings {
    /// What is held back; nil if nothing is.
    private static let held = Mutex<[DefaultsError]?>([])

    /// Adds what the library reports.
    static func add(_ error: DefaultsError) {
        let isHeld = held.withLock { held in
            held?.append(error)
            return held != nil
        }
        if !isHeld { show(error) }
    }

    /// Has each shown at once from now on, for a command that goes on and on.
    static func holdNoLonger() { release().forEach(show) }

    /// Shows what is held back, except what the command has told of.
    static func showHeld(except told: DefaultsError? = nil) { release().filter { $0 != told }.forEach(show) }

    /// Takes what was reported of the place of an error that the command tells of itself.
    static func take(besides told: DefaultsError) -> [DefaultsError] {
        func isSame(_ error: DefaultsError) -> Bool {
            (error.code, error.path, error.line, error.column) == (
                told.code, told.path, told.line, told.column
            )
        }
        return held.withLock { held in
            defer { held?.removeAll(where: isSame) }
            return held?.filter(isSame) ?? []
        }
    }

    private static func release() -> [DefaultsError] {
        held.withLock { held in
            defer { held = nil }
            return held ?? []
        }
    }

    private static func show(_ error: DefaultsError) { Output.complain(error.description, as: "warning") }
}
