/// Where the layer is kept when nobody says where.
extension LastKnownLayer {
    /// The name of the suite for a prefix of a cluster: programs that read the same share it, and no others.
    static func suiteName(_ endpoints: [String], _ prefix: String, _ user: String?) -> String {
        // FNV-1a, which unlike Swift's own hashing gives the same in every process.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in (endpoints.sorted() + [prefix, user ?? ""]).joined(separator: "\0").utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        let shown = prefix.utf8.map { byte in
            byte < 0x80
                && (Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber)
                ? Character(UnicodeScalar(byte)) : "-"
        }
        return "etcd" + String(shown.prefix(60)) + "-" + String(hash, radix: 16)
    }
}
