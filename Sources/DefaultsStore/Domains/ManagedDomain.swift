/// What an administrator's file says, according to the last read.
struct ManagedDomain: Sendable {
    /// The file's text; empty if there is no file.
    var document = SettingsDocument.empty
    /// Where the file is; nil if the suite has none.
    var path: String?
    /// The number of the read, so that an earlier one that ends later does not count.
    var reading: UInt64 = 0
    /// Whether the file was valid; otherwise this is what could be read of it.
    var isWhole = false

    /// Returns the value that the administrator has set; the member that names a schema for the administrator's
    /// editor locks nothing.
    subscript(key: KeyName) -> StoredValue? {
        document.value(forKey: key).flatMap { key == .schema ? nil : $0 }
    }

    /// The keys the administrator has set.
    var keys: [KeyName] { document.keys.filter { $0 != .schema } }
}
