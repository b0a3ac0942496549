/// What a change of an object sets and removes, member by member, so that it leaves alone what it does not name.
///
/// It resembles a JSON Merge Patch (RFC 7386), but lists removals, because null is a value here: an object in which
/// `[value]` sets a member, `[]` removes it, and an object goes on inside of it. Arrays are set as a whole. Applying it
/// again changes nothing.
struct MergePatch: Hashable, Sendable {
    private let members: DefaultsObject

    init(from old: DefaultsObject, to new: DefaultsObject) {
        var members: [(name: KeyName, value: DefaultsValue)] = []
        for (name, value) in new.effective {
            switch (old[name], value) {
            case (let before?, _) where before == value: continue
            case (.object(let before)?, .object(let after)):
                members.append((name, .object(MergePatch(from: before, to: after).members)))
            default: members.append((name, .array([value])))
            }
        }
        for (name, _) in old.effective where new[name] == nil { members.append((name, .array([]))) }
        self.init(DefaultsObject(members))
    }

    private init(_ members: DefaultsObject) { self.members = members }

    /// Nil for a value that is not a patch.
    init?(_ value: DefaultsValue) {
        guard case .object(let members) = value, MergePatch.isPatch(members) else { return nil }
        self.init(members)
    }

    private static func isPatch(_ members: DefaultsObject) -> Bool {
        members.allSatisfy { member in
            switch member.value {
            case .array(let values): values.count <= 1
            case .object(let inner): isPatch(inner)
            default: false
            }
        }
    }

    /// Whether a record may contain it: false beyond 128 levels.
    var isReadable: Bool { !DefaultsValue.object(members).isDeeper(than: JSONScanner.deepest) }

    var text: StoredValue { StoredValue(.object(members)) }

    /// Existing members keep their order; new ones follow.
    func applied(to object: DefaultsObject) -> DefaultsObject {
        var result: [(name: KeyName, value: DefaultsValue)] = object.effective.compactMap { name, value in
            guard let change = members[name] else { return (name, value) }
            return MergePatch.result(of: change, on: value).map { (name, $0) }
        }
        for (name, change) in members.effective where object[name] == nil {
            if let value = MergePatch.result(of: change, on: nil) { result.append((name, value)) }
        }
        return DefaultsObject(result)
    }

    /// Nil if the member is removed.
    private static func result(of change: DefaultsValue, on value: DefaultsValue?) -> DefaultsValue? {
        guard case .object(let inner) = change else { return change.array?.first }
        return .object(MergePatch(inner).applied(to: value?.object ?? [:]))
    }

    /// One patch for `earlier` and then this one.
    func following(_ earlier: MergePatch) -> MergePatch {
        var result: [(name: KeyName, value: DefaultsValue)] = earlier.members.effective.map { name, before in
            guard let change = members[name] else { return (name, before) }
            guard case .object(let inner) = change else { return (name, change) }
            if case .object(let known) = before {
                return (name, .object(MergePatch(inner).following(MergePatch(known)).members))
            }
            return (
                name, .array([.object(MergePatch(inner).applied(to: before.array?.first?.object ?? [:]))])
            )
        }
        for (name, change) in members.effective where earlier.members[name] == nil {
            result.append((name, change))
        }
        return MergePatch(DefaultsObject(result))
    }
}
