/// The keys declared for a suite, one entry for each name.
package final class KeyCatalogue: Sendable {
    // A leaf: nothing is taken or called under it.
    private let entries = Locked(PersistentMap<KeyName, KeyDeclaration>())

    init() {}

    /// Adds a key; a later declaration of a name replaces an earlier one, but a key that was secret stays secret.
    ///
    /// A property's declaration replaces none of a key, because it has neither the key's default nor its rules.
    ///
    /// - Returns: whether the name was declared before with another type.
    package func declare(_ declaration: KeyDeclaration) -> Bool {
        let old = entries.withLock { entries in
            let old = entries.value(forKey: declaration.name)
            if let old, declaration.isOfProperty, !old.isOfProperty { return Optional(old) }
            var fresh = declaration
            fresh.isSecret = declaration.isSecret || old?.isSecret == true
            entries.set(fresh, forKey: declaration.name)
            return old
        }
        guard let old else { return false }
        return !KeyCatalogue.haveOneType(old, declaration)
    }

    /// Whether two declarations have the same type; a property may be nil where its key has a default.
    private static func haveOneType(_ left: KeyDeclaration, _ right: KeyDeclaration) -> Bool {
        guard left.isOfProperty != right.isOfProperty else {
            return ObjectIdentifier(left.type) == ObjectIdentifier(right.type)
        }
        return ObjectIdentifier(left.wholeType) == ObjectIdentifier(right.wholeType)
    }

    /// Returns the declaration of a name.
    package func declaration(_ key: KeyName) -> KeyDeclaration? { entries.withLock { $0.value(forKey: key) } }

    /// All declarations, by name.
    package var all: [KeyDeclaration] {
        entries.withLock { $0 }.elements.map(\.value).sorted { $0.name < $1.name }
    }
}
