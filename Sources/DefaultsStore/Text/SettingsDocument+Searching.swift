/// Values of a text that was checked before, in this process or another: found by searching, so that a new process
/// that reads a few settings of a large file need not read all of it member by member.
///
/// What was checked: it is a settings file without a fault, no name stands in it twice or has an escape, and a line
/// feed, two blanks and a quote stand before each name and nowhere else. So where they stand before a name and its
/// quote is the member, and where that is nowhere there is none. Should the text not be what was checked after all,
/// no harm is done: what is found is checked again, and all else rests on the reading of the whole.
extension SettingsDocument {
    /// What a search has found.
    struct Found {
        /// Nil where the text has no such member.
        let value: StoredValue?
    }

    /// The smallest text that is worth it, in bytes.
    static let searchableLength = 16_384
    /// Reading all of a text costs about as much as so many searches.
    private static let mostSearches = 12
    private static let lead = Array("\n  \"".utf8)

    /// Looks for a key in a text that has not been read; nil where it has to be.
    func search(_ key: KeyName) -> Found? {
        guard isUnread, countSearch() <= SettingsDocument.mostSearches else { return nil }
        let name = Array(key.string.utf8)
        // Such a name is written with an escape, which none of the text's has.
        guard name.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) else {
            return Found(value: nil)
        }
        let wanted = SettingsDocument.lead + name + [UInt8(ascii: "\"")]
        guard let place = ByteSearch(for: wanted).firstIndex(in: bytes) else { return Found(value: nil) }
        let start = place + SettingsDocument.lead.count - 1
        return MemberReader(bytes).checkedValue(at: start).map { value in
            Found(value: StoredValue(trusted: bytes[value]))
        }
    }

    /// Whether the text is as ``search(_:)`` has it; read to its end.
    var isSearchable: Bool {
        guard isObject, index.repeats.isEmpty, bytes.count >= 4 else { return false }
        let index = index
        // A pointer, because four bytes are compared at once; each load begins at 0 at the earliest and ends within.
        return bytes.withUnsafeBytes { text in
            let isEachLed = (0..<index.count).allSatisfy { position in
                let start = index.start(of: position)
                return !index.isEscaped(position) && start >= 3 && SettingsDocument.isLead(text, start - 3)
            }
            let places = 0..<text.count - 3
            return isEachLed && places.count { SettingsDocument.isLead(text, $0) } == index.count
        }
    }

    /// Whether what leads a name stands at a place.
    @inline(__always)
    private static func isLead(_ text: UnsafeRawBufferPointer, _ place: Int) -> Bool {
        UInt32(littleEndian: text.loadUnaligned(fromByteOffset: place, as: UInt32.self)) == 0x2220_200A
    }
}
