/// The text of a settings file with the positions of its members.
///
/// What it hands out are slices of the text: nothing is decoded until it is requested.
package struct SettingsDocument: Sendable {
    /// One `"key": value` of the text.
    package struct Member: Sendable, Hashable {
        package let key: KeyName
        /// The index of the key's opening quote.
        package let start: Int
        package let value: Range<Int>
        let comma: Int?
    }

    /// Behind one reference, because every state and every commit has a copy.
    private let contents: Contents

    private final class Contents: Sendable {
        let bytes: [UInt8]
        let reading: Reading

        init(bytes: [UInt8], reading: Reading) { (self.bytes, self.reading) = (bytes, reading) }
    }

    /// What is known of a text that was read to its end.
    private final class Reading: Sendable {
        let index: MemberIndex
        let body: Range<Int>
        let fault: JSONFault?
        /// Cheaper to check than ``fault``.
        let hasFault: Bool
        /// In the order of the file; read once, when first requested.
        let names = LazyReference<Names>()

        init() { (index, body, fault, hasFault) = (MemberIndex(), 0..<0, nil, false) }

        init(_ bytes: [UInt8], isQuick: Bool, levels: Int = .max) {
            var reader = SettingsReader(bytes, isQuick: isQuick, levels: levels)
            fault = reader.read()
            (index, body, hasFault) = (reader.index, reader.body, fault != nil)
        }

        /// Here, like the next function, so that the index is not copied on the way to it.
        func position(of key: KeyName, in bytes: [UInt8]) -> Int? {
            index.position(of: key, in: bytes) { MemberReader(bytes).key(at: $0) }
        }

        func valueRange(at position: Int, in bytes: [UInt8]) -> Range<Int> {
            MemberReader(bytes).value(at: index.start(of: position), until: index.valueEnd(of: position))
        }
    }

    private final class Names: Sendable {
        let all: [KeyName]
        init(_ all: [KeyName]) { self.all = all }
    }

    package static let empty = SettingsDocument(contents: Contents(bytes: [], reading: Reading()))

    private init(contents: Contents) { self.contents = contents }

    /// Both are one reading of one text.
    func isSame(as other: SettingsDocument) -> Bool { contents === other.contents }

    package var bytes: [UInt8] { contents.bytes }
    /// Why the text is not a settings file, if it is not; `members` are those that could be read.
    package var fault: JSONFault? { hasFault ? contents.reading.fault : nil }
    package var hasFault: Bool { contents.reading.hasFault }
    /// What is between the outer braces; meaningless after a fault, and in a text that says nothing.
    var body: Range<Int> { contents.reading.body }
    var isObject: Bool { !hasFault && !isBlank }
    /// An empty file is an empty suite.
    var isBlank: Bool { SettingsDocument.isBlank(bytes) }
    var index: MemberIndex { contents.reading.index }

    /// Reads a settings file: what ``read(_:)`` reads, or nothing but white space
    /// and comments, since an empty file is an empty suite.
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

    /// Whether the text begins as an object does, after white space and a byte-order mark.
    var beginsAsObject: Bool {
        let bytes = self.bytes
        return bytes.dropFirst(JSONScanner.hasByteOrderMark(bytes[...]) ? 3 : 0).first { !$0.isWhiteSpace }
            == UInt8(ascii: "{")
    }

    /// Whether a text has nothing but white space, after a byte-order mark if there is one.
    private static func isBlank(_ bytes: [UInt8]) -> Bool {
        let start = JSONScanner.hasByteOrderMark(bytes[...]) ? 3 : 0
        guard let first = bytes[start...].first(where: { !$0.isWhiteSpace }) else { return true }
        guard first == UInt8(ascii: "/") else { return false }
        var scanner = JSONScanner(bytes[...])
        do {
            try scanner.skipStart()
            return scanner.next == nil
        } catch {
            return false
        }
    }

    /// Creates the document of a text that was assembled from validated pieces.
    ///
    /// It is validated again on the way, like every text whose values are served.
    init(edited bytes: [UInt8]) { self = SettingsDocument.read(bytes).document }
}

extension SettingsDocument: TextList {
    /// The largest text that is written, in bytes: 64 MiB.
    static let greatestLength = 64 << 20

    /// Of the last member with that name.
    package func value(forKey key: KeyName) -> StoredValue? {
        let (reading, bytes) = (contents.reading, contents.bytes)
        guard let position = reading.position(of: key, in: bytes) else { return nil }
        return StoredValue(trusted: bytes[reading.valueRange(at: position, in: bytes)])
    }

    func value(at position: Int) -> StoredValue { StoredValue(trusted: bytes[valueRange(at: position)]) }

    /// Of the last member with that name.
    func position(of key: KeyName) -> Int? { contents.reading.position(of: key, in: bytes) }

    /// Duplicates included.
    var count: Int { index.count }

    func key(at position: Int) -> KeyName { MemberReader(bytes).key(at: index.start(of: position)) }

    func member(at position: Int) -> Member {
        let value = valueRange(at: position)
        return Member(
            key: key(at: position), start: index.start(of: position), value: value,
            comma: MemberReader(bytes).comma(behind: value.upperBound))
    }

    func start(of position: Int) -> Int { index.start(of: position) }

    func valueRange(at position: Int) -> Range<Int> { contents.reading.valueRange(at: position, in: bytes) }

    /// In the order of the file, duplicates included.
    package var members: [Member] { (0..<count).map(member(at:)) }

    /// Each once, in the order of the effective members.
    package var keys: [KeyName] {
        let reading = contents.reading
        if let known = reading.names.load() { return known.all }
        return reading.names.storeIfNil(Names(counting.map(key(at:)))).all
    }

    /// The effective members: the last of each name.
    var counting: [Int] {
        if index.repeats.isEmpty { return Array(0..<count) }
        // In one pass, and not by looking each up: finding a name with an escape means reading all names before it.
        var last: [KeyName: Int] = [:]
        for position in index.repeats { last[key(at: position)] = position }
        return (0..<count).filter { position in last[key(at: position)].map { $0 == position } ?? true }
    }

    /// Found by reading up to it.
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
        var place = TextPlace(startOf: bytes[...])
        return index.repeats.prefix(count).map { position in
            place.advance(to: index.start(of: position), in: bytes[...])
            return (key(at: position), place.line, place.column)
        }
    }
}

/// F1: changes members and leaves every other byte of the text as the user wrote it.
extension SettingsDocument {
    /// Returns the document after changes of which no two have the same key: a value sets its key, nil removes it.
    ///
    /// An existing key keeps its line except for the value, and of an array or object everything that is equal keeps its
    /// text (`TextMerging`); of duplicates the last is set, all are removed. A new key goes after the last member, on a line
    /// of its own; `$schema` before the first. Comments stay, except those behind a removed member on its line. Changes
    /// without effect give the same bytes. A document with a fault is written again from its members.
    ///
    /// Cost: the length of the text, which is read again, and copied once for values and once for new keys.
    ///
    /// - Parameter keepsLayout: false to replace arrays and objects as a whole, which takes no more room than their own
    ///   text.
    func applying(ofEachKeyOne wanted: [StoredChange], keepsLayout: Bool = true) -> SettingsDocument {
        var fates = ListFates()
        var additions: [StoredChange] = []
        var repeats = Repeats()
        for change in wanted {
            guard let position = position(of: change.key) else {
                if !change.isRemoval { additions.append(change) }
                continue
            }
            guard let value = change.value else {
                for other in repeats.positions(of: change.key, in: self) { fates.remove(other) }
                fates.remove(position)
                continue
            }
            let present = self.value(at: position)
            guard value != present else { continue }
            let text = keepsLayout && value.isList ? TextMerging.merged(value, into: present) : value
            if text != present { fates.replace(text.bytes, at: position) }
        }
        guard !fates.isEmpty || !additions.isEmpty else { return self }
        guard isObject else { return rebuilt().applying(ofEachKeyOne: wanted, keepsLayout: keepsLayout) }
        let rewritten = fates.isEmpty ? self : rewriting(fates)
        guard !additions.isEmpty else { return rewritten }
        let layout = layout
        let isOnLines = count == 0 || indentation(before: start(of: 0)) != nil
        if keepsLayout, isOnLines, additions.contains(where: { $0.value?.isObject == true }),
            let lines = linesOfObjects(in: layout)
        {
            additions = additions.map { StoredChange($0.value.map(lines.text(of:)), forKey: $0.key) }
        }
        return rewritten.adding(additions, in: layout)
    }

    /// The same members in a text that is a whole JSON object: rewritten if it has a fault or says nothing.
    package var whole: SettingsDocument { isObject ? self : rebuilt() }

    /// The positions of members whose name occurs more than once: computed when one is first asked for, by reading
    /// each name once, however many keys are removed.
    private struct Repeats {
        private var known: [KeyName: [Int]]?

        /// Empty if there is only one.
        mutating func positions(of key: KeyName, in document: SettingsDocument) -> [Int] {
            guard !document.index.repeats.isEmpty else { return [] }
            let positions = known ?? Repeats.all(in: document)
            known = positions
            return positions[key] ?? []
        }

        private static func all(in document: SettingsDocument) -> [KeyName: [Int]] {
            var all: [KeyName: [Int]] = [:]
            for position in document.index.repeats { all[document.key(at: position)] = [] }
            for position in 0..<document.count { all[document.key(at: position)]?.append(position) }
            return all
        }
    }

    /// Returns a text of our own with the members that count.
    private func rebuilt() -> SettingsDocument {
        let comments = comments
        let blank = SettingsDocument(
            edited: comments + "{}".utf8 + (comments.isEmpty ? [UInt8(ascii: "\n")] : lineEnd))
        let counting = counting
        guard !counting.isEmpty else { return blank }
        let members = counting.map { StoredChange(value(at: $0).onOneLine, forKey: key(at: $0)) }
        return blank.appending(members, in: blank.layout)
    }

    /// The comments of a text that has nothing else, each on its lines; nothing of any other text.
    private var comments: [UInt8] {
        let end = bytes.count - bytes.reversed().prefix(while: \.isWhiteSpace).count
        return isBlank && bytes[..<end].contains(UInt8(ascii: "/")) ? bytes[..<end] + lineEnd : []
    }

    private func rewriting(_ fates: ListFates) -> SettingsDocument {
        let document = SettingsDocument(edited: edited(fates))
        return document.withoutHollowBody.map { SettingsDocument(edited: $0) } ?? document
    }
}

/// Adds members in the layout of the text.
extension SettingsDocument {
    /// The line end that the text uses first, and the blanks before its first member; by default LF and two spaces.
    var layout: TextLines {
        let indentation = count > 0 ? indentation(before: start(of: 0)) : nil
        return TextLines(end: lineEnd, indentation: indentation ?? Array("  ".utf8), closing: [])
    }

    /// Adds keys that the document does not have, at least one: `$schema` at the front, where people and editors look
    /// for it, and the others after the last member.
    func adding(_ additions: [StoredChange], in layout: TextLines) -> SettingsDocument {
        guard let schema = additions.first(where: { $0.key == .schema }) else {
            return appending(additions, in: layout)
        }
        let others = additions.filter { $0.key != .schema }
        guard count > 0 else { return appending([schema] + others, in: layout) }
        let begun = prepending(schema, in: layout)
        return others.isEmpty ? begun : begun.appending(others, in: layout)
    }

    /// Adds a key before the first member, after a comment on the brace's own line.
    private func prepending(_ addition: StoredChange, in layout: TextLines) -> SettingsDocument {
        let gap = gapBehindBrace
        let line = bytes[gap.upperBound].isLineEnd ? [] : layout.end + layout.indentation
        return SettingsDocument(
            edited: text(with: [addition], in: layout, before: [UInt8(ascii: ",")] + line, inPlaceOf: gap))
    }

    /// What is replaced by a line after the brace: the blanks there, or the end of a line comment.
    private var gapBehindBrace: Range<Int> {
        let end = body.lowerBound + bytes[body].prefix(while: \.isBlank).count
        let comment = Array("//".utf8)
        guard bytes[end...].starts(with: comment) else { return body.lowerBound..<end }
        let lineEnd = bytes[end...].firstIndex(where: \.isLineEnd) ?? end
        return lineEnd..<lineEnd
    }

    /// Adds keys that the document does not have, at least one, after the last member.
    func appending(_ additions: [StoredChange], in layout: TextLines) -> SettingsDocument {
        let last = count > 0 ? member(at: count - 1) : nil
        let comma = last.flatMap { $0.comma == nil ? $0.value.upperBound : nil }
        let gap = gapBeforeBrace
        // A list that ends in a trailing comma keeps one.
        let trailing = last != nil && comma == nil ? [UInt8(ascii: ",")] : []
        let end = trailing + (gap.upperBound == body.upperBound ? layout.end : [])
        return SettingsDocument(
            edited: text(with: additions, in: layout, before: end, inPlaceOf: gap, comma: comma))
    }

    /// Where added lines go: the end of the last line that says anything, or the blanks before the brace.
    private var gapBeforeBrace: Range<Int> {
        let start = body.upperBound - bytes[body].reversed().prefix(while: \.isWhiteSpace).count
        let end = start + bytes[start..<body.upperBound].prefix(while: \.isBlank).count
        return end < body.upperBound ? end..<end : start..<end
    }

    /// Returns the text with new members, one per line, and what follows them in place of a piece.
    ///
    /// - Parameter comma: where one is missing before them.
    private func text(
        with members: [StoredChange], in layout: TextLines, before rest: [UInt8], inPlaceOf gap: Range<Int>,
        comma: Int? = nil
    ) -> [UInt8] {
        let begin = (layout.end + layout.indentation)[...]
        // The quotes, the colon with its space and the comma, and a key of nothing but escapes.
        let room = members.reduce(rest.count) {
            $0 + begin.count + $1.key.string.utf8.count * 6 + ($1.value?.bytes.count ?? 0) + 5
        }
        return ByteWriter.using(atMost: room) { lines in
            for member in members {
                guard let value = member.value else { continue }
                if lines.count > 0 { lines.put(UInt8(ascii: ",")) }
                lines.put(begin)
                lines.put(quoted: member.key)
                lines.put(": ")
                lines.put(value.bytes)
            }
            lines.put(rest[...])
            let added = lines.written(from: 0)
            var copier = TextCopier(bytes, room: added.count + 1)
            if let comma { copier.insert([UInt8(ascii: ",")], at: comma) }
            copier.replace(gap, with: added)
            return copier.finished()
        }
    }
}
