/// The elements of an array, or the members of an object, where they stand in a text: F1's means to change some of them and
/// leave every other byte as the user wrote it.
protocol TextList {
    var bytes: [UInt8] { get }
    /// What is between the brackets or braces.
    var body: Range<Int> { get }
    var count: Int { get }
    /// Returns where an element, or a member's name, begins.
    func start(of position: Int) -> Int
    /// Returns the range of an element, or of a member's value.
    func valueRange(at position: Int) -> Range<Int>
}

extension TextList {
    /// The comma after an element, if there is one.
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

    /// Where the blanks before an index begin.
    func blanksStart(before index: Int) -> Int {
        index - bytes[..<index].reversed().prefix(while: \.isBlank).count
    }

    /// The blanks before an index, if they are all that is before it on its line.
    func indentation(before index: Int) -> [UInt8]? {
        let line = blanksStart(before: index)
        return line > 0 && bytes[line - 1].isLineEnd ? Array(bytes[line..<index]) : nil
    }

    /// The line end that the text uses first; LF if it uses none.
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
    /// The blanks before an element.
    let indentation: [UInt8]
    /// The blanks before the bracket or brace that closes the list.
    let closing: [UInt8]
}

/// What happens to the elements that do not stay as they are, by their positions.
struct ListFates {
    private var texts: [(position: Int, text: ArraySlice<UInt8>?)] = []
    private var removed: Set<Int> = []

    /// Replaces the text of an element, or of a member's value, to which nothing else happens.
    mutating func replace(_ text: ArraySlice<UInt8>, at position: Int) { texts.append((position, text)) }

    /// Removes an element, once.
    mutating func remove(_ position: Int) {
        if removed.insert(position).inserted { texts.append((position, nil)) }
    }

    func isRemoved(_ position: Int) -> Bool { !removed.isEmpty && removed.contains(position) }

    var isEmpty: Bool { texts.isEmpty }

    /// In the order of the text.
    var all: [(position: Int, text: ArraySlice<UInt8>?)] { texts.sorted { $0.position < $1.position } }
}
