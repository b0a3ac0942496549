/// What a file holds, quick to compare.
struct FileContent: Hashable {
    let bytes: [UInt8]
    private let fingerprint: Int

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        fingerprint = bytes.hashValue
    }

    func hash(into hasher: inout Hasher) { hasher.combine(fingerprint) }
}
