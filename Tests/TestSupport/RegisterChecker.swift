/// Whether the operations on one register can be put in one order that explains every answer.
///
/// The order has to keep that of operations of which one had ended before the other began (linearizability: Herlihy and
/// Wing, 1990). The search is Wing and Gong's with memory: it goes through the history by time and keeps every past
/// that is possible so far, which is the register's value and which of the operations under way have taken effect.
/// What it costs grows with the number of operations and with how many writes are under way at one time.
package struct RegisterChecker {
    /// What may have happened so far.
    private struct Past: Hashable {
        var value: Int?
        /// The places of the operations under way that have taken effect.
        var taken: UInt64
    }

    private var pasts: Set<Past>
    /// The operations under way; at most 64.
    private var underWay: [RegisterOperation?] = []

    private init(initial: Int?) { pasts = [Past(value: initial, taken: 0)] }

    /// What no order can explain; nil where there is an order.
    package static func violation(in operations: [RegisterOperation], initial: Int? = nil) -> Violation? {
        run(operations, initial: initial)?.shortened()
    }

    /// Goes through a history; answers the first operation that fits into no past.
    ///
    /// Where there are sums, what came before the last moment at which nothing was under way and only one value
    /// possible is left out; elsewhere the writes that a reader wants to see are there, and the rest can be left out
    /// later.
    static func run(_ history: [RegisterOperation], initial: Int?) -> Violation? {
        let operations = bounded(history, initial: initial)
        let hasSums = !hasWritesOnly(history)
        var checker = RegisterChecker(initial: initial)
        var calm = (value: initial, moment: Int64.min)
        var places: [Int: Int] = [:]
        for event in events(of: operations) {
            let operation = operations[event.operation]
            if event.isStart {
                places[event.operation] = checker.begin(operation)
            } else if let place = places.removeValue(forKey: event.operation), !checker.end(place) {
                return Violation(
                    operation: operation, initial: calm.value,
                    history: history.filter { $0.start >= calm.moment })
            }
            if hasSums, let value = checker.onlyValue { calm = (value, event.moment) }
        }
        return nil
    }

    private struct Event {
        let moment: Int64
        let isStart: Bool
        let operation: Int
    }

    /// All starts and ends by time; what starts when another ends is under way together with it.
    private static func events(of operations: [RegisterOperation]) -> [Event] {
        var events: [Event] = []
        for (number, operation) in operations.enumerated() {
            events.append(Event(moment: operation.start, isStart: true, operation: number))
            guard let end = operation.end else { continue }
            events.append(Event(moment: end, isStart: false, operation: number))
        }
        return events.sorted {
            ($0.moment, $0.isStart ? 0 : 1, $0.operation) < ($1.moment, $1.isStart ? 0 : 1, $1.operation)
        }
    }

    /// The value, where nothing is under way and only one is possible.
    private var onlyValue: Int?? {
        guard pasts.count == 1, underWay.allSatisfy({ $0 == nil }) else { return nil }
        return pasts.first?.value
    }

    /// Takes in an operation that may take effect from now on; answers its place.
    private mutating func begin(_ operation: RegisterOperation) -> Int {
        let place = underWay.firstIndex { $0 == nil } ?? underWay.count
        precondition(place < 64, "more than 64 operations are under way at once")
        if place == underWay.count { underWay.append(nil) }
        underWay[place] = operation
        if operation.isRead { pasts = Set(pasts.map(withReads)) }
        return place
    }

    /// Keeps the pasts in which the operation at a place takes effect by now; false when there is none.
    private mutating func end(_ place: Int) -> Bool {
        let bit: UInt64 = 1 << UInt64(place)
        var possible: Set<Past> = []
        var seen = pasts
        var rest = Array(pasts)
        while let past = rest.popLast() {
            guard past.taken & bit == 0 else {
                possible.insert(Past(value: past.value, taken: past.taken & ~bit))
                continue
            }
            for next in nexts(of: past) where seen.insert(next).inserted { rest.append(next) }
        }
        underWay[place] = nil
        pasts = possible
        return !possible.isEmpty
    }

    /// The pasts in which one more operation has taken effect.
    private func nexts(of past: Past) -> [Past] {
        underWay.indices.compactMap { place in
            let bit: UInt64 = 1 << UInt64(place)
            guard let operation = underWay[place], past.taken & bit == 0,
                !isBehindItsTwin(operation, place, past), let value = operation.applied(to: past.value)
            else { return nil }
            return withReads(Past(value: value, taken: past.taken | bit))
        }
    }

    /// A past with every read that fits into it: a read changes nothing, so an early one is never wrong.
    private func withReads(_ past: Past) -> Past {
        var taken = past.taken
        for (place, operation) in underWay.enumerated() {
            guard let operation, operation.isRead, operation.applied(to: past.value) != nil else { continue }
            taken |= 1 << UInt64(place)
        }
        return Past(value: past.value, taken: taken)
    }

    /// Of two equal operations that never ended the one that began first is taken first: either order is as good.
    private func isBehindItsTwin(_ operation: RegisterOperation, _ place: Int, _ past: Past) -> Bool {
        guard operation.end == nil else { return false }
        return underWay.enumerated().contains { other, twin in
            guard let twin, twin.end == nil, twin.action == operation.action,
                past.taken & (1 << UInt64(other)) == 0
            else { return false }
            return (twin.start, other) < (operation.start, place)
        }
    }
}
