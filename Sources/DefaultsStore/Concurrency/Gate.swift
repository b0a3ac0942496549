import Synchronization

/// A gate that one visitor passes at a time, and that any thread may open again.
///
/// A mutex would be owned by the thread that locked it; an access in place that suspends ends on another thread. A
/// visitor that passes while nobody is inside, and leaves while nobody waits, changes one number. All else is a step
/// of ``GateState`` in that number too. Who does not pass sleeps until a number of its own kind is raised: those who
/// wait are woken one at a time, and those who hope all at once, who then leave without a lock that they would have to
/// take one after the other.
///
/// Proof that nobody sleeps who has something to do. Who comes out of its sleep, or is about to sleep, reads the number
/// of its kind first and the state afterwards. Whoever changes the state so that one of that kind can pass, or has
/// done the work of one, raises the number after that (``WaitWord``). One is woken for each time the gate is handed to
/// one who waits; if another one takes it, that one was awake.
final class Gate: Sendable {
    private let state = Atomic<UInt64>(GateState.free.bits)
    /// Raised when the gate is handed to one who waits.
    private let handed: WaitWord
    /// Raised when the gate is opened while some hope.
    private let opened: WaitWord
    /// Whether it was handed to those who hope the last time: they take turns with those who wait.
    private let wasHoped = Atomic<Bool>(false)
    private let crowd = Atomic<Bool>(false)
    /// In a forked child a gate of the parent lets nobody pass: the visitor inside is not there to open it again.
    private let fork = Fork.count
    private var isInherited: Bool { fork != Fork.count }

    /// - Parameter hasRooms: whether threads wait in rooms, as they do where the kernel has no place for that.
    init(hasRooms: Bool = !Futex.exists) {
        handed = WaitWord(in: hasRooms ? SleepingRoom() : nil)
        opened = WaitWord(in: hasRooms ? SleepingRoom() : nil)
    }

    /// How waiting for the gate has ended.
    enum Passage: Hashable {
        /// The caller has passed and has to ``open()`` the gate again.
        case passed
        /// Nothing needs to be done any more.
        case needless
        /// The deadline has passed.
        case late
    }

    /// Passes the gate if nobody is inside.
    ///
    /// - Returns: whether the caller has passed and has to ``open()`` it again.
    func closeAtOnce() -> Bool {
        guard !isInherited else { return false }
        return state.compareExchange(
            expected: GateState.free.bits, desired: GateState.taken.bits, ordering: .acquiring
        ).exchanged
    }

    /// How often a thread lets others run before it sleeps, where a visit usually takes microseconds: to put a thread
    /// to sleep and wake it takes longer than that.
    static let fewYields = 50

    /// Waits for the gate until a deadline.
    ///
    /// - Parameter yields: how often the thread lets others run before it sleeps.
    /// - Returns: whether the caller has passed and has to ``open()`` it again.
    func close(until deadline: Deadline, yields: Int = 0) -> Bool {
        guard !isInherited else { return false }
        if passSoon(yields: yields, unless: { false }) == .passed { return true }
        if change({ $0.takeOrWait() }) { return true }
        while true {
            let number = handed.number
            if change({ $0.takeHanded() }) { return true }
            if !handed.wait(while: number, until: deadline), change({ $0.stopWaiting() }) { return false }
        }
    }

    /// Waits for the gate, unless what the caller wants to do inside is done by an earlier visitor.
    ///
    /// All threads whose work is done leave at once, and not one after the other through the gate.
    ///
    /// - Parameters:
    ///   - yields: how often the thread lets others run before it sleeps.
    ///   - isDone: asked whenever the gate is opened.
    func pass(until deadline: Deadline, yields: Int = 0, unless isDone: () -> Bool) -> Passage {
        guard !isInherited else { return .late }
        if isDone() { return .needless }
        if let passage = passSoon(yields: yields, unless: isDone) { return passage }
        if change({ $0.takeOrHope() }) { return .passed }
        while true {
            let number = opened.number
            if isDone() {
                stopHoping()
                return .needless
            }
            if change({ $0.takeHoped() }) { return .passed }
            guard !opened.wait(while: number, until: deadline) else { continue }
            // What has been done, or handed over, in the meantime counts.
            if isDone() || !change({ $0.takeHoped() }) {
                stopHoping()
                return isDone() ? .needless : .late
            }
            return .passed
        }
    }

    /// Waits without sleeping.
    ///
    /// - Returns: nil if the gate was not to be had.
    private func passSoon(yields: Int, unless isDone: () -> Bool) -> Passage? {
        for _ in 0..<yields {
            if closeAtOnce() { return .passed }
            SystemCalls.yield()
            if isDone() { return .needless }
        }
        return nil
    }

    /// Whether somebody hoped when the gate was opened last; once for each time.
    func wasCrowded() -> Bool { crowd.load(ordering: .relaxed) && crowd.exchange(false, ordering: .relaxed) }

    /// Lets the next visitor in; from any thread.
    ///
    /// The gate is handed to a waiting thread, so that the visitor that leaves cannot take it again and again before
    /// the others.
    func open() {
        guard !isInherited else { return }
        let (taken, free) = (GateState.taken.bits, GateState.free.bits)
        guard !state.compareExchange(expected: taken, desired: free, ordering: .releasing).exchanged else {
            return
        }
        let prefersHope = !wasHoped.load(ordering: .relaxed)
        let (before, after) = change { (state: inout GateState) in
            let before = state
            state.open(prefersHope: prefersHope)
            return (before, state)
        }
        wasHoped.store(after.isHandedToHope, ordering: .relaxed)
        if after.handed > before.handed { handed.raise(waking: .one) }
        // Also if it is not handed to them: the work of some may have been done.
        guard before.hoping > 0 else { return }
        crowd.store(true, ordering: .relaxed)
        opened.raise(waking: .all)
    }

    /// Leaves without passing.
    private func stopHoping() {
        let isHanded = change { (state: inout GateState) in
            let before = state
            state.stopHoping()
            return state.handed > before.handed
        }
        if isHanded { handed.raise(waking: .one) }
    }

    /// How many threads are waiting now, or hoping.
    var waiters: Int {
        let state = GateState(bits: state.load(ordering: .acquiring))
        return state.waiting + state.hoping
    }

    /// Makes one step.
    private func change<Result>(_ step: (inout GateState) -> Result) -> Result {
        var bits = state.load(ordering: .acquiring)
        while true {
            var next = GateState(bits: bits)
            let result = step(&next)
            if next.bits == bits { return result }
            let change = state.compareExchange(
                expected: bits, desired: next.bits, ordering: .acquiringAndReleasing)
            if change.exchanged { return result }
            bits = change.original
        }
    }
}
