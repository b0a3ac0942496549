/// What can be said beforehand of operations that never ended, so that they are not under way for ever.
extension RegisterChecker {
    /// The history without reads nobody got, and, where every written value is of one write alone, with each unended
    /// write either ended by the first answer that shows its value or, when there is none, left out.
    ///
    /// Both are sound: a write whose value was seen took effect before that answer, and one whose value nobody saw can
    /// be taken out of any order without changing an answer. An unended exchange saw nothing that could be wrong.
    static func bounded(_ operations: [RegisterOperation], initial: Int?) -> [RegisterOperation] {
        let heard = operations.filter { !($0.end == nil && $0.isRead) }
        guard heard.contains(where: { $0.end == nil }), hasWritesOnly(heard) else { return heard }
        let (writes, firstSeen) = (countOfWrites(heard), firstSights(heard))
        return heard.compactMap { operation in
            guard operation.end == nil, let value = operation.written, value != initial, writes[value] == 1
            else {
                return operation
            }
            guard let end = firstSeen[value] else { return nil }
            var ended = operation
            ended.end = max(end, operation.start)
            return ended
        }
    }

    /// Whether every value comes from a write that names it.
    static func hasWritesOnly(_ operations: [RegisterOperation]) -> Bool {
        operations.allSatisfy { $0.isRead || $0.written != nil }
    }

    private static func countOfWrites(_ operations: [RegisterOperation]) -> [Int?: Int] {
        operations.reduce(into: [:]) { counts, operation in
            if let value = operation.written { counts[value, default: 0] += 1 }
        }
    }

    /// When each value was first told to somebody.
    private static func firstSights(_ operations: [RegisterOperation]) -> [Int?: Int64] {
        operations.reduce(into: [:]) { sights, operation in
            guard let end = operation.end else { return }
            for value in operation.seen { sights[value] = min(sights[value] ?? end, end) }
        }
    }
}
