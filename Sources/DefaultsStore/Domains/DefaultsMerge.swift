/// How the values that several domains have for one key combine into its effective value.
///
/// The key's own default takes part, as the lowest value. Writing stores only this suite's part, so with any rule
/// except ``replace`` what is read is more than what was written. What the key's `validate:` allows is the combined
/// value: a write is checked as the part and the key's own default give it. An access in place (`+= ["x"]`) starts with the
/// combined value and carries what it has changed into the part; what it takes out of a list that another domain has stays
/// there.
public enum DefaultsMerge: Hashable, Sendable {
    /// Only the highest domain's value counts.
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
        return StoredValue(texts.dropLast().reversed().reduce(lowest.value) { over($0, $1.value) })
    }

    /// Returns the value of a combined text and the key's own default, the lowest of all, without the members that only
    /// say that there is none.
    package func whole(_ text: StoredValue, over lowest: StoredValue?) -> StoredValue {
        let all = combined([text, lowest].compactMap(\.self)) ?? text
        return self == .deepMerge ? all.withoutNulls : all
    }

    /// Whether a value of this shape can take part.
    package func takes(_ value: DefaultsValue) -> Bool {
        switch self {
        case .replace: true
        case .deepMerge: value.object != nil
        case .append, .union: value.array != nil
        }
    }

    private func over(_ low: DefaultsValue, _ high: DefaultsValue) -> DefaultsValue {
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
                result[position].value = over(result[position].value, value)
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
