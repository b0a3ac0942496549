import Synchronization

/// The text of a settings file with the places of its members.
///
/// What it hands out are slices of the text: nothing is decoded before somebody asks.
package struct SettingsDocument: Sendable {
    /// One `"key": value` of the text.
    package struct Member: Sendable, Hashable {
        package let key: KeyName
        /// The index of the key's opening quote.
        package let start: Int
        /// Where the value stands.
        package let value: Range<Int>
        /// The index of the comma behind the value, if there is one.
        let comma: Int?
    }

    /// Behind one reference, since every state and every commit has a copy.
    private let contents: Contents

    private final class Contents: Sendable {
        let bytes: [UInt8]
        /// Nil in a text that was checked before.
        private let first: Reading?
        /// That of such a text, when somebody has needed it.
        private let late = LazyReference<Reading>()
        /// How often a key was searched in the text instead.
        let searches = Atomic<Int>(0)

        init(bytes: [UInt8], reading: Reading?) {
            self.bytes = bytes
            first = reading
        }

        var isUnread: Bool { first == nil && late.load() == nil }
        var reading: Reading { first ?? lateReading }

        /// Apart from what most texts have, and every read asks for.
        @inline(never)
        private var lateReading: Reading {
            late.load() ?? late.storeIfNil(Reading(bytes, isQuick: true))
        }
    }

    /// What is known of a text that was read to its end.
    private final class Reading: Sendable {
        let index: MemberIndex
        let body: Range<Int>
        let fault: JSONFault?
        /// Whether there is one, which costs less to ask.
        let hasFault: Bool
        /// The names in the order of the file, read once when they are first asked for.
        let names = LazyReference<Names>()

        /// Of no text.
        init() { (index, body, fault, hasFault) = (MemberIndex(), 0..<0, nil, false) }

        init(_ bytes: [UInt8], isQuick: Bool) {
            var reader = SettingsReader(bytes, isQuick: isQuick)
            fault = reader.read()
            (index, body, hasFault) = (reader.index, reader.body, fault != nil)
        }

        /// The last member with a name.
        ///
        /// Here, as the next, so that nobody copies the index on the way to it.
        func position(of key: KeyName, in bytes: [UInt8]) -> Int? {
            index.position(of: key, in: bytes) { MemberReader(bytes).key(at: $0) }
        }

        /// Where the value of a member stands.
        func valueRange(at position: Int, in bytes: [UInt8]) -> Range<Int> {
            MemberReader(bytes).value(at: index.start(of: position), until: index.valueEnd(of: position))
        }
    }

    private final class Names: Sendable {
        let all: [KeyName]
        init(_ all: [KeyName]) { self.all = all }
    }

    /// The document of a file that does not exist.
    package static let empty = SettingsDocument(contents: Contents(bytes: [], reading: Reading()))

    private init(contents: Contents) { self.contents = contents }

    /// Whether both are one reading of one text.
    func isSame(as other: SettingsDocument) -> Bool { contents === other.contents }

    /// The whole file.
    package var bytes: [UInt8] { contents.bytes }
    /// Why the text is not a settings file, if it is not; `members` are those that could be read.
    package var fault: JSONFault? { hasFault ? contents.reading.fault : nil }
    /// Whether it is none.
    package var hasFault: Bool { !contents.isUnread && contents.reading.hasFault }
    /// What stands between the outer braces; meaningless after a fault.
    var body: Range<Int> { contents.reading.body }
    /// Where the members begin.
    var index: MemberIndex { contents.reading.index }
    /// Whether it is one that was checked before, and has not been read again.
    package var isUnread: Bool { contents.isUnread }

    /// Reads one that has not been read, so that nobody searches in it from here on.
    func readToEnd() { _ = contents.reading }

    /// Counts a search; how many that makes.
    func countSearch() -> Int { contents.searches.add(1, ordering: .relaxed).newValue }

    /// Reads a settings file's text, which has to be one JSON object.
    ///
    /// With a fault, the document has the members before the damage and, in an indented file with a member a
    /// line, those on later lines. Changing it then writes a new text.
    package static func read(_ bytes: [UInt8]) -> (document: SettingsDocument, fault: JSONFault?) {
        read(bytes, isQuick: true)
    }

    /// - Parameter isQuick: whether what is written plainly is read by the quick scanner, which finds the same.
    static func read(_ bytes: [UInt8], isQuick: Bool) -> (document: SettingsDocument, fault: JSONFault?) {
        let reading = Reading(bytes, isQuick: isQuick)
        return (
            SettingsDocument(contents: Contents(bytes: bytes, reading: reading)),
            reading.hasFault ? reading.fault : nil
        )
    }

    /// The document of a text that was read before, here or in another process, and was found ``isSearchable``.
    init(checked bytes: [UInt8]) { self.init(contents: Contents(bytes: bytes, reading: nil)) }

    /// The document of a text that was put together of checked pieces.
    ///
    /// It is checked again on the way, like every text whose values are served.
    init(edited bytes: [UInt8]) { self = SettingsDocument.read(bytes).document }
}

extension SettingsDocument {
    /// The value of the last member with that name.
    package func value(forKey key: KeyName) -> StoredValue? {
        if isUnread, let found = search(key) { return found.value }
        let (reading, bytes) = (contents.reading, contents.bytes)
        guard let position = reading.position(of: key, in: bytes) else { return nil }
        return StoredValue(trusted: bytes[reading.valueRange(at: position, in: bytes)])
    }

    func value(at position: Int) -> StoredValue { StoredValue(trusted: bytes[valueRange(at: position)]) }

    /// The last member with that name.
    func position(of key: KeyName) -> Int? { contents.reading.position(of: key, in: bytes) }

    /// How many members there are, duplicates included.
    var count: Int { index.count }

    /// The name of a member.
    func key(at position: Int) -> KeyName { MemberReader(bytes).key(at: index.start(of: position)) }

    /// All that is known of a member.
    func member(at position: Int) -> Member {
        let value = valueRange(at: position)
        return Member(
            key: key(at: position), start: index.start(of: position), value: value,
            comma: MemberReader(bytes).comma(behind: value.upperBound))
    }

    /// Where the value of a member stands.
    func valueRange(at position: Int) -> Range<Int> { contents.reading.valueRange(at: position, in: bytes) }

    /// In the order of the file, duplicates included.
    package var members: [Member] { (0..<count).map(member(at:)) }

    /// The names, each once, at the places of the members that count.
    package var keys: [KeyName] {
        let reading = contents.reading
        if let known = reading.names.load() { return known.all }
        return reading.names.storeIfNil(Names(counting.map(key(at:)))).all
    }

    /// The members that count: the last of each name.
    var counting: [Int] {
        if index.repeats.isEmpty { return Array(0..<count) }
        // In one pass, and not by looking each up: who finds a name with an escape reads all that stands before its
        // colon.
        var last: [KeyName: Int] = [:]
        for position in index.repeats { last[key(at: position)] = position }
        return (0..<count).filter { position in last[key(at: position)].map { $0 == position } ?? true }
    }

    /// The line and column of a key's value, found by reading up to it.
    package func place(ofKey key: KeyName) -> (line: Int, column: Int)? {
        guard let position = position(of: key) else { return nil }
        let place = TextPlace(of: valueRange(at: position).lowerBound, in: bytes[...])
        return (place.line, place.column)
    }

    /// Each name that stood in the file before, and where it stands again; found by reading up to it.
    package var duplicateKeys: [(key: KeyName, line: Int, column: Int)] { duplicateKeys(atMost: .max) }

    /// The first of them: as many as are told at a time, of a file that may have any number.
    package func duplicateKeys(atMost count: Int) -> [(key: KeyName, line: Int, column: Int)] {
        if isUnread { return [] }
        var place = TextPlace(startOf: bytes[...])
        return index.repeats.prefix(count).map { position in
            place.advance(to: index.start(of: position), in: bytes[...])
            return (key(at: position), place.line, place.column)
        }
    }
}
