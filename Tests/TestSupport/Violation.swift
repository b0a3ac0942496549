/// A history of one register that no order explains, as short as it was found to go.
package struct Violation: Hashable, Sendable {
    /// The operation that fits nowhere.
    package let operation: RegisterOperation
    /// What the register held at first.
    package let initial: Int?
    /// The operations that show it by time, the one above included.
    package let history: [RegisterOperation]

    init(operation: RegisterOperation, initial: Int?, history: [RegisterOperation]) {
        self.operation = operation
        self.initial = initial
        self.history = history.sorted { $0.start < $1.start }
    }

    /// Leaves out what is not needed for the contradiction, in smaller and smaller pieces.
    func shortened() -> Violation {
        var shortest = withoutLater()
        var (size, attempts) = (shortest.history.count, 1_000)
        while size > 1, attempts > 0 {
            size = (size + 1) / 2
            var place = 0
            while place < shortest.history.count, attempts > 0 {
                attempts -= 1
                if let found = shortest.saying(less: place..<place + size) {
                    shortest = found
                } else {
                    place += size
                }
            }
        }
        return shortest
    }

    /// The contradiction as it stood when the operation that fits nowhere ended, where it did stand then: what was under
    /// way is of unknown outcome, and what began later is left out, but for the write of a value from the future.
    private func withoutLater() -> Violation {
        guard let moment = operation.end else { return self }
        let before = history.compactMap { other -> RegisterOperation? in
            if let end = other.end, end <= moment { return other }
            if other.start > moment {
                let value = other.written ?? nil
                return value != nil && operation.seen.contains(value) ? other : nil
            }
            return other.isRead ? nil : other.unheard
        }
        return RegisterChecker.run(before, initial: initial) ?? self
    }

    /// The contradiction that is still there when some of the operations say as little as they can; nil where none is.
    ///
    /// A read goes, an exchange becomes a write, and a write goes when nobody in the rest can have seen its value. A
    /// history with an order keeps it under each of these, so none of them makes a contradiction.
    private func saying(less places: Range<Int>) -> Violation? {
        let places = places.clamped(to: history.indices)
        let rest = history[..<places.lowerBound] + history[places.upperBound...]
        let seen = Set(rest.flatMap(\.seen))
        let hasSums = !RegisterChecker.hasWritesOnly(history)
        let weaker = history[places].compactMap { operation -> RegisterOperation? in
            guard !operation.isRead else { return nil }
            guard let value = operation.written else { return operation }
            guard hasSums || seen.contains(value) else { return nil }
            return RegisterOperation(operation.client, operation.start, operation.end, .write(value))
        }
        guard weaker != Array(history[places]) else { return nil }
        return RegisterChecker.run(rest + weaker, initial: initial)
    }
}

extension Violation: CustomStringConvertible {
    /// The history, with the moments counted from its first one, and the operation that fits nowhere.
    package var description: String {
        let origin = history.first?.start ?? 0
        let lines = history.map { "  " + $0.described(from: origin) }
        return """
            no order explains \(operation.described(from: origin)); at first \(initial.map(String.init) ?? "nothing")
            \(lines.joined(separator: "\n"))
            """
    }
}
