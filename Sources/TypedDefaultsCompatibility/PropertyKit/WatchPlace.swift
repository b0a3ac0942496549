/// Where in the source a watch was begun, or its identifier.
struct WatchPlace: Hashable, Sendable {
    let id: String?
    let file: String
    private let position: [UInt]

    init(id: String?, file: StaticString, line: UInt, column: UInt) {
        self.id = id
        self.file = "\(file)"
        position = [line, column]
    }

    /// Creates what equals every place of an identifier.
    init(id: String) { (self.id, file, position) = (id, "", []) }

    /// Compares two places; the same identifier is the same wherever it is used.
    static func == (left: WatchPlace, right: WatchPlace) -> Bool {
        left.id == right.id && (left.id != nil || left.file == right.file && left.position == right.position)
    }

    /// Hashes what `==` compares.
    func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        guard id == nil else { return }
        hasher.combine(file)
        hasher.combine(position)
    }
}

/// The key path of a watch, with a number that equal ones have in common.
// Unchecked is sound because a key path never changes, and this one is only compared.
struct WatchedPath: Equatable, @unchecked Sendable {
    private let path: AnyKeyPath
    /// Computed when nobody holds a lock, because what a key path contains may have a hash of its own.
    let hash: Int

    init(_ path: AnyKeyPath) {
        self.path = path
        hash = path.hashValue
    }

    static func == (left: WatchedPath, right: WatchedPath) -> Bool {
        left.hash == right.hash && left.path == right.path
    }
}
