/// What an administrator's files say, according to the last read.
struct ManagedDomain: Sendable {
    /// The drop-ins next to the file, and whether they are whole.
    var parts = DropIns.Contents()
    /// The file itself; nil if there is none, or nothing in it can be read.
    var whole: DropIns.File?
    /// Nil if the suite has none.
    var path: String?
    /// The number of the read: an earlier one that ends later is dropped.
    var reading: UInt64 = 0
    /// Whether the file was valid; otherwise this is what could be read of it.
    var isWhole = false
    /// Why the file could not be read as a whole, and never was; nil otherwise.
    var unread: DefaultsError?

    /// Why it is not known which keys are locked; nil if it is.
    var doubt: DefaultsError? { unread ?? parts.unread }

    /// All files, the highest first: the drop-ins, and then the file.
    var files: [DropIns.File] { parts.files + (whole.map { [$0] } ?? []) }

    /// Whether nothing is set, and that is certain.
    var isEmpty: Bool {
        (whole?.document.count ?? 0) == 0 && parts.files.allSatisfy { $0.document.count == 0 } && doubt == nil
    }

    /// Of the highest file that has one.
    subscript(key: KeyName) -> StoredValue? {
        // Without a list, since most have at most one file.
        if !parts.files.isEmpty, let value = file(with: key)?.value(of: key) { return value }
        return whole?.value(of: key)
    }

    func file(with key: KeyName) -> DropIns.File? { files.first { $0.value(of: key) != nil } }

    var keys: [KeyName] { files.flatMap { $0.document.keys.filter { $0 != .schema } } }
}

extension DropIns.File {
    /// Returns the value of a key; the member that names a schema for the administrator's editor is none.
    func value(of key: KeyName) -> StoredValue? {
        document.value(forKey: key).flatMap { key == .schema ? nil : $0 }
    }
}
