/// An array or object that is the value of a member, or inside of one, with the positions of its elements.
struct NestedList: TextList {
    let bytes: [UInt8]
    let body: Range<Int>
    /// Empty for an array.
    let names: [KeyName]
    private let elements: [(start: Int, value: Range<Int>)]

    /// Reads the text of an array or object, validated before, from its bracket to its bracket.
    init(_ text: [UInt8]) throws(JSONFault) {
        bytes = text
        var scanner = JSONScanner(text[...], levels: .max)
        let open = text.first == UInt8(ascii: "{") ? UInt8(ascii: "{") : UInt8(ascii: "[")
        var list = try scanner.begin(open)
        let first = scanner.position
        var elements: [(start: Int, value: Range<Int>)] = []
        var names: [KeyName] = []
        while try scanner.advance(&list) {
            let start = scanner.position
            if list.isOfMembers { names.append(KeyName(try scanner.key())) }
            elements.append((start, try scanner.skipValue()))
        }
        body = first..<scanner.position - 1
        (self.elements, self.names) = (elements, names)
    }

    var count: Int { elements.count }

    func start(of position: Int) -> Int { elements[position].start }

    func valueRange(at position: Int) -> Range<Int> { elements[position].value }

    /// The comments that belong to an element: before its comma, and behind that on its line.
    func comments(of position: Int) -> (before: ArraySlice<UInt8>, behind: ArraySlice<UInt8>) {
        let valueEnd = valueRange(at: position).upperBound
        guard let comma = comma(at: position) else {
            return ([], bytes[valueEnd..<endOfComments(behind: valueEnd)])
        }
        let before = bytes[valueEnd..<comma]
        let isBefore = before.contains { !$0.isWhiteSpace } && !before.contains(where: \.isLineEnd)
        return (isBefore ? before : [], bytes[comma + 1..<endOfComments(behind: comma + 1)])
    }

    /// The comments that stand on lines of their own right above an element, up to the element; nil if there are none.
    ///
    /// An empty line separates them from those before it, which are about more than the element.
    func commentsAbove(_ position: Int) -> Range<Int>? {
        let start = start(of: position)
        guard indentation(before: start) != nil else { return nil }
        var place = position > 0 ? ownEnd(of: position - 1) : endOfComments(behind: body.lowerBound)
        var first: Int?
        var lineEnds = 0
        while place < start {
            if bytes[place] == UInt8(ascii: "/") {
                if lineEnds > 1 { first = nil }
                if first == nil, lineEnds > 0 { first = blanksStart(before: place) }
                lineEnds = 0
                place = JSONScanner.endOfComment(at: place, in: bytes[...])
            } else {
                if bytes[place] == UInt8(ascii: "\n") { lineEnds += 1 }
                place += 1
            }
        }
        return lineEnds == 1 ? first.map { $0..<start } : nil
    }
}

extension NestedList {
    /// An element that is added.
    struct Addition {
        let text: [UInt8]
        /// Whether the text begins with what begins a line, since comments are above the element.
        var isIndented = false
        var comments: ArraySlice<UInt8> = []

        func begin(of lines: TextLines) -> [UInt8] {
            lines.end + (isIndented ? [] : lines.indentation)
        }

        /// What ends its comments where the list is on one line.
        ///
        /// - Parameter lineEnd: looked for only then, since that may take all of a long line.
        func end(_ lineEnd: @autoclosure () -> [UInt8]) -> [UInt8] {
            NestedList.hasLineComment(comments) ? lineEnd() : []
        }
    }

    /// How the list begins its lines; nil if it is on one line, as it is without any line end of its own.
    var lines: TextLines? {
        let own = closingIndentation
        if count > 0 {
            if let indentation = indentation(before: start(of: 0)) {
                return TextLines(
                    end: lineEnd, indentation: indentation, closing: own ?? NestedList.outer(indentation))
            }
            // Where a line comment follows the last one, there is no place behind it on its line.
            guard bytes[ownEndOfLast..<body.upperBound].contains(where: \.isLineEnd) else { return nil }
        } else if !bytes[body].contains(where: \.isLineEnd) {
            return nil
        }
        return TextLines(end: lineEnd, indentation: (own ?? []) + [0x20, 0x20], closing: own ?? [])
    }

    private var ownEndOfLast: Int { valueRange(at: count - 1).upperBound }

    private var closingIndentation: [UInt8]? { indentation(before: body.upperBound) }

    /// One step less than an indentation: a tab, or two blanks.
    private static func outer(_ indentation: [UInt8]) -> [UInt8] {
        indentation.dropLast(indentation.last == UInt8(ascii: "\t") ? 1 : 2)
    }

    /// Returns the text with elements added.
    ///
    /// - Parameters:
    ///   - additions: by the position of the element that they come before; ``count`` for the end.
    ///   - lines: how the list began its lines before it was changed.
    func adding(_ additions: [Int: [Addition]], in lines: TextLines?) -> [UInt8] {
        var copier = TextCopier(bytes)
        for position in additions.keys.sorted() where position < count {
            insert(additions[position] ?? [], before: position, lines, &copier)
        }
        if let last = additions[count] { append(last, lines, &copier) }
        return copier.finished()
    }

    /// Where the line ends before the first element and its comments, behind what is about the whole list; on the bracket's
    /// own line, where that line's comments end.
    private var endBeforeFirst: Int {
        let first = commentsAbove(0)?.lowerBound ?? blanksStart(before: start(of: 0))
        guard bytes[first - 1].isLineEnd else { return endOfComments(behind: body.lowerBound) }
        return bytes[..<first].suffix(2).elementsEqual(TextLines.windowsEnd) ? first - 2 : first - 1
    }

    private func insert(
        _ additions: [Addition], before position: Int, _ lines: TextLines?, _ copier: inout TextCopier
    ) {
        let comma = [UInt8(ascii: ",")]
        let behind = position > 0 ? ownEnd(of: position - 1) : endBeforeFirst
        guard let lines, bytes[blanksEnd(from: behind)].isLineEnd else {
            let texts = additions.flatMap { addition in
                let end = addition.end(lineEnd)
                return addition.text + comma + addition.comments
                    + (end.isEmpty ? [UInt8(ascii: " ")] : end)
            }
            return copier.insert(texts, at: start(of: position))
        }
        copier.insert(
            additions.flatMap { $0.begin(of: lines) + $0.text + comma + $0.comments }, at: behind)
    }

    private func append(_ additions: [Addition], _ lines: TextLines?, _ copier: inout TextCopier) {
        let comma = [UInt8(ascii: ",")]
        let isTrailing = count > 0 && self.comma(at: count - 1) != nil
        if count > 0, !isTrailing { copier.insert(comma, at: ownEndOfLast) }
        let end = body.upperBound - bytes[body].reversed().prefix(while: \.isWhiteSpace).count
        guard let lines else {
            var texts: [UInt8] = []
            for (place, addition) in additions.enumerated() {
                let (isLast, end) = (place == additions.count - 1, addition.end(lineEnd))
                texts += addition.text + (isLast && !isTrailing ? [] : comma) + addition.comments + end
                if !isLast, end.isEmpty { texts.append(UInt8(ascii: " ")) }
            }
            if end == body.lowerBound { return copier.replace(body, with: texts) }
            return copier.insert([UInt8(ascii: " ")] + texts, at: end)
        }
        var text: [UInt8] = []
        for (place, addition) in additions.enumerated() {
            text += addition.begin(of: lines) + addition.text
            if isTrailing || place < additions.count - 1 { text += comma }
            text += addition.comments
        }
        let gap = end..<blanksEnd(from: end)
        guard gap.upperBound >= body.upperBound else { return copier.insert(text, at: gap.upperBound) }
        // The blanks before the bracket give way to a line of its own.
        copier.replace(end..<body.upperBound, with: text + lines.end + lines.closing)
    }
}
