/// Where each key of a settings file's text is, in pages of which a look-up needs only one.
///
/// | words of a page | meaning |
/// |---|---|
/// | 0 | the series, which distinguishes the pages of one version of the text from all others |
/// | 1 | a hash of the rest of the page, its number, the number of pages, and the series: pages are unlocked |
/// | 2-511 | a key each: lower half, the offset of its opening quote in the text; upper half, 32 bits of its hash |
///
/// All little endian. The rest of a key's hash says which page it is on, so that a key that is not there is not in
/// the text. Two processes that make the pages of one version make the same bytes.
enum TextIndex {
    /// The size of a page, in bytes.
    static let pageSize = 4_096
    private static let wordsOfPage = pageSize / 8
    static let firstWord = 2
    /// How many keys a page has on average, at most: with this many, all but one in 10^10 pages have room.
    private static let keysOfPage = 384

    /// The most pages of an index: 16 MiB.
    private static let mostPages = 4_096

    /// Returns how many pages it takes.
    ///
    /// Nil for a text in which an offset says too little (one with a fault, with a duplicate name, or with an escape
    /// in a name), and if the pages would take more than twice the size of the text.
    static func pageCount(of document: SettingsDocument) -> Int? {
        guard !document.hasFault, document.index.repeats.isEmpty, document.count > 0 else { return nil }
        let index = document.index
        guard !(0..<index.count).contains(where: index.isEscaped) else { return nil }
        var pages = 1
        while pages * keysOfPage < index.count { pages *= 2 }
        return pages <= min(mostPages, max(1, document.bytes.count * 2 / pageSize)) ? pages : nil
    }

    /// Returns the pages of a text, each ``pageSize`` long.
    ///
    /// - Parameter count: what ``pageCount(of:)`` says.
    /// - Returns: nil if too many keys share a page, which only happens with keys made for that purpose.
    static func pages(of document: SettingsDocument, count: Int, series: UInt64) -> [UInt64]? {
        var words = [UInt64](repeating: 0, count: count * wordsOfPage)
        var used = [Int](repeating: firstWord, count: count)
        let (index, text) = (document.index, document.bytes)
        for position in 0..<index.count {
            let start = index.start(of: position)
            let name = text[(start + 1)...].prefix { $0 != UInt8(ascii: "\"") }
            let hash = name.withUnsafeBytes(hash(of:))
            let page = number(of: hash, among: count)
            guard used[page] < wordsOfPage else { return nil }
            words[page * wordsOfPage + used[page]] = (hash << 32 | UInt64(start)).littleEndian
            used[page] += 1
        }
        for page in 0..<count {
            let start = page * wordsOfPage
            words[start] = series.littleEndian
            words[start + 1] =
                words[start..<start + wordsOfPage].withUnsafeBytes {
                    check(of: $0, number: page, of: count, series)
                }.littleEndian
        }
        return words
    }

    /// A key that is looked up.
    struct Wanted {
        let hash: UInt64

        /// Nil for a name that is written with an escape, which no name of an indexed text is.
        init?(_ name: [UInt8]) {
            guard name.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") })
            else { return nil }
            hash = name.withUnsafeBytes(TextIndex.hash(of:))
        }

        /// Whether another key leads to the same entries.
        func isTwin(of other: Wanted, among count: Int) -> Bool {
            hash & 0xFFFF_FFFF == other.hash & 0xFFFF_FFFF && page(among: count) == other.page(among: count)
        }

        /// Returns the page that says where it is.
        func page(among count: Int) -> Int { TextIndex.number(of: hash, among: count) }

        /// Returns where in the text it may be: the next of all keys with its hash.
        ///
        /// - Parameter word: how far the page has been searched; begin with ``TextIndex/firstWord``.
        func place(in page: [UInt8], from word: inout Int) -> Int? {
            // A pointer, because a load of eight bytes has no other spelling; each ends within the page.
            page.withUnsafeBytes { page in
                while word < TextIndex.wordsOfPage {
                    defer { word += 1 }
                    let slot = page.word(at: word * 8)
                    if slot >> 32 == hash & 0xFFFF_FFFF, slot != 0 { return Int(slot & 0xFFFF_FFFF) }
                }
                return nil
            }
        }
    }

    /// Whether some bytes are the intact page of that number and series.
    static func isPage(_ bytes: [UInt8], number: Int, of count: Int, series: UInt64) -> Bool {
        guard bytes.count == pageSize else { return false }
        return bytes.withUnsafeBytes {
            $0.word(at: 0) == series && $0.word(at: 8) == check(of: $0, number: number, of: count, series)
        }
    }

    private static func check(
        of page: UnsafeRawBufferPointer, number: Int, of count: Int, _ series: UInt64
    ) -> UInt64 {
        var hash = WordHash(seed: series).adding(UInt64(number), UInt64(count))
        for place in stride(from: firstWord, to: wordsOfPage, by: 2) {
            hash = hash.adding(page.word(at: place * 8), page.word(at: place * 8 + 8))
        }
        return hash.state
    }

    /// From the upper half, because a page keeps the lower one.
    private static func number(of hash: UInt64, among pages: Int) -> Int { Int(hash >> 40) & (pages - 1) }

    private static func hash(of name: UnsafeRawBufferPointer) -> UInt64 {
        var hash = WordHash(seed: 0x5444_494E_4445_5831 ^ UInt64(name.count))
        var index = 0
        while index + 16 <= name.count {
            hash = hash.adding(name.word(at: index), name.word(at: index + 8))
            index += 16
        }
        var rest: (UInt64, UInt64) = (0, 0)
        for (place, byte) in name[index...].enumerated() {
            if place < 8 {
                rest.0 |= UInt64(byte) << (8 * place)
            } else {
                rest.1 |= UInt64(byte) << (8 * place - 64)
            }
        }
        // Twice, so that each bit of the last words is in both halves.
        return hash.adding(rest.0, rest.1).adding(rest.1, rest.0).state
    }
}
