/// Which elements of a list are those of an earlier one.
///
/// Elements are the same if they are equal, or if both have the same `id`: the member of that name, where every element of
/// both lists has one and no two of a list are alike. Any other element is new. In a list of keys and values, as which
/// dictionaries are written whose keys are no strings, a value is that of its key.
///
/// Cost: grows with the length of the lists; the order, with that of a sort.
struct ListMatching {
    /// Where an element was before.
    struct Origin: Equatable {
        let position: Int
        let isEqual: Bool
    }

    /// For each later element where it was; nil for a new one.
    private(set) var origins: [Origin?]

    init(from old: [DefaultsValue], to new: [DefaultsValue]) {
        if let before = Identity.all(of: old), let after = Identity.all(of: new), before.kind == after.kind {
            origins = new.indices.map { position in
                before.positions[after.identities[position]].map {
                    Origin(position: $0, isEqual: old[$0] == new[position])
                }
            }
            return
        }
        origins = Array(repeating: nil, count: new.count)
        // From both ends first, so that of several equal elements those that have stayed are not taken for moved ones.
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
        var places: [DefaultsValue: [Int]] = [:]
        // From the back, so that the first of several is the last of its list.
        for position in before.reversed() { places[old[position], default: []].append(position) }
        for position in after {
            if let place = places[new[position]]?.popLast() {
                origins[position] = Origin(position: place, isEqual: true)
            }
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

/// What an element is known by in each version of a list.
private struct Identity: Hashable {
    enum Kind { case id, key }

    let name: DefaultsValue
    /// Whether it is the value behind that key.
    var isValue = false

    /// Returns the elements' identities, of which no two are alike; nil if they have none.
    static func all(
        of list: [DefaultsValue]
    ) -> (kind: Kind, identities: [Identity], positions: [Identity: Int])? {
        let (kind, identities): (Kind, [Identity])
        if let ids = list.known({ $0["id"]?.asIdentity }) {
            (kind, identities) = (.id, ids.map { Identity(name: $0) })
        } else if let keys = DefaultsValue.keys(of: list) {
            (kind, identities) = (
                .key, keys.flatMap { [Identity(name: $0), Identity(name: $0, isValue: true)] }
            )
        } else {
            return nil
        }
        let positions = Dictionary(zip(identities, identities.indices)) { first, _ in first }
        return positions.count == list.count ? (kind, identities, positions) : nil
    }
}

extension DefaultsValue {
    fileprivate var asIdentity: DefaultsValue? {
        switch self {
        case .string, .number: self
        default: nil
        }
    }

    /// Returns every second element, if all of these are strings, or all are numbers, and none of the others is one.
    fileprivate static func keys(of list: [DefaultsValue]) -> [DefaultsValue]? {
        guard !list.isEmpty, list.count.isMultiple(of: 2) else { return nil }
        func isOfKeys(_ value: DefaultsValue) -> Bool {
            switch (list[0], value) {
            case (.string, .string), (.number, .number): true
            default: false
            }
        }
        guard list.indices.allSatisfy({ isOfKeys(list[$0]) == $0.isMultiple(of: 2) }) else { return nil }
        return stride(from: 0, to: list.count, by: 2).map { list[$0] }
    }
}

extension [DefaultsValue] {
    /// Nil if it is not known of all elements.
    fileprivate func known<Known>(_ knowledge: (DefaultsValue) -> Known?) -> [Known]? {
        var all: [Known] = []
        all.reserveCapacity(count)
        for element in self {
            guard let known = knowledge(element) else { return nil }
            all.append(known)
        }
        return all.isEmpty ? nil : all
    }
}

/// Which stored elements a type has read as which.
struct ListReading {
    /// For each element that was read its place in the stored list; nil where that is not known.
    let places: [Int?]

    init(of read: [DefaultsValue], from own: [DefaultsValue]) {
        if let stored = Identity.all(of: own), let known = Identity.all(of: read), stored.kind == known.kind,
            known.identities.allSatisfy({ stored.positions[$0] != nil })
        {
            places = known.identities.map { stored.positions[$0] }
        } else {
            // None has an identity, or the type spells it in another way.
            let isInOrder = ListReading.isInOrder(own, read)
            places = read.indices.map { isInOrder ? $0 : nil }
        }
    }

    /// Whether elements were read all and in their order, as those of a set need not be.
    private static func isInOrder(_ own: [DefaultsValue], _ read: [DefaultsValue]) -> Bool {
        guard own.count == read.count else { return false }
        if zip(own, read).allSatisfy({ $0.has($1) }) { return true }
        // The type spells some in another way, or has them in another order: then what only one element has is elsewhere.
        let known = marks(of: read)
        let common = marks(of: own).compactMap { mark, place in known[mark].map { $0 == place } }
        guard common.isEmpty else { return common.allSatisfy { $0 } }
        // Sets and dictionaries are written in the order of their texts.
        return !isSorted(read) || isSorted(own)
    }

    /// What single elements are recognised by: scalars that no other element of the list has, by the member's name.
    private static func marks(of list: [DefaultsValue]) -> [Mark: Int] {
        var marks: [Mark: Int] = [:]
        var repeated: Set<Mark> = []
        for (place, element) in list.enumerated() {
            let scalars = element.object.map { $0.effective.map { Mark(name: $0.name, value: $0.value) } }
            for mark in scalars ?? [Mark(name: nil, value: element)] where !mark.value.isContainer {
                if marks.updateValue(place, forKey: mark) != nil { repeated.insert(mark) }
            }
        }
        return marks.filter { !repeated.contains($0.key) }
    }

    private struct Mark: Hashable {
        let name: KeyName?
        let value: DefaultsValue
    }

    private static func isSorted(_ list: [DefaultsValue]) -> Bool {
        let texts = list.map { JSONWriter.text(of: $0) }
        return zip(texts, texts.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) }
    }
}

extension DefaultsValue {
    fileprivate var isContainer: Bool { array != nil || object != nil }

    /// Whether a value that was read from this one has nothing that is different here.
    fileprivate func has(_ read: DefaultsValue) -> Bool {
        switch (self, read) {
        case (.object(let own), .object(let read)):
            read.effective.allSatisfy { name, value in own[name].map { $0.has(value) } ?? true }
        case (.array(let own), .array(let read)):
            own.count == read.count && zip(own, read).allSatisfy { $0.has($1) }
        default: self == read
        }
    }
}
