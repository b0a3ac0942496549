/// Who is inside a gate and who waits for it.
///
/// Some wait until they pass; others hope, and leave as soon as their work has been done for them. What one of them
/// does is one step from a state to the next. `GateStateTests` goes through all orders of the steps of a few threads:
///
/// - One is inside at a time, and nobody passes while the gate is handed to somebody else.
/// - While it is free, nobody hopes, and nobody waits but those that it has been handed to.
/// - It is handed only to somebody who is there to take it.
struct GateState: Hashable, Sendable {
    /// Whether somebody is inside, or it is handed to somebody.
    private(set) var isTaken = false
    /// How many wait until they pass.
    private(set) var waiting = 0
    /// How many of those it is handed to: one, but for a bell, which is rung without anybody inside.
    private(set) var handed = 0
    /// How many hope.
    private(set) var hoping = 0
    /// Whether it is handed to those who hope, to the first one whose work is not done.
    private(set) var isHandedToHope = false

    static let free = GateState()
    /// Taken, with nobody who waits or hopes.
    static let taken = GateState(isTaken: true)

    /// Passes if nobody is inside.
    mutating func take() -> Bool {
        guard !isTaken else { return false }
        isTaken = true
        return true
    }

    /// Passes if nobody is inside, or else waits from now on.
    mutating func takeOrWait() -> Bool {
        if take() { return true }
        waiting += 1
        return false
    }

    /// Passes if nobody is inside, or else hopes from now on.
    mutating func takeOrHope() -> Bool {
        if take() { return true }
        hoping += 1
        return false
    }

    /// Passes, as one who has waited, if the gate is handed to one.
    mutating func takeHanded() -> Bool {
        guard handed > 0 else { return false }
        handed -= 1
        waiting -= 1
        return true
    }

    /// Passes, as one who has hoped, if the gate is handed to one.
    mutating func takeHoped() -> Bool {
        guard isHandedToHope else { return false }
        isHandedToHope = false
        hoping -= 1
        return true
    }

    /// Waits no longer, if the gate is handed to nobody who waits.
    mutating func stopWaiting() -> Bool {
        guard handed == 0 else { return false }
        waiting -= 1
        return true
    }

    /// Hopes no longer; the last one leaves a gate that was handed to them to whoever waits.
    mutating func stopHoping() {
        hoping -= 1
        guard hoping == 0, isHandedToHope else { return }
        isHandedToHope = false
        open(prefersHope: false)
    }

    /// Lets the next one in.
    ///
    /// - Parameter prefersHope: whether those who hope come before those who wait.
    mutating func open(prefersHope: Bool) {
        if hoping > 0, !isHandedToHope, prefersHope || waiting == handed {
            isHandedToHope = true
        } else if waiting > handed {
            handed += 1
        } else {
            isTaken = false
        }
    }
}

/// The state in one number, for an atomic step.
extension GateState {
    // Twenty bits for a count: no kernel has so many threads.
    private static let width: UInt64 = 20
    private static let greatest = (1 << width) - 1

    init(bits: UInt64) {
        isTaken = bits & 1 != 0
        isHandedToHope = bits & 2 != 0
        waiting = Int(bits >> 2) & GateState.greatest
        handed = Int(bits >> (2 + GateState.width)) & GateState.greatest
        hoping = Int(bits >> (2 + 2 * GateState.width)) & GateState.greatest
    }

    var bits: UInt64 {
        (isTaken ? 1 : 0) | (isHandedToHope ? 2 : 0) | UInt64(waiting) << 2
            | UInt64(handed) << (2 + GateState.width) | UInt64(hoping) << (2 + 2 * GateState.width)
    }
}
