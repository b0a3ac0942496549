/// Replaces elements, and decides which bytes go with a removed one: its comma, its line, and the comments behind it on that
/// line. A comment on a line of its own stays.
extension TextList {
    /// Returns the text with some elements replaced or removed.
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
        guard let comma = comma(at: last), bytes[valueEnd..<comma].contains(where: \.isLineEnd) else {
            return [trimmed(start(of: position)..<ownEnd(of: last))]
        }
        // What is on lines of its own between the element and its comma stays.
        return [
            trimmed(start(of: position)..<endOfComments(behind: valueEnd)),
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
