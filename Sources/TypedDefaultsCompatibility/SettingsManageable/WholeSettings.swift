import DefaultsStore
import TypedDefaults

/// The storage of a type's whole settings: the suite of its members, a suite of the initial values, and what
/// this process last saw.
final class WholeSettings: Sendable {
    let suite: DefaultsSuite
    /// The initial values, in a file in the suite's folder: `PlayerSettings.initial.json`.
    private let initial: DefaultsSuite
    /// The members as this process last loaded or stored them; nil before.
    // A leaf; nothing is called under it.
    private let seen = Locked<WholeMembers?>(nil)
    /// The members that this process has ever seen stored: one that is missing now was removed.
    // A leaf; nothing is called under it.
    private let everStored = Locked<Set<KeyName>>([])

    private init(_ suite: DefaultsSuite) throws(DefaultsError) {
        self.suite = suite
        guard let path = suite.path else {
            initial = .inMemory()
            return
        }
        let stem = path.hasSuffix(".json") ? String(path.dropLast(5)) : path
        initial = try DefaultsSuite(file: stem + ".initial.json")
    }

    private struct Identity: Hashable {
        let type: ObjectIdentifier
        let suite: DefaultsSuite
    }

    // Leaves; nothing is called under them. Their contents stay as long as the process.
    private static let known = Locked<[Identity: WholeSettings]>([:])
    private static let files = Locked(WholeSettingsFiles())

    /// The storage of a type's settings.
    static func of<Whole: SettingsManageable>(_ type: Whole.Type) throws(DefaultsError) -> WholeSettings {
        let suite = try type.suite.current
        guard suite.path != nil else { return try inMemory(suite, type) }
        let identity = Identity(type: ObjectIdentifier(type), suite: suite)
        if let settings = known.withLock({ $0[identity] }) { return settings }
        let fresh = try WholeSettings(suite)
        return known.withLock { known in
            let settings = known[identity] ?? fresh
            known[identity] = settings
            return settings
        }
    }

    /// The storage of a type whose suite has no file; it ends with the suite.
    private static func inMemory(
        _ suite: DefaultsSuite, _ type: any Any.Type
    ) throws(DefaultsError) -> WholeSettings {
        let (belongings, name) = (suite.context.belongings, KeyName("whole settings"))
        if let known = belongings.object(name, type) as? WholeSettings { return known }
        let fresh = try WholeSettings(suite.companion)
        return belongings.keep(fresh, name, type) as? WholeSettings ?? fresh
    }

    /// Returns the suite of a type that names none.
    ///
    /// While the standard suite is replaced, this one ends with the substitute.
    ///
    /// - Throws: `.conflictingTypes` if another type of that name has the file.
    static func suite<Whole>(of type: Whole.Type) throws(DefaultsError) -> DefaultsSuite {
        let standard = DefaultsSuite.standard
        let (belongings, name) = (standard.context.belongings, KeyName("suite of whole settings"))
        let isReplaced = standard.current !== standard
        let known =
            isReplaced
            ? belongings.object(name, type) as? DefaultsSuite : files.withLock { $0.suite(of: type) }
        if let known { return known }
        let fresh = try suite(of: type, beside: standard.path)
        if isReplaced { return belongings.keep(fresh, name, type) as? DefaultsSuite ?? fresh }
        return try files.withLock { (files) throws(DefaultsError) in
            try files.take(fresh, for: type, beside: standard.path)
        }
    }

    private static func suite<Whole>(
        of type: Whole.Type, beside standard: String?
    ) throws(DefaultsError) -> DefaultsSuite {
        guard let standard, let end = standard.lastIndex(of: "/") else { return .inMemory() }
        return try DefaultsSuite(file: "\(standard[...end])\(type).json")
    }
}

extension WholeSettings {
    /// Returns the value of the stored members over the given ones, which are stored first if nothing is.
    func load<Whole: SettingsManageable>(
        _ type: Whole.Type, over own: WholeMembers
    ) throws(DefaultsError) -> Whole {
        try keepInitial(own)
        // If this process has seen stored members, another one has deleted them: they are not stored again.
        let isFirst = everStored.withLock { $0.isEmpty }
        if isFirst { try store(own, in: suite) }
        let isEmpty = isFirst ? false : try suite.storedSettings().isEmpty
        let kept = isEmpty ? [] : try members(of: initial, named: own.map(\.key))
        let present = try members(of: suite, named: own.map(\.key) + kept.map(\.key))
        let new = try WholeCoding.members(of: Whole(), in: suite)
        let own = renewed(own, new, present: present)
        let isRemoved = { (key: KeyName) in
            kept.value(forKey: key) != nil && present.value(forKey: key) == nil
        }
        let base = own.filter { !isRemoved($0.key) }.overlaid(with: present)
        let value = try WholeCoding.value(
            type, of: base, sparing: own.filter { isRemoved($0.key) }, over: new, in: suite)
        // In the type's own encoding, so that unknown members stay, and another spelling is not a change.
        let members = try WholeCoding.members(of: value, in: suite)
        // A member that is not in the file is recorded with a new instance's value, and not with this one's,
        // which is not stored yet.
        let stored = members.filter { present.value(forKey: $0.key) != nil }
        let others = new.filter {
            present.value(forKey: $0.key) == nil && !(isRemoved($0.key) && isGone($0.key, members))
        }
        seen.withLock { $0 = isEmpty ? nil : stored + others }
        return value
    }

    private func isGone(_ key: KeyName, _ members: WholeMembers) -> Bool { members.value(forKey: key) == nil }

    /// Returns the members of a value that is loaded; those that were removed since are a new instance's.
    ///
    /// The value's own may be those that another process has removed.
    private func renewed(_ own: WholeMembers, _ new: WholeMembers, present: WholeMembers) -> WholeMembers {
        let present = Set(present.map(\.key))
        let lost = everStored.withLock { known in
            known.formUnion(present)
            return known.subtracting(present)
        }
        if lost.isEmpty { return own }
        return own.filter { !lost.contains($0.key) } + new.filter { lost.contains($0.key) }
    }

    /// Stores the members that differ from those that this process last saw.
    func update<Whole: SettingsManageable>(
        _ type: Whole.Type, _ own: WholeMembers
    ) throws(DefaultsError) {
        let last = seen.withLock { $0 }
        let changed = own.filter { last?.value(forKey: $0.key) != $0.value }
        // Members of an object that the property's type does not know stay in it.
        var changes: [StoredChange] = []
        for (key, value) in changed {
            let seen = last?.value(forKey: key)
            changes.append(
                seen == nil
                    ? StoredChange(value, forKey: key)
                    : try suite.context.change(value, forKey: key, from: seen))
        }
        changes += try removals(type, own, last: last)
        if changed.isEmpty, !changes.isEmpty {
            try remove(changes)
        } else if !changes.isEmpty {
            try suite.context.write(changes)
        }
        seen.withLock { $0 = own }
        everStored.withLock { $0.formUnion(changed.map(\.key)) }
    }

    /// Removes properties that have become nil.
    ///
    /// The last one becomes `null` instead: an empty file is a deleted one, and the next load would be the
    /// first.
    private func remove(_ changes: [StoredChange]) throws(DefaultsError) {
        try transaction(in: suite) { () throws(DefaultsError) in
            let removed = Set(changes.lazy.filter { $0.value == nil }.map(\.key.string))
            let isLast = try suite.storedSettings().keys.allSatisfy(removed.contains)
            let isNull = isLast && changes.allSatisfy { $0.value == nil }
            try suite.context.write(isNull ? changes.map { StoredChange(.null, forKey: $0.key) } : changes)
        }
    }

    /// Returns the changes for properties that have become nil.
    ///
    /// Those without an initial value become `null`. If they were removed, `load` would treat them as added
    /// later, and give them a new instance's value.
    private func removals<Whole: SettingsManageable>(
        _ type: Whole.Type, _ own: WholeMembers, last: WholeMembers?
    ) throws(DefaultsError) -> [StoredChange] {
        if let last, last.allSatisfy({ own.value(forKey: $0.key) != nil }) { return [] }
        let kept = try members(of: initial, named: [])
        let new = try WholeCoding.members(of: Whole(), in: suite)
        return (last ?? kept.overlaid(with: new)).filter { own.value(forKey: $0.key) == nil }.map { key, _ in
            let isTold = kept.value(forKey: key) != nil || new.value(forKey: key) == nil
            return StoredChange(isTold ? nil : .null, forKey: key)
        }
    }

    /// Removes the stored members; the initial values stay.
    func delete() throws(DefaultsError) {
        try suite.removeAll()
        seen.withLock { $0 = nil }
        everStored.withLock { $0 = [] }
    }

    /// Stores the initial values instead of all others.
    func reset<Whole: SettingsManageable>(
        _ type: Whole.Type, over own: WholeMembers
    ) throws(DefaultsError) -> Whole {
        try keepInitial(own)
        let kept = try members(of: initial, named: own.map(\.key))
        let value = try WholeCoding.value(type, of: own.overlaid(with: kept), over: own, in: suite)
        let members = try WholeCoding.members(of: value, in: suite)
        try transaction(in: suite) { () throws(DefaultsError) in
            try suite.removeAll()
            try suite.context.write(writable(members, in: suite))
        }
        seen.withLock { $0 = members }
        everStored.withLock { $0.formUnion(members.map(\.key)) }
        return value
    }

    /// Keeps the initial values, if none are kept.
    ///
    /// For a file that existed before, such as one written by hand, only its members are kept: a member that
    /// it lacks was never there, and so was not removed.
    private func keepInitial(_ own: WholeMembers) throws(DefaultsError) {
        let present = try suite.storedSettings()
        try store(present.isEmpty ? own : own.filter { present[$0.key.string] != nil }, in: initial)
    }

    /// Stores members if nothing is stored.
    private func store(_ members: WholeMembers, in suite: DefaultsSuite) throws(DefaultsError) {
        guard try suite.storedSettings().isEmpty else { return }
        try transaction(in: suite) { () throws(DefaultsError) in
            // Another process may have been first.
            guard try suite.storedSettings().isEmpty else { return }
            try suite.context.write(writable(members, in: suite))
        }
    }

    /// Locked members of an administrator stay as they are.
    private func writable(_ members: WholeMembers, in suite: DefaultsSuite) -> [StoredChange] {
        members.filter { suite.domain(forKey: $0.key.string) != .managed }.map {
            StoredChange($0.value, forKey: $0.key)
        }
    }

    private func members(
        of suite: DefaultsSuite, named names: [KeyName]
    ) throws(DefaultsError) -> WholeMembers {
        // Checked first, because a snapshot does not throw.
        let stored = try suite.storedSettings().keys.sorted().map { KeyName($0) }
        let snapshot = suite.snapshot()
        var seen: Set<KeyName> = []
        return (names + stored).filter { seen.insert($0).inserted }.compactMap { key in
            snapshot.first(key).map { (key, $0) }
        }
    }

    private func transaction(
        in suite: DefaultsSuite, _ body: () throws(DefaultsError) -> Void
    ) throws(DefaultsError) {
        do { try suite.withTransaction { _ in try body() } } catch let error as DefaultsError {
            throw error
        } catch {
            throw DefaultsError(.ioFailure, suite: suite.name, underlyingDescription: describe(error))
        }
    }
}
