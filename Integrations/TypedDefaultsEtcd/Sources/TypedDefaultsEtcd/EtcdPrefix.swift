import TypedDefaults

/// The part of the key space that a source reads: all keys below a path that ends with a slash.
struct EtcdPrefix: Hashable, Sendable, CustomStringConvertible {
    /// The first possible key, which is the path itself.
    let start: [UInt8]

    /// Where locked values stand below the path.
    static let lockedFolder = Array("locked/".utf8)

    /// Completes a path with its slash: `/config/player` never takes the keys of `/config/players`.
    ///
    /// - Throws: where the path is empty, since the whole key space is nobody's settings.
    init(_ path: String) throws(DefaultsError) {
        guard !path.isEmpty else {
            throw DefaultsError.sourceFailed("the prefix is empty")
        }
        // By bytes: the slash may be one character with what stands before it.
        start = Array(path.utf8.last == UInt8(ascii: "/") ? path.utf8 : (path + "/").utf8)
    }

    /// The first key behind all those below the path.
    var end: [UInt8] {
        // The last byte is a slash, so adding one never carries.
        start.dropLast() + [UInt8(ascii: "/") + 1]
    }

    /// What a key says below the path, byte for byte.
    func name(of key: [UInt8]) -> ArraySlice<UInt8> { key.dropFirst(start.count) }

    /// The key of a name below the path.
    func key(of name: String, isLocked: Bool) -> [UInt8] {
        start + (isLocked ? EtcdPrefix.lockedFolder : []) + Array(name.utf8)
    }

    var description: String { String(decoding: start, as: UTF8.self) }
}
