/// The keys declared for a suite, one entry for each name.
package final class KeyCatalogue: Sendable {
    // A leaf: nothing is taken or called under it.
    private let entries = Locked(PersistentMap<KeyName, KeyDeclaration>())

    init() {}

    /// Adds a key; a later declaration of a name replaces an earlier one, but a key that was secret stays secret, and
    /// one that combines values goes on doing so.
    ///
    /// A property's declaration replaces none of a key, because it has neither the key's default nor its validations.
    ///
    /// - Returns: what does not fit an earlier declaration of the name; nil if all does.
    package func declare(_ declaration: KeyDeclaration) -> String? {
        let old = entries.withLock { entries in
            let old = entries.value(forKey: declaration.name)
            if let old, declaration.isOfProperty, !old.isOfProperty { return Optional(old) }
            let fresh = old.map { KeyCatalogue.declaration(declaration, after: $0) } ?? declaration
            entries.set(fresh, forKey: declaration.name)
            return old
        }
        return old.flatMap { KeyCatalogue.conflict(of: $0, with: declaration) }
    }

    private static func declaration(_ new: KeyDeclaration, after old: KeyDeclaration) -> KeyDeclaration {
        // So that the values do not depend on which of the keys is used first.
        let keepsMerge = old.merge != .replace && ObjectIdentifier(old.type) == ObjectIdentifier(new.type)
        return KeyDeclaration(
            new, isSecret: new.isSecret || old.isSecret, merge: keepsMerge ? old.merge : new.merge)
    }

    /// Returns what does not fit; a property may be nil where its key has a default, and has no way of combining.
    private static func conflict(of old: KeyDeclaration, with new: KeyDeclaration) -> String? {
        // A property's getter with a default and its setter may differ in optionals alone.
        let areKeys = !old.isOfProperty && !new.isOfProperty
        let types = areKeys ? (old.type, new.type) : (old.wholeType, new.wholeType)
        if ObjectIdentifier(types.0) != ObjectIdentifier(types.1) {
            return "their types are \(types.0) and \(types.1)"
        }
        guard areKeys, old.merge != new.merge else { return nil }
        return "their values combine by \(old.merge) and by \(new.merge)"
    }

    @inline(never)
    package func declaration(_ key: KeyName) -> KeyDeclaration? { entries.withLock { $0.value(forKey: key) } }

    /// By name.
    package var all: [KeyDeclaration] {
        var all: [KeyDeclaration] = []
        entries.withLock { $0 }.forEachValue { all.append($0) }
        return all.sorted(byName: \.name)
    }
}
