/// The elements of an array, or the members of an object, where they stand in a text: F1's means to change some of them and
/// leave every other byte as the user wrote it.
protocol TextList {
    var bytes: [UInt8] { get }
    /// What is between the brackets or braces.
    var body: Range<Int> { get }
    var count: Int { get }
    func start(of position: Int) -> Int
    func valueRange(at position: Int) -> Range<Int>
}

extension TextList {
    func comma(at position: Int) -> Int? {
        MemberReader(bytes).comma(behind: valueRange(at: position).upperBound)
    }

    /// Where an element ends that is followed by nothing but its own: with its comma, and with the comments behind that on
    /// the same line.
    func ownEnd(of position: Int) -> Int {
        endOfComments(behind: comma(at: position).map { $0 + 1 } ?? valueRange(at: position).upperBound)
    }

    /// Where the comments end that follow on the same line; the index itself if an element follows them there, since they
    /// may be that one's.
    func endOfComments(behind start: Int) -> Int {
        var end = start
        while true {
            let next = blanksEnd(from: end)
            if next >= body.upperBound || bytes[next].isLineEnd { return end }
            guard bytes[next] == UInt8(ascii: "/") else { return start }
            end = JSONScanner.endOfComment(at: next, in: bytes[...])
        }
    }

    /// Whether one of some comments, with nothing but white space among them, ends with its line.
    static func hasLineComment(_ comments: ArraySlice<UInt8>) -> Bool {
        var rest = comments
        while let start = rest.firstIndex(of: UInt8(ascii: "/")) {
            if rest[(start + 1)...].first == UInt8(ascii: "/") { return true }
            rest = rest[JSONScanner.endOfComment(at: start, in: rest)...]
        }
        return false
    }

    func blanksEnd(from index: Int) -> Int { index + bytes[index...].prefix(while: \.isBlank).count }

    func blanksStart(before index: Int) -> Int {
        index - bytes[..<index].reversed().prefix(while: \.isBlank).count
    }

    /// The blanks before an index, if they are all that is before it on its line.
    func indentation(before index: Int) -> [UInt8]? {
        let line = blanksStart(before: index)
        return line > 0 && bytes[line - 1].isLineEnd ? Array(bytes[line..<index]) : nil
    }

    /// Returns the lines in which a new object is laid out: as the last object here is, and where there is none as the list
    /// itself; nil to have it on one line.
    func linesOfObjects(in lines: TextLines?) -> TextLines? {
        let last = (0..<count).reversed().lazy.map { StoredValue(trusted: bytes[valueRange(at: $0)]) }
            .first { $0.isObject && $0.bytes.count > 2 }
        return last?.hasLineEnds == false ? nil : lines
    }

    /// The first line end of the text; LF if there is none.
    var lineEnd: [UInt8] {
        let first = bytes.firstIndex(where: \.isLineEnd)
        let isWindows = first.map { bytes[$0...].starts(with: TextLines.windowsEnd) } ?? false
        return isWindows ? TextLines.windowsEnd : [UInt8(ascii: "\n")]
    }
}

/// How a list that has its elements on lines of their own begins these lines.
struct TextLines {
    static let windowsEnd: [UInt8] = [UInt8(ascii: "\r"), UInt8(ascii: "\n")]

    let end: [UInt8]
    let indentation: [UInt8]
    /// The blanks before the bracket or brace that closes the list.
    let closing: [UInt8]

    /// The largest text that is laid out, in bytes: each line begins with up to 256 blanks.
    private static let most = 65_536

    /// Returns the text of a new value in the list: an object has its members on lines of their own, objects in it too.
    func text(of value: StoredValue) -> StoredValue {
        guard value.isObject, value.bytes.count <= TextLines.most else { return value }
        return StoredValue(trusted: text(of: value.value)[...])
    }

    private func text(of value: DefaultsValue) -> [UInt8] {
        guard case .object(let object) = value, !object.isEmpty else { return JSONWriter.text(of: value) }
        let step = indentation.starts(with: closing) ? Array(indentation[closing.count...]) : []
        let inner = TextLines(
            end: end, indentation: indentation + (step.isEmpty ? [0x20, 0x20] : step), closing: indentation)
        var text = [UInt8(ascii: "{")]
        for position in object.indices {
            if position > 0 { text.append(UInt8(ascii: ",")) }
            text += inner.end + inner.indentation + object.name(at: position).quoted + ": ".utf8
            text += inner.text(of: object[position].value)
        }
        return text + end + indentation + "}".utf8
    }
}

/// What happens to the elements that do not stay as they are, by their positions.
struct ListFates {
    private var texts: [(position: Int, text: ArraySlice<UInt8>?)] = []
    private var removed: Set<Int> = []
    /// Where what goes with a removed element begins, if that is not the element.
    private var starts: [Int: Int] = [:]

    /// Replaces the text of an element, or of a member's value, to which nothing else happens.
    mutating func replace(_ text: ArraySlice<UInt8>, at position: Int) { texts.append((position, text)) }

    /// Removes an element, once, with what is before it from an index on.
    mutating func remove(_ position: Int, from start: Int? = nil) {
        if let start { starts[position] = start }
        if removed.insert(position).inserted { texts.append((position, nil)) }
    }

    func start(ofRemoved position: Int) -> Int? { starts[position] }

    func isRemoved(_ position: Int) -> Bool { !removed.isEmpty && removed.contains(position) }

    var isEmpty: Bool { texts.isEmpty }

    /// In the order of the text.
    var all: [(position: Int, text: ArraySlice<UInt8>?)] { texts.sorted { $0.position < $1.position } }
}

/// Replaces elements, and decides which bytes go with a removed one: its comma, its line, and the comments behind it on that
/// line. A comment on a line of its own stays.
extension TextList {
    func edited(_ fates: ListFates) -> [UInt8] {
        var copier = TextCopier(bytes)
        var surplus = commaToDrop(fates)
        for (position, text) in fates.all {
            if let last = surplus, last.position < position {
                copier.cut(last.piece)
                surplus = nil
            }
            if let text {
                copier.replace(valueRange(at: position), with: text)
            } else {
                for piece in removedPieces(at: position, fates) { copier.cut(piece) }
            }
        }
        return copier.finished()
    }

    /// Returns the last element that stays although nothing is left after its comma to separate, and that comma.
    ///
    /// A list that ended in a trailing comma keeps one.
    private func commaToDrop(_ fates: ListFates) -> (position: Int, piece: Range<Int>)? {
        guard count > 0, fates.isRemoved(count - 1), comma(at: count - 1) == nil,
            let position = (0..<count).last(where: { !fates.isRemoved($0) }), let comma = comma(at: position)
        else { return nil }
        guard let indentation = indentation(before: comma) else { return (position, comma..<comma + 1) }
        // It begins its line, of which nothing is left; but a line comment before it keeps its end.
        let line = comma - indentation.count
        if Self.hasLineComment(bytes[valueRange(at: position).upperBound..<line]) {
            return (position, line..<comma + 1)
        }
        let start = bytes[..<line].hasSuffix(TextLines.windowsEnd) ? line - 2 : line - 1
        return (position, start..<comma + 1)
    }

    /// Returns what to cut for the removed element at a position, in order; nothing if the element before it has covered
    /// that.
    private func removedPieces(at position: Int, _ fates: ListFates) -> [Range<Int>] {
        if position > 0, fates.isRemoved(position - 1), isFollowedDirectly(position - 1) { return [] }
        var last = position
        while fates.isRemoved(last + 1), isFollowedDirectly(last) { last += 1 }
        let valueEnd = valueRange(at: last).upperBound
        let start = fates.start(ofRemoved: position) ?? start(of: position)
        guard let comma = comma(at: last), bytes[valueEnd..<comma].contains(where: \.isLineEnd) else {
            return [trimmed(start..<ownEnd(of: last))]
        }
        // What is on lines of its own between the element and its comma stays.
        return [
            trimmed(start..<endOfComments(behind: valueEnd)),
            trimmed(comma..<endOfComments(behind: comma + 1)),
        ]
    }

    /// Whether only blanks separate an element from the next one on its line.
    private func isFollowedDirectly(_ position: Int) -> Bool {
        guard position + 1 < count, let comma = comma(at: position) else { return false }
        return !bytes[valueRange(at: position).upperBound..<comma].contains(where: \.isLineEnd)
            && blanksEnd(from: ownEnd(of: position)) == start(of: position + 1)
    }

    /// The piece with the white space that would be left over: the whole line, if nothing else stands on it.
    private func trimmed(_ piece: Range<Int>) -> Range<Int> {
        let start = blanksStart(before: piece.lowerBound)
        let end = blanksEnd(from: piece.upperBound)
        // Before the bracket its own blanks stay; before an element or a comment, those in front of the piece do.
        if end == body.upperBound { return start..<piece.upperBound }
        guard bytes[end].isLineEnd else { return piece.lowerBound..<end }
        return start..<(bytes[start - 1].isLineEnd ? afterLineEnd(at: end) : end)
    }

    private func afterLineEnd(at index: Int) -> Int {
        bytes[index...].starts(with: TextLines.windowsEnd) ? index + 2 : index + 1
    }

    /// Returns the text with nothing between the brackets, if no element is left and only white space is there.
    var withoutHollowBody: [UInt8]? {
        guard count == 0, !body.isEmpty, bytes[body].allSatisfy(\.isWhiteSpace) else { return nil }
        var copier = TextCopier(bytes)
        copier.cut(body)
        return copier.finished()
    }
}

extension ArraySlice<UInt8> {
    fileprivate func hasSuffix(_ end: [UInt8]) -> Bool { suffix(end.count).elementsEqual(end) }
}
