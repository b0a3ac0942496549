/// The name of a stored member, equal to another exactly when their UTF-8 bytes are.
///
/// Order and hash go by the bytes too, so two names that differ in Unicode form stay two members of the file.
package struct KeyName: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The most bytes a key may have: 64 KiB.
    package static let greatestLength = 65_536

    /// The member that names a JSON Schema for editors: of the file, but no setting.
    package static let schema = KeyName("$schema")
    /// The member that lists the steps of a migration that were done: of the file, but no setting.
    package static let migrations = KeyName("$migrations")

    package let string: String
    /// Of the bytes, taken once: names are looked up far more often than made.
    let hash: UInt32

    /// Wraps a name as it stands, also one that ``validated(_:)`` would refuse.
    package init(_ string: String) {
        self.string = string
        hash = KeyHash.of(string)
    }

    /// Wraps a name whose hash is known: the one that ``KeyHash`` has of its bytes in this process.
    init(_ string: String, hash: UInt32) { (self.string, self.hash) = (string, hash) }

    /// The name, if a value may be written under it.
    ///
    /// - Throws: `.invalidKey` for an empty name and for one longer than 64 KiB.
    package static func validated(_ string: String) throws(DefaultsError) -> KeyName {
        let length = string.utf8.count
        guard length > 0 else {
            throw DefaultsError(.invalidKey, key: string, underlyingDescription: "it is empty")
        }
        guard length <= greatestLength else {
            throw DefaultsError(.invalidKey, underlyingDescription: "it is \(length) bytes long")
        }
        return KeyName(string)
    }

    /// Whether a value may be written under a name.
    package static func isValid(_ string: String) -> Bool { 1...greatestLength ~= string.utf8.count }

    /// Whether it names a setting, and no member that says something of the file.
    package var isSetting: Bool { self != .schema && self != .migrations }

    package static func == (left: KeyName, right: KeyName) -> Bool {
        left.hash == right.hash && left.string.hasBytes(of: right.string)
    }

    /// Spreads names as ``hash(into:)`` does, without what its set-up and end cost.
    package var hashValue: Int { Int(hash) }

    package static func < (left: KeyName, right: KeyName) -> Bool {
        left.string.utf8.lexicographicallyPrecedes(right.string.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(hash)
    }

    package var description: String { string }
}
