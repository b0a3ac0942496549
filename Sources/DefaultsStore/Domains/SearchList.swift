/// The domains that can supply a value besides a key's own default, highest first, at one moment.
///
/// Immutable; a change of any domain publishes a new one. The first domain that has the key answers.
package final class SearchList: Sendable {
    /// What the domains hold, the stored one apart.
    struct Contents: Sendable {
        /// What sources of default values supplied, the layer that answers first at the front.
        var layers: [DefaultsLayer] = []
        /// Values registered under their keys' names, below every layer.
        var registered: [KeyName: StoredValue] = [:]
    }

    let contents: Contents

    init(_ contents: Contents = Contents()) { self.contents = contents }

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
        stored ?? below(key)
    }

    /// The value that counts when nothing is stored.
    package func below(_ key: KeyName) -> StoredValue? {
        for layer in contents.layers { if let value = layer.values[key] { return value } }
        return contents.registered[key]
    }

    /// Which domain answers for a key, nil where only its own default can.
    func origin(_ key: KeyName, isStored: Bool) -> DefaultsOrigin? {
        if isStored { return .stored }
        return below(key) == nil ? nil : .registered
    }

    /// The names that a domain besides the stored one has a value for; some stand more than once.
    var names: [KeyName] { contents.layers.flatMap { Array($0.values.keys) } + contents.registered.keys }

    /// The same list with more registered values; a later registration of a name wins.
    func registering(_ values: [KeyName: StoredValue]) -> SearchList {
        changing { $0.registered.merge(values) { _, new in new } }
    }
}
