/// Adds members in the layout of the text.
extension SettingsDocument {
    /// The line end that the text uses first, and the blanks before its first member; by default LF and two spaces.
    var layout: TextLines {
        let indentation = count > 0 ? indentation(before: start(of: 0)) : nil
        return TextLines(end: lineEnd, indentation: indentation ?? Array("  ".utf8), closing: [])
    }

    /// Adds keys that the document does not have, at least one: `$schema` at the front, where people and editors look
    /// for it, and the others after the last member.
    func adding(_ additions: [KeyChange], in layout: TextLines) -> SettingsDocument {
        guard let schema = additions.first(where: { $0.key == .schema }) else {
            return appending(additions, in: layout)
        }
        let others = additions.filter { $0.key != .schema }
        guard count > 0 else { return appending([schema] + others, in: layout) }
        let begun = prepending(schema, in: layout)
        return others.isEmpty ? begun : begun.appending(others, in: layout)
    }

    /// Adds a key before the first member, after a comment on the brace's own line.
    private func prepending(_ addition: KeyChange, in layout: TextLines) -> SettingsDocument {
        var copier = TextCopier(bytes)
        let gap = gapBehindBrace
        let line = bytes[gap.upperBound].isLineEnd ? [] : layout.end + layout.indentation
        copier.replace(
            gap, with: SettingsDocument.lines(of: [addition], in: layout, before: [UInt8(ascii: ",")] + line))
        return SettingsDocument(edited: copier.finished())
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
    func appending(_ additions: [KeyChange], in layout: TextLines) -> SettingsDocument {
        var copier = TextCopier(bytes)
        if count > 0 {
            let last = member(at: count - 1)
            if last.comma == nil { copier.insert([UInt8(ascii: ",")], at: last.value.upperBound) }
        }
        let gap = gapBeforeBrace
        let end = gap.upperBound == body.upperBound ? layout.end : []
        copier.replace(gap, with: SettingsDocument.lines(of: additions, in: layout, before: end))
        return SettingsDocument(edited: copier.finished())
    }

    /// Where added lines go: the end of the last line that says anything, or the blanks before the brace.
    private var gapBeforeBrace: Range<Int> {
        let start = body.upperBound - bytes[body].reversed().prefix(while: \.isWhiteSpace).count
        let end = start + bytes[start..<body.upperBound].prefix(while: \.isBlank).count
        return end < body.upperBound ? end..<end : start..<end
    }

    /// Returns the text of new members, one per line, and what follows them.
    private static func lines(
        of members: [KeyChange], in layout: TextLines, before rest: [UInt8]
    ) -> [UInt8] {
        let begin = (layout.end + layout.indentation)[...]
        // The quotes, the colon with its space and the comma, and a key of nothing but escapes.
        let room = members.reduce(rest.count) {
            $0 + begin.count + $1.key.string.utf8.count * 6 + ($1.value?.bytes.count ?? 0) + 5
        }
        return ByteWriter.bytes(atMost: room) { text in
            for member in members {
                guard let value = member.value else { continue }
                if text.count > 0 { text.put(UInt8(ascii: ",")) }
                text.put(begin)
                text.put(quoted: member.key)
                text.put(": ")
                text.put(value.bytes)
            }
            text.put(rest[...])
        }
    }
}
