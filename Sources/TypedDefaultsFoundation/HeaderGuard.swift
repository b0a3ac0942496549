/// Refuses headers that would arrive as others.
///
/// Outside Apple's systems the session sends them byte for byte, and a line feed ends one and begins the
/// next.
enum HeaderGuard {
    /// Why a header is refused.
    ///
    /// The reason leaves out the value, which may be secret, and the rest of a name that may contain it.
    static func objection(to name: String, _ value: String) -> String? {
        guard !name.isEmpty, name.utf8.allSatisfy(isOfName) else {
            let begin = String(decoding: name.utf8.prefix(while: isOfName), as: UTF8.self)
            return "the name of a header, '\(begin)…', is empty or has a character that no name may have"
        }
        guard value.utf8.allSatisfy(isOfValue) else {
            return "the value of the header '\(name)' has a line feed or another control character"
        }
        return nil
    }

    /// A `tchar` of RFC 9110.
    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    private static func isOfValue(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != 0x7F || byte == UInt8(ascii: "\t")
    }
}
