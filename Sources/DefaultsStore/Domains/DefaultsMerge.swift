/// How the values that several domains have for one key combine into its effective value.
///
/// The key's own default takes part, as the lowest value. Writing stores only this suite's part, so with any rule
/// except ``replace`` what is read is more than what was written. What the key's `validation:` allows is the combined
/// value: a write is checked as the part and the key's own default give it. An access in place (`+= ["x"]`) starts with the
/// combined value and merges what it has changed into the part; what it takes out of a list that another domain has stays
/// there.
public enum DefaultsMerge: Hashable, Sendable {
    /// Only the highest domain's value applies.
    case replace
    /// Objects are merged member by member, at every depth; a higher domain's member wins.
    ///
    /// A member that is `null` says that there is none, whatever lower domains have: so a value is stored that lacks one.
    case deepMerge
    /// Arrays are concatenated, the lowest domain's elements first.
    case append
    /// Like ``append``, but each element occurs once.
    case union
}

extension DefaultsMerge {
    /// Returns the combined value of some texts, highest first; nil if there is none.
    ///
    /// A value that is not an object, or not an array, hides what is below it among these texts. A single text is
    /// left as it is. Members that are `null` stay, since they count for what is below these texts as well.
    ///
    /// - Cost: reads and writes all texts unless there is only one.
    package func combined(_ texts: [StoredValue]) -> StoredValue? {
        guard self != .replace, texts.count > 1, let lowest = texts.last else { return texts.first }
        return StoredValue(texts.dropLast().reversed().reduce(lowest.value) { merge($0, $1.value) })
    }

    /// Returns the value of a combined text and the key's own default, the lowest of all, without the members that only
    /// say that there is none.
    package func whole(_ text: StoredValue, over lowest: StoredValue?) -> StoredValue {
        let all = combined([text, lowest].compactMap(\.self)) ?? text
        return self == .deepMerge ? all.withoutNulls : all
    }

    package func takes(_ value: DefaultsValue) -> Bool {
        switch self {
        case .replace: true
        case .deepMerge: value.object != nil
        case .append, .union: value.array != nil
        }
    }

    private func merge(_ low: DefaultsValue, _ high: DefaultsValue) -> DefaultsValue {
        switch (self, low, high) {
        case (.deepMerge, .object(let low), .object(let high)): .object(members(low, high))
        case (.append, .array(let low), .array(let high)): .array(low + high)
        case (.union, .array(let low), .array(let high)): .array(DefaultsMerge.distinct(low + high))
        default: high
        }
    }

    /// Returns the lower object's members in their order, then what the higher one adds.
    private func members(_ low: DefaultsObject, _ high: DefaultsObject) -> DefaultsObject {
        var result: [(name: KeyName, value: DefaultsValue)] = []
        var positions: [KeyName: Int] = [:]
        for (name, value) in low.effective + high.effective {
            if let position = positions[name] {
                result[position].value = merge(result[position].value, value)
            } else {
                positions[name] = result.count
                result.append((name, value))
            }
        }
        return DefaultsObject(result)
    }

    private static func distinct(_ elements: [DefaultsValue]) -> [DefaultsValue] {
        var seen: Set<DefaultsValue> = []
        return elements.filter { seen.insert($0).inserted }
    }
}

/// The part of a combined value that a write stores.
extension DefaultsMerge {
    /// Returns what to store so that a program reads one value where it has read another.
    ///
    /// - Parameters:
    ///   - after: the program's value.
    ///   - before: the combined value as the program has read it; nil if it has read none: then the part is all of `after`.
    ///   - stored: what is stored.
    ///   - below: what the domains below and the default combine to.
    package func part(
        of after: DefaultsValue, from before: DefaultsValue?, over stored: DefaultsValue?,
        above below: DefaultsValue?
    ) -> DefaultsValue {
        switch (self, after) {
        case (.deepMerge, .object(let members)):
            .object(
                part(of: members, from: before?.object, over: stored?.object, above: below?.object ?? [:]))
        case (.append, .array(let elements)), (.union, .array(let elements)):
            .array(
                part(of: elements, from: before?.array, over: stored?.array ?? [], above: below?.array ?? []))
        default: after
        }
    }

    private func part(
        of after: DefaultsObject, from before: DefaultsObject?, over stored: DefaultsObject?,
        above below: DefaultsObject
    ) -> DefaultsObject {
        let stored = before == nil ? [:] : stored ?? [:]
        var members: [(name: KeyName, value: DefaultsValue)] = []
        for (name, own) in stored.effective {
            guard let value = after[name] else {
                if before?[name] == nil { members.append((name, own)) }
                continue
            }
            let old = before?[name]
            members.append(
                (name, old == value ? own : part(of: value, from: old, over: own, above: below[name])))
        }
        for (name, value) in after.effective where stored[name] == nil && before?[name] != value {
            members.append((name, part(of: value, from: before?[name], over: nil, above: below[name])))
        }
        // Otherwise what was taken out, or never there, would be there again from below.
        let known = before ?? below
        for (name, _) in known.effective where after[name] == nil && !(below[name]?.isNull ?? true) {
            members.append((name, .null))
        }
        return DefaultsObject(members)
    }

    private func part(
        of after: [DefaultsValue], from before: [DefaultsValue]?, over own: [DefaultsValue],
        above below: [DefaultsValue]
    ) -> [DefaultsValue] {
        guard let before else { return self == .union ? DefaultsMerge.distinct(after) : after }
        let owned = Set(own)
        let all = self == .union ? DefaultsMerge.distinct(below + own) : below + own
        let places = ListReading(of: before, from: all).places
        // What the type knows all of is found wherever a set has it.
        let known = self == .union ? Dictionary(uniqueKeysWithValues: zip(all, all.indices)) : [:]
        if self == .append, places.contains(nil) { return after }
        let part = zip(after, ListMatching(from: before, to: after).origins).compactMap {
            value, origin -> DefaultsValue? in
            guard let origin, let place = known[before[origin.position]] ?? places[origin.position] else {
                return value
            }
            let isOwn = self == .union ? owned.contains(all[place]) : place >= below.count
            // A changed element of another domain is an element of its own.
            guard isOwn else { return origin.isEqual ? .none : value }
            return all[place].merging(from: before[origin.position], to: value)
        }
        return self == .union ? DefaultsMerge.distinct(part) : part
    }
}

extension DefaultsValue {
    /// Without members that are `null`, at every depth of objects in objects.
    package var withoutNulls: DefaultsValue {
        guard case .object(let members) = self, members.hasNulls else { return self }
        return .object(
            DefaultsObject(
                members.effective.filter { !$0.value.isNull }.map {
                    (name: $0.name, value: $0.value.withoutNulls)
                }))
    }
}

extension DefaultsObject {
    fileprivate var hasNulls: Bool {
        contains { $0.value.isNull || $0.value.object?.hasNulls == true }
    }
}

extension StoredValue {
    package var withoutNulls: StoredValue {
        guard isList, bytes.contains(UInt8(ascii: "n")) else { return self }
        let own = value
        let rest = own.withoutNulls
        return rest == own ? self : StoredValue(rest)
    }
}
