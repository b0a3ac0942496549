/// What an administrator's file says, as it was last read whole.
struct ManagedDomain: Sendable {
    /// The file's text; empty where there is no file.
    var document = SettingsDocument.empty
    /// Where the file is; nil where the suite has none.
    var path: String?
    /// Which reading of the file this is, so that an earlier one that ends later does not count.
    var reading: UInt64 = 0
    /// Whether the file was whole; else this is what could be read of it.
    var isWhole = false

    /// The value the administrator has set; what names a schema for his own editor locks nobody's.
    subscript(key: KeyName) -> StoredValue? {
        document.value(forKey: key).flatMap { key == .schema ? nil : $0 }
    }

    /// The keys the administrator has set.
    var keys: [KeyName] { document.keys.filter { $0 != .schema } }
}
