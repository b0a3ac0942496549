import Foundation

/// What one observer was told about one register, in the order it was told.
package struct ObservedChain: Hashable, Sendable {
    /// A value and the one that followed it.
    package struct Change: Hashable, Sendable {
        package let old: Int?
        package let new: Int?

        package init(old: Int?, new: Int?) {
            self.old = old
            self.new = new
        }
    }

    package let changes: [Change]

    /// A chain of changes; the first one tells the value at the beginning twice.
    package init(_ changes: [(old: Int?, new: Int?)]) {
        self.changes = changes.map { Change(old: $0.old, new: $0.new) }
    }

    /// The chain in a file with a line `<old> <new>` for each change; a part of a line at its end counts for nothing.
    package init(path: String) throws {
        let text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
        changes = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { line in
            let words = line.split(separator: " ").map { Int($0) }
            return Change(old: words.first ?? nil, new: words.last ?? nil)
        }
    }

    /// The values after each change.
    package var values: [Int?] { changes.map(\.new) }

    /// What is wrong with the chain beside all that was done to the register, in words.
    package func faults(beside operations: [RegisterOperation], initial: Int?) -> [String] {
        breaks.map { "\($0) does not go on from the change before" } + idle.map { "\($0) is no change" }
            + unwritten(by: operations, initial: initial).map { "nobody wrote \($0)" }
            + disorder(of: operations).map { "told in another order than \($0)" }
    }

    /// The changes whose old value is not the new one of the change before.
    package var breaks: [Change] {
        zip(changes, changes.dropFirst()).filter { $0.new != $1.old }.map(\.1)
    }

    /// The changes from a value to itself, but for the first.
    package var idle: [Change] { changes.dropFirst().filter { $0.old == $0.new } }

    /// The values that were told but never written: out of thin air.
    ///
    /// As many are let pass as there are additions whose sum nobody heard.
    package func unwritten(by operations: [RegisterOperation], initial: Int?) -> [Int] {
        let written = Set(operations.compactMap(\.made) + [initial].compactMap { $0 })
        let unheard = operations.filter { !$0.isRead && $0.written == nil && $0.made == nil }
        return Array(Set(values.compactMap { $0 }).subtracting(written).sorted().dropFirst(unheard.count))
    }

    /// The values of acknowledged writes that were not told.
    package func missing(of operations: [RegisterOperation]) -> [Int] {
        let told = Set(values)
        return operations.filter { $0.end != nil }.compactMap(\.made).filter { !told.contains($0) }
    }

    /// Pairs of operations of which the second began when the first had ended, though the observer was told the value of
    /// the second before that of the first; for registers whose values differ, nothing left aside.
    package func disorder(of operations: [RegisterOperation]) -> [[RegisterOperation]] {
        let places = Dictionary(values.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: min)
        let placed = operations.compactMap { operation in
            (operation.made ?? operation.seen.first ?? nil).flatMap { places[$0] }.map { (operation, $0) }
        }
        let ended = placed.filter { $0.0.end != nil }.sorted { ($0.0.end ?? 0) < ($1.0.end ?? 0) }
        var next = 0
        var latest: (operation: RegisterOperation, place: Int)?
        var found: [[RegisterOperation]] = []
        for (operation, place) in placed.sorted(by: { $0.0.start < $1.0.start }) {
            while next < ended.count, (ended[next].0.end ?? 0) < operation.start {
                if ended[next].1 > latest?.place ?? -1 { latest = ended[next] }
                next += 1
            }
            if let latest, latest.place > place { found.append([latest.operation, operation]) }
        }
        return found
    }
}

extension RegisterOperation {
    /// The value the register has because of this; nil for a read, a removal, and an addition nobody heard of.
    fileprivate var made: Int? {
        if case .add(_, let gave) = action { gave } else { written ?? nil }
    }
}
