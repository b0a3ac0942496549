/// Decides which bytes go with a removed member.
extension SettingsDocument {
    /// The comma of the last member that stays, where nothing is left behind it to separate.
    ///
    /// A file that ended in a trailing comma keeps one.
    func commaToDrop(_ fates: [Fate]) -> Int? {
        guard let last = members.last, last.comma == nil, fates.last?.isRemoved == true else { return nil }
        return fates.lastIndex { !$0.isRemoved }.flatMap { members[$0].comma }
    }

    /// What to cut for the removed member at a position, in order; nothing if the one before it saw to that.
    func removedPieces(at position: Int, _ fates: [Fate]) -> [Range<Int>] {
        if position > 0, fates[position - 1].isRemoved, isFollowedDirectly(position - 1) { return [] }
        var last = position
        while last + 1 < members.count, fates[last + 1].isRemoved, isFollowedDirectly(last) { last += 1 }
        let end = ownEnd(of: last)
        let member = trimmed(members[position].start..<end)
        guard let comma = members[last].comma, comma >= end else { return [member] }
        return [member, comma..<comma + 1]
    }

    /// Whether only blanks stand between a member and the next one on its line.
    private func isFollowedDirectly(_ position: Int) -> Bool {
        blanksEnd(from: ownEnd(of: position)) == members[position + 1].start
    }

    /// The end of a member with its comma, unless a comment stands between them.
    private func ownEnd(of position: Int) -> Int {
        let end = members[position].value.upperBound
        guard let comma = members[position].comma, bytes[end..<comma].allSatisfy(\.isWhiteSpace) else {
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
        guard members.isEmpty, bytes[body].allSatisfy(\.isWhiteSpace) else { return self }
        var copier = TextCopier(bytes)
        copier.cut(body)
        return with(bytes: copier.finished(), members: [], body: body.lowerBound..<body.lowerBound)
    }
}
