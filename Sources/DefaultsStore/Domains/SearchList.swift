/// The domains that can supply a value besides a key's own default, highest first, at one moment.
///
/// Immutable; a change of any domain publishes a new one. The first domain that has the key answers.
package final class SearchList: Sendable {
    /// Values registered under their keys' names, below everything stored.
    let registered: [KeyName: StoredValue]

    init(registered: [KeyName: StoredValue] = [:]) {
        self.registered = registered
    }

    /// The value that counts for a key, nil where only its own default can answer.
    ///
    /// - Parameter stored: what the file, or an open transaction, has for the key.
    package func first(_ key: KeyName, stored: StoredValue?) -> StoredValue? {
        stored ?? registered[key]
    }

    /// The value that counts when nothing is stored.
    package func below(_ key: KeyName) -> StoredValue? { registered[key] }

    /// Which domain answers for a key, nil where only its own default can.
    func origin(_ key: KeyName, isStored: Bool) -> DefaultsOrigin? {
        if isStored { return .stored }
        return registered[key] == nil ? nil : .registered
    }

    /// The same list with more registered values; a later registration of a name wins.
    func registering(_ values: [KeyName: StoredValue]) -> SearchList {
        SearchList(registered: registered.merging(values) { _, new in new })
    }
}
