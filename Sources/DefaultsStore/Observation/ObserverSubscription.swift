/// One observer's mailbox: filled in commit order, emptied by one thread at a time with no lock held.
package final class ObserverSubscription: Sendable {
    /// Finds the effective text of a key in a state of the suite.
    package typealias Lookup = @Sendable (KeyName, StoredValues) -> StoredValue?
    /// Returns the values of the domains below the one that a text came from.
    package typealias Lower = @Sendable (KeyName, StoredValue, StoredValues) -> [StoredValue]
    /// Receives an event; it asks the observer whether it is still active right before it runs user code.
    package typealias Handler = @Sendable (ChangeNotice, ObserverSubscription) -> Void

    private struct State {
        var handler: Handler?
        var waiting = Waiting()
        /// Each key's value that was delivered last; a key that is missing here was delivered as missing.
        var delivered = PersistentMap<KeyName, StoredValue>()
        var isBeingEmptied = false
        /// The thread that empties it, and how many events have left when it leaves the rest to another.
        var turn: (thread: UInt, end: Int) = (0, 0)
        var isSubmitted = false
        var answers = AnswerCount()
        var tie: Tie?
        /// The owner that the call in progress has found, which may have come after the call was taken.
        var held: AnyObject?
    }

    private struct Waiting {
        private var notices = Queue<ChangeNotice>()
        /// How many have come since the beginning.
        private(set) var came = 0

        var isEmpty: Bool { notices.isEmpty }

        var count: Int { notices.count }

        /// How many have left since the beginning.
        var left: Int { came - count }

        mutating func append(_ notice: ChangeNotice) {
            notices.append(notice)
            came += 1
        }

        mutating func popFirst() -> ChangeNotice? { notices.popFirst() }
    }

    /// The object that the observer's life is tied to.
    // Unchecked is sound because a weak reference may be read on any thread, and this one is never written again. A
    // class, because a process pays for the first copy of a struct with such a reference.
    private final class Tie: @unchecked Sendable {
        private(set) weak var owner: AnyObject?

        init(to owner: AnyObject) { self.owner = owner }
    }

    package let keys: [KeyName]
    /// The keys with a value in a state; nil unless it observes all keys.
    let allKeys: (@Sendable (StoredValues) -> [KeyName])?
    package let lookup: Lookup
    private let findLower: Lower?
    /// Whether its handler is given values.
    ///
    /// Then each event continues the one before, whatever was written quietly between them. A handler without values
    /// reads them itself, perhaps the quiet ones, which are then taken as delivered.
    let deliversValues: Bool
    private let delivery: DefaultsDelivery
    /// Reports that its handler, perhaps together with others, goes on changing what it observes.
    package let reportEndless: @Sendable () -> Void
    private let state: Locked<State>  // Lock L6: protects the mailbox; nothing is taken or called under it.

    package init(
        keys: [KeyName], allKeys: (@Sendable (StoredValues) -> [KeyName])? = nil, deliversValues: Bool = true,
        delivery: DefaultsDelivery, lookup: @escaping Lookup, lower: Lower? = nil,
        reportEndless: @escaping @Sendable () -> Void = {}, handler: @escaping Handler
    ) {
        self.keys = keys
        self.allKeys = allKeys
        self.lookup = lookup
        findLower = lower
        self.deliversValues = deliversValues
        self.delivery = delivery
        self.reportEndless = reportEndless
        state = Locked(State(handler: handler))
    }

    /// Whether the observer still wants events: it has not ended, and its object is not gone.
    ///
    /// The owner is then kept for the rest of the call in progress.
    package var isActive: Bool {
        // A handler may fork: in the child, it is not called for what else has changed.
        guard !Fork.isRefused else { return false }
        // Releasing an owner may run user code, so both leave the lock first.
        let (isActive, owner, before) = state.withLock { state -> (Bool, AnyObject?, AnyObject?) in
            guard let tie = state.tie else { return (state.handler != nil, nil, nil) }
            guard let owner = tie.owner else { return (false, nil, nil) }
            let before = state.held
            if state.isBeingEmptied { state.held = owner }
            return (state.handler != nil, owner, before)
        }
        withExtendedLifetime(owner) {}
        withExtendedLifetime(before) {}
        return isActive
    }

    /// Whether it has ended, apart from its object.
    ///
    /// Touches no owner, so that none is released where this is asked under a lock.
    var isOver: Bool { state.withLock { $0.handler == nil } }

    /// What is below a text from which a type may need members; nothing for an observer that is given no values.
    func lower(_ key: KeyName, _ text: StoredValue?, _ values: StoredValues) -> [StoredValue] {
        guard deliversValues, let text, text.isObject else { return [] }
        return findLower?(key, text, values) ?? []
    }

    /// The keys that it observes; for an observer of all keys, those that have a value in a state.
    func keys(in values: StoredValues) -> [KeyName] { allKeys?(values) ?? keys }

    var deliveredKeys: [KeyName] { state.withLock { $0.delivered.elements.map(\.key) } }

    /// Whether handlers run on whatever thread empties the mailbox.
    var isImmediate: Bool { delivery.submit == nil }

    /// Records what the observer knows from now on, and puts the initial event into the mailbox if it is wanted.
    ///
    /// If handlers run at once, the mailbox with that event belongs to the calling thread, which has to call
    /// ``deliverInitial()``. Otherwise another thread that writes in between would deliver it, and this thread would
    /// not know when.
    func start(with texts: [ChangeHub.Text], sendsInitial: Bool) {
        state.withLock { state in
            for text in texts { recordDelivered(text, &state) }
            guard sendsInitial else { return }
            let entries = (allKeys == nil ? texts : texts.sorted(byName: \.key)).map {
                ChangeNotice.Entry(key: $0.key, old: $0.text, new: $0.text)
            }
            state.waiting.append(ChangeNotice(entries: entries, isInitial: true, cause: .thisProcess))
            if isImmediate { ObserverSubscription.beginTurn(&state) }
        }
    }

    /// Puts an event into the mailbox for those keys whose text differs from what the observer was last given.
    ///
    /// - Returns: whether there is something to deliver.
    func post(_ changed: [ChangeHub.Text], cause: DefaultsChange.Cause) -> Bool {
        state.withLock { state in
            guard state.handler != nil else { return false }
            var entries: [ChangeNotice.Entry] = []
            for next in changed {
                let old = state.delivered.value(forKey: next.key)
                guard next.lower != nil || !old.isSame(as: next.text) else { continue }
                recordDelivered(next, &state)
                entries.append(
                    ChangeNotice.Entry(key: next.key, old: old, new: next.text, formerLower: next.lower))
            }
            guard !entries.isEmpty else { return false }
            state.waiting.append(ChangeNotice(entries: entries, isInitial: false, cause: cause))
            return true
        }
    }

    /// Records what the observer knows without an event.
    func takeUp(_ quiet: [ChangeHub.Text]) {
        guard !quiet.isEmpty else { return }
        state.withLock { state in
            for next in quiet { recordDelivered(next, &state) }
        }
    }

    private func recordDelivered(_ next: ChangeHub.Text, _ state: inout State) {
        guard let text = next.text else { return state.delivered.remove(next.key) }
        state.delivered.set(text, forKey: next.key)
    }

    /// Delivers the initial event, and what has arrived after it; if handlers run at once, before this returns.
    func deliverInitial() {
        LifetimeTies.hasten()
        if isImmediate { emptyOwn() } else { deliver() }
    }

    /// Delivers what is waiting: here and now, or by handing it to the observer's place.
    package func deliver() {
        LifetimeTies.hasten()
        guard let submit = delivery.submit else { return empty() }
        let isFirst = state.withLock { state in
            if state.isBeingEmptied, state.turn.thread == SystemCalls.threadID {
                state.answers.recordAnswer()
            }
            guard !state.isSubmitted, !state.waiting.isEmpty else { return false }
            state.isSubmitted = true
            return true
        }
        guard isFirst else { return }
        submit { [self] in
            state.withLock { $0.isSubmitted = false }
            empty()
        }
    }

    /// Calls the handler for each waiting event, unless a thread (perhaps this one, further up the stack) is doing
    /// so.
    private func empty() {
        let isMine = state.withLock { state in
            if state.isBeingEmptied {
                // What a handler itself has written is told by the thread that called it.
                if state.turn.thread == SystemCalls.threadID {
                    ObserverSubscription.beginTurn(&state)
                    state.answers.recordAnswer()
                }
                return false
            }
            ObserverSubscription.beginTurn(&state)
            return true
        }
        if isMine { emptyOwn() }
    }

    /// The most events that a thread delivers beyond those that waited when it began: writers without end
    /// would keep it for ever.
    private static let mostOfOthers = 100

    private static func beginTurn(_ state: inout State) {
        state.isBeingEmptied = true
        state.turn = (SystemCalls.threadID, state.waiting.came + mostOfOthers)
    }

    /// Calls the handler for each waiting event, on the thread that owns the mailbox already.
    private func emptyOwn() {
        while true {
            switch takeNext() {
            case .call(let handler, let notice, let owner):
                handler(notice, self)
                withExtendedLifetime(owner) {}
            // The next writer goes on, which so cannot write faster than events are delivered, or else a background thread.
            case .rest: return WorkerPool.shared.run { [self] in deliver() }
            case .pause(let isNews):
                if isNews { reportEndless() }
                return WorkerPool.shared.runUserCodeLater { [self] in deliver() }
            case .nothing: return
            }
        }
    }

    private enum Step {
        case call(Handler, ChangeNotice, owner: AnyObject?)
        /// There are more events than this thread has to deliver.
        case rest
        /// There is no end to the events, because the handler causes them.
        case pause(isNews: Bool)
        case nothing
    }

    private typealias Owners = (now: AnyObject?, before: AnyObject?)

    /// Returns the next call to make, with the owner kept alive for its duration; anything else gives the mailbox back.
    private func takeNext() -> Step {
        guard !Fork.isRefused else { return .nothing }
        // Releasing what the handler captured, and owners, may run user code, so they leave the lock first.
        let (step, dropped, owners) = state.withLock { state -> (Step, Handler?, Owners) in
            let owner = state.tie?.owner
            let owners = (owner, state.held)
            state.held = nil
            let dropped = state.tie != nil && owner == nil ? ObserverSubscription.end(&state) : nil
            let isOver = state.handler == nil || state.waiting.isEmpty
            if isOver { state.answers.end() }
            // Asked once for each event that this thread could tell now.
            let isTurn = !isOver && state.waiting.left < state.turn.end
            let (isEnough, isNews) = isTurn ? state.answers.goOn(state.waiting.count) : (false, false)
            guard let handler = state.handler, isTurn, !isEnough,
                let next = state.waiting.popFirst()
            else {
                state.isBeingEmptied = false
                if isEnough { return (.pause(isNews: isNews), dropped, owners) }
                return (state.waiting.isEmpty ? .nothing : .rest, dropped, owners)
            }
            return (.call(handler, next, owner: owner), dropped, owners)
        }
        withExtendedLifetime(dropped) {}
        withExtendedLifetime(owners) {}
        return step
    }

    /// No call begins after this returns.
    package func end() {
        let dropped = state.withLock { ObserverSubscription.end(&$0) }
        withExtendedLifetime(dropped) {}
    }

    /// Empties the state, and returns what has to be released outside the lock.
    private static func end(_ state: inout State) -> Handler? {
        defer { state.handler = nil }
        state.waiting = Waiting()
        return state.handler
    }

    /// Replaces an earlier tie; nil unties it.
    package func tie(to owner: AnyObject?) {
        let tie = owner.map { Tie(to: $0) }
        state.withLock { $0.tie = tie }
    }

    /// Whether the observer is tied to an object, living or not.
    package var isTied: Bool { state.withLock { $0.tie != nil } }

    /// Ends the observer if its object is gone.
    ///
    /// - Returns: whether it has ended, now or before.
    package func endIfOrphaned() -> Bool {
        let (isOver, dropped, owner) = state.withLock { state -> (Bool, Handler?, AnyObject?) in
            let owner = state.tie?.owner
            guard state.tie != nil, owner == nil else { return (state.handler == nil, nil, owner) }
            return (true, ObserverSubscription.end(&state), owner)
        }
        withExtendedLifetime(dropped) {}
        withExtendedLifetime(owner) {}
        return isOver
    }
}
