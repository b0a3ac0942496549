import Synchronization

/// The text of a settings file with the positions of its members.
///
/// What it hands out are slices of the text: nothing is decoded until it is requested.
package struct SettingsDocument: Sendable {
    /// One `"key": value` of the text.
    package struct Member: Sendable, Hashable {
        package let key: KeyName
        /// The index of the key's opening quote.
        package let start: Int
        /// The range of the value.
        package let value: Range<Int>
        /// The index of the comma after the value, if there is one.
        let comma: Int?
    }

    /// Behind one reference, because every state and every commit has a copy.
    private let contents: Contents

    private final class Contents: Sendable {
        let bytes: [UInt8]
        /// Nil for a text that was validated before.
        private let first: Reading?
        /// The reading of such a text, once it has been needed.
        private let late = LazyReference<Reading>()
        /// How often a key was searched in the text instead.
        let searches = Atomic<Int>(0)

        init(bytes: [UInt8], reading: Reading?) {
            self.bytes = bytes
            first = reading
        }

        var isUnread: Bool { first == nil && late.load() == nil }
        var reading: Reading { first ?? lateReading }

        /// Separate from what most texts have, and every read asks for.
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
        /// Whether there is a fault, which is cheaper to check.
        let hasFault: Bool
        /// The names in the order of the file, read once when they are first requested.
        let names = LazyReference<Names>()

        /// Creates the reading of no text.
        init() { (index, body, fault, hasFault) = (MemberIndex(), 0..<0, nil, false) }

        init(_ bytes: [UInt8], isQuick: Bool, levels: Int = .max) {
            var reader = SettingsReader(bytes, isQuick: isQuick, levels: levels)
            fault = reader.read()
            (index, body, hasFault) = (reader.index, reader.body, fault != nil)
        }

        /// Returns the last member with a name.
        ///
        /// Here, like the next function, so that the index is not copied on the way to it.
        func position(of key: KeyName, in bytes: [UInt8]) -> Int? {
            index.position(of: key, in: bytes) { MemberReader(bytes).key(at: $0) }
        }

        /// Returns the range of a member's value.
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
    /// Whether it is not a settings file.
    package var hasFault: Bool { !contents.isUnread && contents.reading.hasFault }
    /// What is between the outer braces; meaningless after a fault, and in a text that says nothing.
    var body: Range<Int> { contents.reading.body }
    /// Whether the text is one JSON object; otherwise it has a fault, or says nothing.
    var isObject: Bool { !hasFault && !isBlank }
    /// Whether the text says nothing: an empty file is an empty suite.
    var isBlank: Bool { SettingsDocument.isBlank(bytes) }
    /// Where the members begin.
    var index: MemberIndex { contents.reading.index }
    /// Whether it was validated before, and has not been read again.
    package var isUnread: Bool { contents.isUnread }

    /// Reads the text if it has not been read, so that it is not searched from here on.
    func readToEnd() { _ = contents.reading }

    /// Counts a search, and returns how many there have been.
    func countSearch() -> Int { contents.searches.add(1, ordering: .relaxed).newValue }

    /// Reads a settings file: what ``read(_:)`` reads, or nothing but white space, since an empty file is an empty suite.
    package static func read(file bytes: [UInt8]) -> (document: SettingsDocument, fault: JSONFault?) {
        guard isBlank(bytes) else { return read(bytes) }
        return (SettingsDocument(contents: Contents(bytes: bytes, reading: Reading())), nil)
    }

    /// Reads a settings file's text, which has to be one JSON object.
    ///
    /// If there is a fault, the document has the members before the damage and, in an indented file with one member
    /// per line, those on later lines. Changing it then writes a new text.
    ///
    /// - Parameter levels: how deeply a value may be nested: as deeply as it likes, if it is only kept.
    package static func read(
        _ bytes: [UInt8], levels: Int = .max
    ) -> (document: SettingsDocument, fault: JSONFault?) {
        read(bytes, isQuick: true, levels: levels)
    }

    /// Reads a settings file's text.
    ///
    /// - Parameter isQuick: whether what is written plainly is read by the quick scanner, which finds the same.
    static func read(
        _ bytes: [UInt8], isQuick: Bool, levels: Int = .max
    ) -> (document: SettingsDocument, fault: JSONFault?) {
        let reading = Reading(bytes, isQuick: isQuick, levels: levels < .max ? levels + 1 : levels)
        return (
            SettingsDocument(contents: Contents(bytes: bytes, reading: reading)),
            reading.hasFault ? reading.fault : nil
        )
    }

    /// Whether a text has nothing but white space, after a byte-order mark if there is one.
    private static func isBlank(_ bytes: [UInt8]) -> Bool {
        bytes.dropFirst(JSONScanner.hasByteOrderMark(bytes[...]) ? 3 : 0).allSatisfy(\.isWhiteSpace)
    }

    /// Creates the document of a text that was read before, here or in another process, and was found to be
    /// ``isSearchable``.
    init(checked bytes: [UInt8]) { self.init(contents: Contents(bytes: bytes, reading: nil)) }

    /// Creates the document of a text that was assembled from validated pieces.
    ///
    /// It is validated again on the way, like every text whose values are served.
    init(edited bytes: [UInt8]) { self = SettingsDocument.read(bytes).document }
}

extension SettingsDocument: TextList {
    /// The largest text that is written, in bytes: 64 MiB.
    static let greatestLength = 64 << 20

    /// Returns the value of the last member with that name.
    package func value(forKey key: KeyName) -> StoredValue? {
        if isUnread, let found = search(key) { return found.value }
        let (reading, bytes) = (contents.reading, contents.bytes)
        guard let position = reading.position(of: key, in: bytes) else { return nil }
        return StoredValue(trusted: bytes[reading.valueRange(at: position, in: bytes)])
    }

    func value(at position: Int) -> StoredValue { StoredValue(trusted: bytes[valueRange(at: position)]) }

    /// Returns the last member with that name.
    func position(of key: KeyName) -> Int? { contents.reading.position(of: key, in: bytes) }

    /// How many members there are, duplicates included.
    var count: Int { index.count }

    /// Returns the name of a member.
    func key(at position: Int) -> KeyName { MemberReader(bytes).key(at: index.start(of: position)) }

    /// Returns everything that is known of a member.
    func member(at position: Int) -> Member {
        let value = valueRange(at: position)
        return Member(
            key: key(at: position), start: index.start(of: position), value: value,
            comma: MemberReader(bytes).comma(behind: value.upperBound))
    }

    /// Returns where a member begins.
    func start(of position: Int) -> Int { index.start(of: position) }

    /// Returns the range of a member's value.
    func valueRange(at position: Int) -> Range<Int> { contents.reading.valueRange(at: position, in: bytes) }

    /// In the order of the file, duplicates included.
    package var members: [Member] { (0..<count).map(member(at:)) }

    /// The names, each once, in the order of the members that count.
    package var keys: [KeyName] {
        let reading = contents.reading
        if let known = reading.names.load() { return known.all }
        return reading.names.storeIfNil(Names(counting.map(key(at:)))).all
    }

    /// The members that count: the last of each name.
    var counting: [Int] {
        if index.repeats.isEmpty { return Array(0..<count) }
        // In one pass, and not by looking each up: finding a name with an escape means reading all names before it.
        var last: [KeyName: Int] = [:]
        for position in index.repeats { last[key(at: position)] = position }
        return (0..<count).filter { position in last[key(at: position)].map { $0 == position } ?? true }
    }

    /// Returns the line and column of a key's value, found by reading up to it.
    package func place(ofKey key: KeyName) -> (line: Int, column: Int)? {
        guard let position = position(of: key) else { return nil }
        let place = TextPlace(of: valueRange(at: position).lowerBound, in: bytes[...])
        return (place.line, place.column)
    }

    /// Each name that has occurred in the file before, and where it occurs again; found by reading up to it.
    package var duplicateKeys: [(key: KeyName, line: Int, column: Int)] { duplicateKeys(atMost: .max) }

    /// Returns the first duplicates as failures of the file.
    func duplicates(in path: String?) -> [DefaultsError] {
        duplicateKeys(atMost: FailureLog.mostOfOneFile).map { key, line, column in
            DefaultsError(.duplicateKey, key: key.string, path: path, line: line, column: column)
        }
    }

    /// Returns the first duplicates: as many as are reported at a time, of a file that may have any number.
    package func duplicateKeys(atMost count: Int) -> [(key: KeyName, line: Int, column: Int)] {
        if isUnread { return [] }
        var place = TextPlace(startOf: bytes[...])
        return index.repeats.prefix(count).map { position in
            place.advance(to: index.start(of: position), in: bytes[...])
            return (key(at: position), place.line, place.column)
        }
    }
}
