/// The source location of a watch, or its identifier.
struct WatchPlace: Hashable, Sendable {
    let id: String?
    let file: String
    private let position: [UInt]

    init(id: String?, file: StaticString, line: UInt, column: UInt) {
        self.id = id
        self.file = "\(file)"
        position = [line, column]
    }

    /// Equals every location with that identifier.
    init(id: String) { (self.id, file, position) = (id, "", []) }

    /// An identifier is the same wherever it is used.
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

/// The key path of a watch, with its hash.
// Unchecked is sound because a key path never changes, and this one is only compared.
struct WatchedPath: Equatable, @unchecked Sendable {
    private let path: AnyKeyPath
    /// Computed outside any lock, because the content of a key path may have its own hash.
    let hash: Int

    init(_ path: AnyKeyPath) {
        self.path = path
        hash = path.hashValue
    }

    static func == (left: WatchedPath, right: WatchedPath) -> Bool {
        left.hash == right.hash && left.path == right.path
    }
}
