/// Which elements of a list have become which of a later one.
///
/// Equal elements are matched from both ends, then those between that are equal, wherever they have moved. What is left
/// between two matched ones is taken for changed elements: one by one where as many are left on both sides, else where at least
/// half of the members of two objects are equal. One that was put in another one's place cannot be told from a changed one.
struct ListMatching {
    /// Where an element was before.
    struct Origin: Equatable {
        let position: Int
        let isEqual: Bool
    }

    /// For each later element where it was; nil for a new one.
    private(set) var origins: [Origin?]

    init(from old: [DefaultsValue], to new: [DefaultsValue]) {
        origins = Array(repeating: nil, count: new.count)
        let shorter = min(old.count, new.count)
        var first = 0
        while first < shorter, old[first] == new[first] {
            origins[first] = Origin(position: first, isEqual: true)
            first += 1
        }
        var rest = 0
        while rest < shorter - first, old[old.count - 1 - rest] == new[new.count - 1 - rest] {
            rest += 1
            origins[new.count - rest] = Origin(position: old.count - rest, isEqual: true)
        }
        let (before, after) = (first..<old.count - rest, first..<new.count - rest)
        guard !before.isEmpty, !after.isEmpty else { return }
        matchEqual(old, before, new, after)
        matchChanged(old, before, new, after)
    }

    private mutating func matchEqual(
        _ old: [DefaultsValue], _ before: Range<Int>, _ new: [DefaultsValue], _ after: Range<Int>
    ) {
        // One against one is the usual case: an element has changed.
        guard before.count > 1 || after.count > 1 else { return }
        var places: [DefaultsValue: [Int]] = [:]
        // From the back, so that the first of several is the last of its list.
        for position in before.reversed() { places[old[position], default: []].append(position) }
        for position in after {
            if let place = places[new[position]]?.popLast() {
                origins[position] = Origin(position: place, isEqual: true)
            }
        }
    }

    private mutating func matchChanged(
        _ old: [DefaultsValue], _ before: Range<Int>, _ new: [DefaultsValue], _ after: Range<Int>
    ) {
        var taken = Set(after.compactMap { origins[$0]?.position })
        var looks = ListMatching.mostLooks
        var start = after.lowerBound
        while start < after.upperBound {
            guard origins[start] == nil else {
                start += 1
                continue
            }
            let end = after[start...].first { origins[$0] != nil } ?? after.upperBound
            let lower =
                start > after.lowerBound ? (origins[start - 1]?.position ?? -1) + 1 : before.lowerBound
            let upper = end < after.upperBound ? origins[end]?.position ?? 0 : before.upperBound
            if lower < upper {
                // Around elements that have moved, the same ones may be looked at again and again.
                looks -= upper - lower
                guard looks >= 0 else { return }
                pair(old, (lower..<upper).filter { !taken.contains($0) }, new, start..<end)
                // Of elements that have moved, more than one may have it behind the one and before the other.
                taken.formUnion(origins[start..<end].compactMap { $0?.position })
            }
            start = end
        }
    }

    /// The most elements that are looked at between two matched ones, all together.
    private static let mostLooks = 1_000_000
    /// The most comparisons of elements that have been neither left alone nor replaced one by one.
    private static let mostComparisons = 10_000

    private mutating func pair(
        _ old: [DefaultsValue], _ before: [Int], _ new: [DefaultsValue], _ after: Range<Int>
    ) {
        if before.count == after.count {
            for (place, position) in zip(before, after) {
                origins[position] = Origin(position: place, isEqual: false)
            }
            return
        }
        guard before.count * after.count <= ListMatching.mostComparisons else { return }
        var left = before[...]
        for position in after {
            guard let place = left.firstIndex(where: { old[$0].isLargely(new[position]) }) else { continue }
            origins[position] = Origin(position: left[place], isEqual: false)
            left = left[(place + 1)...]
        }
    }

    /// The later elements that have kept their order, as many as there are, in ascending order.
    var inOrder: [Int] {
        let matched = origins.indices.filter { origins[$0] != nil }
        func position(_ element: Int) -> Int { origins[element]?.position ?? 0 }
        guard !zip(matched, matched.dropFirst()).allSatisfy({ position($0) < position($1) }) else {
            return matched
        }
        // Patience sorting: for each length the element that the best sequence of that length ends with.
        var ends: [Int] = []
        var previous: [Int: Int] = [:]
        for element in matched {
            var range = 0..<ends.count
            while !range.isEmpty {
                let middle = range.lowerBound + range.count / 2
                range =
                    position(ends[middle]) < position(element)
                    ? middle + 1..<range.upperBound : range.lowerBound..<middle
            }
            if range.lowerBound > 0 { previous[element] = ends[range.lowerBound - 1] }
            if range.lowerBound < ends.count {
                ends[range.lowerBound] = element
            } else {
                ends.append(element)
            }
        }
        var kept: [Int] = []
        var next = ends.last
        while let element = next {
            kept.append(element)
            next = previous[element]
        }
        return kept.reversed()
    }
}

extension DefaultsValue {
    /// Whether both are objects and at least half of their members are equal.
    fileprivate func isLargely(_ other: DefaultsValue) -> Bool {
        guard case .object(let one) = self, case .object(let two) = other else { return false }
        let (own, others) = (one.effective, two.effective)
        return own.count { two[$0.name] == $0.value } * 2 >= max(own.count, others.count)
    }
}
