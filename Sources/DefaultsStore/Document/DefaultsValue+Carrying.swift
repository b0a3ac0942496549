/// Carries what a program has changed into what is stored: `before` is the stored value as the program's type has read it,
/// `after` what the program makes of it. What the type does not know is in neither, and stays.
extension DefaultsValue {
    /// Returns this stored value with the differences between two others.
    @inline(never)  // It calls itself, which the optimiser would unfold in each of many places.
    package func carrying(from before: DefaultsValue, to after: DefaultsValue) -> DefaultsValue {
        if before == after { return self }
        // The type knows all of it.
        if self == before { return after }
        switch (self, before, after) {
        case (.object(let own), .object(let before), .object(let after)):
            return .object(own.carrying(from: before, to: after))
        case (.array(let own), .array(let before), .array(let after)):
            return .array(DefaultsValue.elements(of: own, carrying: before, to: after))
        default: return after
        }
    }

    private static func elements(
        of own: [DefaultsValue], carrying before: [DefaultsValue], to after: [DefaultsValue]
    ) -> [DefaultsValue] {
        guard areInOrder(own, before) else { return after }
        let origins = ListMatching(from: before, to: after).origins
        return zip(after, origins).map { value, origin in
            guard let origin else { return value }
            return own[origin.position].carrying(from: before[origin.position], to: value)
        }
    }

    /// Whether elements were read all and in their order, as a set's need not be.
    ///
    /// One that its type spells in another way is at its place if it is found at no other.
    static func areInOrder(_ own: [DefaultsValue], _ read: some Collection<DefaultsValue>) -> Bool {
        guard own.count == read.count else { return false }
        let others = zip(own, read).filter { !$0.has($1) }
        guard others.count <= mostOthers else { return false }
        return others.allSatisfy { own, _ in !others.contains { own.has($1) } }
    }

    /// Each of them is compared with each.
    private static let mostOthers = 300

    /// Whether a value that was read from this one has nothing that is different here.
    func has(_ read: DefaultsValue) -> Bool {
        switch (self, read) {
        case (.object(let own), .object(let read)):
            read.effective.allSatisfy { name, value in own[name].map { $0.has(value) } ?? true }
        case (.array(let own), .array(let read)):
            own.count == read.count && zip(own, read).allSatisfy { $0.has($1) }
        default: self == read
        }
    }
}

extension DefaultsObject {
    fileprivate func carrying(from before: DefaultsObject, to after: DefaultsObject) -> DefaultsObject {
        var members: [(name: KeyName, value: DefaultsValue)] = effective.compactMap { name, own in
            switch (before[name], after[name]) {
            case (let before?, let after?): (name, own.carrying(from: before, to: after))
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
