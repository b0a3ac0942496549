/// Decides which bytes are removed together with a member.
extension SettingsDocument {
    /// Returns the last member that stays although nothing is left after its comma to separate.
    ///
    /// A file that ended in a trailing comma keeps one.
    func memberWithCommaToDrop(_ fates: Fates) -> (position: Int, comma: Int)? {
        guard count > 0, fates.isRemoved(count - 1), comma(at: count - 1) == nil else { return nil }
        guard let position = (0..<count).last(where: { !fates.isRemoved($0) }) else { return nil }
        return comma(at: position).map { (position, $0) }
    }

    private func comma(at position: Int) -> Int? {
        MemberReader(bytes).comma(behind: valueRange(at: position).upperBound)
    }

    /// Returns what to cut for the removed member at a position, in order; nothing if the member before it has
    /// covered that.
    func removedPieces(at position: Int, _ fates: Fates) -> [Range<Int>] {
        if position > 0, fates.isRemoved(position - 1), isFollowedDirectly(position - 1) { return [] }
        var last = position
        while fates.isRemoved(last + 1), isFollowedDirectly(last) { last += 1 }
        let end = ownEnd(of: last)
        let member = trimmed(index.start(of: position)..<end)
        guard let comma = comma(at: last), comma >= end else { return [member] }
        return [member, comma..<comma + 1]
    }

    /// Whether only blanks separate a member from the next one on its line.
    private func isFollowedDirectly(_ position: Int) -> Bool {
        blanksEnd(from: ownEnd(of: position)) == index.start(of: position + 1)
    }

    /// Returns the end of a member with its comma, unless a comment stands between them.
    private func ownEnd(of position: Int) -> Int {
        let end = valueRange(at: position).upperBound
        guard let comma = comma(at: position), bytes[end..<comma].allSatisfy(\.isWhiteSpace) else {
            return end
        }
        return comma + 1
    }

    /// The piece with the white space that would be left over: the whole line, if nothing else stands on it.
    private func trimmed(_ piece: Range<Int>) -> Range<Int> {
        let start = piece.lowerBound - bytes[..<piece.lowerBound].reversed().prefix(while: \.isBlank).count
        let end = blanksEnd(from: piece.upperBound)
        let next = bytes[end]
        if next.isLineEnd {
            return start..<(bytes[start - 1].isLineEnd ? lineEnd(at: end) : end)
        }
        // Before the brace its own blanks stay; before a member or a comment, those in front of the piece do.
        return next == UInt8(ascii: "}") ? start..<piece.upperBound : piece.lowerBound..<end
    }

    private func blanksEnd(from index: Int) -> Int {
        index + bytes[index...].prefix(while: \.isBlank).count
    }

    private func lineEnd(at index: Int) -> Int {
        bytes[index...].starts(with: Layout.windowsLineEnd) ? index + 2 : index + 1
    }

    /// `{}` in place of braces with nothing but white space between them, when no member is left.
    func withoutHollowBody() -> SettingsDocument {
        guard count == 0, !body.isEmpty, bytes[body].allSatisfy(\.isWhiteSpace) else { return self }
        var copier = TextCopier(bytes)
        copier.cut(body)
        return SettingsDocument(edited: copier.finished())
    }
}
