/// The domains that can supply a value besides a key's own default, highest first, at one moment.
///
/// Immutable; a change of any domain publishes a new one. The first domain that has the key answers, unless the key
/// combines what all of them have.
package final class SearchList: Sendable {
    /// What the domains hold, the stored one apart, from the highest to the lowest.
    struct Contents: Sendable {
        var managed = ManagedDomain()
        var arguments = ArgumentDomain()
        var environment = EnvironmentDomain()
        /// Values set for as long as the process runs.
        var transient: [KeyName: StoredValue] = [:]
        /// What sources of default values supplied, the layer that answers first at the front.
        var layers: [DefaultsLayer] = []
        /// Values registered under their keys' names, below every layer.
        var registered: [KeyName: StoredValue] = [:]

        /// What declared keys make of all this; a key that is not here takes texts untyped and combines nothing.
        var traits: [KeyName: KeyTraits] = [:]
        /// How often the arguments and the environment were added to.
        var additions = 0

        /// Whether a key has texts here or combines values, so that a traits of it is kept, or was.
        func treatsSpecially(_ declaration: KeyDeclaration) -> Bool {
            let hasTexts = !arguments.flags.isEmpty || !environment.isEmpty
            return hasTexts || !traits.isEmpty || declaration.merge != .replace
        }

        fileprivate var isBare: Bool {
            managed.document.count == 0 && arguments.flags.isEmpty && environment.isEmpty
                && transient.isEmpty && layers.isEmpty && registered.isEmpty
                && traits.values.allSatisfy { $0.merge == .replace }
        }
    }

    let contents: Contents
    /// Whether no domain but the stored one has a value, and no key combines values: then what is stored counts.
    let isBare: Bool
    /// Whether no key is locked.
    let locksNothing: Bool

    init(_ contents: Contents = Contents()) {
        self.contents = contents
        isBare = contents.isBare
        locksNothing = contents.managed.document.count == 0 && contents.layers.allSatisfy(\.locked.isEmpty)
    }

    /// The same list after a change of a domain.
    func changing(_ change: (inout Contents) -> Void) -> SearchList {
        var changed = contents
        change(&changed)
        return SearchList(changed)
    }

    /// The value that counts for a key, nil where only its own default can answer.
    ///
    /// - Parameter stored: what the file, or an open transaction, has for the key.
    package func first(_ key: KeyName, stored: StoredValue?) -> StoredValue? {
        if isBare { return stored }
        let merge = merge(of: key)
        guard merge == .replace else {
            return merge.combined(candidates(key, stored: stored).compactMap(\.value))
        }
        return above(key) ?? stored ?? lower(key)
    }

    /// The value that counts for a key whatever is stored; nil where that has to be asked.
    package func sure(_ key: KeyName) -> StoredValue? {
        if isBare { return nil }
        return merge(of: key) == .replace ? above(key) : nil
    }

    /// The value of the registration domain alone: what counts when nothing is stored or set for the process.
    package func below(_ key: KeyName) -> StoredValue? {
        let merge = merge(of: key)
        guard merge == .replace else {
            let all = candidates(key, stored: nil).filter { $0.origin == .registered }
            return merge.combined(all.compactMap(\.value))
        }
        return lower(key)
    }

    /// How the domains' values for a key combine.
    package func merge(of key: KeyName) -> DefaultsMerge { contents.traits[key]?.merge ?? .replace }

    /// Whether an administrator has set the key, in a file or through a source, so that nobody else may.
    func isLocked(_ key: KeyName) -> Bool { !locksNothing && managed(key) != nil }

    /// The administrator's file, or the place or name of the source, that locks a key.
    func placeOfLock(_ key: KeyName) -> String? {
        if contents.managed[key] != nil { return contents.managed.path }
        return contents.layers.first { $0.locked[key] != nil }.map { $0.place ?? $0.name }
    }

    /// The highest domain that has a value for a key, nil where only its own default can answer.
    func origin(_ key: KeyName, stored: StoredValue?) -> DefaultsOrigin? {
        candidates(key, stored: stored).first { $0.value != nil }?.origin
    }

    /// The names that a domain besides the stored one has a value for; some stand more than once.
    ///
    /// A variable of the environment has no key's name by itself, so it is not among them.
    var names: [KeyName] {
        contents.managed.keys + Array(contents.arguments.flags.keys)
            + Array(contents.transient.keys) + Array(contents.registered.keys)
            + contents.layers.flatMap { $0.values.keys + $0.locked.keys }
    }

    /// The value of a flag of the command line.
    func argument(_ key: KeyName) -> StoredValue? {
        if let reading = contents.traits[key]?.argument { return reading.found }
        return contents.arguments.flags[key]?.text.untyped
    }

    /// The value of a variable of the environment.
    func variable(_ key: KeyName) -> StoredValue? {
        if let reading = contents.traits[key]?.variable { return reading.found }
        return contents.environment[key]?.text.untyped
    }

    private func above(_ key: KeyName) -> StoredValue? {
        managed(key) ?? argument(key) ?? variable(key) ?? contents.transient[key]
    }

    /// What the administrator's file says, else the first source that locks the key.
    private func managed(_ key: KeyName) -> StoredValue? {
        if let value = contents.managed[key] { return value }
        for layer in contents.layers { if let value = layer.locked[key] { return value } }
        return nil
    }

    private func lower(_ key: KeyName) -> StoredValue? {
        for layer in contents.layers { if let value = layer.values[key] { return value } }
        return contents.registered[key]
    }
}

extension Result where Success == StoredValue, Failure == DefaultsError {
    /// The value; nil where it was refused, which was reported when it was worked out.
    fileprivate var found: StoredValue? {
        guard case .success(let value) = self else { return nil }
        return value
    }
}
