/// Merges what a program has changed into what is stored: `before` is the stored value as the program's type has read it,
/// `after` what the program makes of it. What the type does not know is in neither, and stays.
extension DefaultsValue {
    /// Returns this stored value with the differences between two others.
    @inline(never)  // It calls itself, which the optimiser would unfold in each of many places.
    package func merging(from before: DefaultsValue, to after: DefaultsValue) -> DefaultsValue {
        if before == after { return self }
        // The type knows all of it.
        if self == before { return after }
        switch (self, before, after) {
        case (.object(let own), .object(let before), .object(let after)):
            return .object(own.merging(from: before, to: after))
        case (.array(let own), .array(let before), .array(let after)):
            return .array(DefaultsValue.elements(of: own, merging: before, to: after))
        default: return after
        }
    }

    private static func elements(
        of own: [DefaultsValue], merging before: [DefaultsValue], to after: [DefaultsValue]
    ) -> [DefaultsValue] {
        let places = ListReading(of: before, from: own).places
        return zip(after, ListMatching(from: before, to: after).origins).map { value, origin in
            guard let origin, let place = places[origin.position] else { return value }
            return own[place].merging(from: before[origin.position], to: value)
        }
    }
}

extension DefaultsObject {
    fileprivate func merging(from before: DefaultsObject, to after: DefaultsObject) -> DefaultsObject {
        var members: [(name: KeyName, value: DefaultsValue)] = effective.compactMap { name, own in
            switch (before[name], after[name]) {
            case (let before?, let after?): (name, own.merging(from: before, to: after))
            case (nil, let after?): (name, after)
            case (_?, nil): nil
            case (nil, nil): (name, own)
            }
        }
        for (name, value) in after.effective where self[name] == nil && before[name] != value {
            members.append((name, value))
        }
        return DefaultsObject(members)
    }
}
