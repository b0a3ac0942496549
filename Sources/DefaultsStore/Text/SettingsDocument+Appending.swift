/// Adds members in the layout of the text.
extension SettingsDocument {
    /// How a text begins its lines.
    struct Layout {
        static let windowsLineEnd: [UInt8] = [UInt8(ascii: "\r"), UInt8(ascii: "\n")]

        let lineEnd: [UInt8]
        let indentation: [UInt8]
    }

    /// The line end the text uses first and the blanks before its first member; else LF and two spaces.
    var layout: Layout {
        let firstEnd = bytes.firstIndex(where: \.isLineEnd)
        let isWindows = firstEnd.map { bytes[$0...].starts(with: Layout.windowsLineEnd) } ?? false
        return Layout(
            lineEnd: isWindows ? Layout.windowsLineEnd : [UInt8(ascii: "\n")],
            indentation: firstIndentation ?? Array("  ".utf8))
    }

    private var firstIndentation: [UInt8]? {
        guard count > 0 else { return nil }
        let start = index.start(of: 0)
        let line = start - bytes[..<start].reversed().prefix(while: \.isBlank).count
        return bytes[line - 1].isLineEnd ? Array(bytes[line..<start]) : nil
    }

    /// Adds keys the document does not have, at least one: `$schema` in front, where people and editors look for it, and
    /// the others behind the last member.
    func adding(_ additions: [(key: KeyName, value: StoredValue)], in layout: Layout) -> SettingsDocument {
        let (first, others) = (additions.filter { $0.key == .schema }, additions.filter { $0.key != .schema })
        guard count > 0, let schema = first.first else { return appending(first + others, in: layout) }
        let begun = prepending(schema, in: layout)
        return others.isEmpty ? begun : begun.appending(others, in: layout)
    }

    /// Adds a key before the first member, behind a comment that stands on the brace's own line.
    private func prepending(
        _ addition: (key: KeyName, value: StoredValue), in layout: Layout
    ) -> SettingsDocument {
        var copier = TextCopier(bytes)
        let gap = gapBehindBrace
        var lines = AddedLines(layout: layout)
        lines.append(addition.key, addition.value)
        lines.endMember()
        if !bytes[gap.upperBound].isLineEnd { lines.beginLine() }
        copier.replace(gap, with: lines.text)
        return SettingsDocument(edited: copier.finished())
    }

    /// What makes way for a line behind the brace: the blanks there, or the end of a line comment.
    private var gapBehindBrace: Range<Int> {
        let end = body.lowerBound + bytes[body].prefix(while: \.isBlank).count
        let comment = Array("//".utf8)
        guard bytes[end...].starts(with: comment) else { return body.lowerBound..<end }
        let lineEnd = bytes[end...].firstIndex(where: \.isLineEnd) ?? end
        return lineEnd..<lineEnd
    }

    /// Adds keys the document does not have, at least one, behind the last member.
    func appending(_ additions: [(key: KeyName, value: StoredValue)], in layout: Layout) -> SettingsDocument {
        var copier = TextCopier(bytes)
        if count > 0 {
            let last = member(at: count - 1)
            if last.comma == nil { copier.insert([UInt8(ascii: ",")], at: last.value.upperBound) }
        }
        let gap = gapBeforeBrace
        var lines = AddedLines(layout: layout)
        for addition in additions { lines.append(addition.key, addition.value) }
        if gap.upperBound == body.upperBound { lines.endLine() }
        copier.replace(gap, with: lines.text)
        return SettingsDocument(edited: copier.finished())
    }

    /// Where added lines go: the end of the last line that says anything, or the blanks before the brace.
    private var gapBeforeBrace: Range<Int> {
        let start = body.upperBound - bytes[body].reversed().prefix(while: \.isWhiteSpace).count
        let end = start + bytes[start..<body.upperBound].prefix(while: \.isBlank).count
        return end < body.upperBound ? end..<end : start..<end
    }
}

/// The text of new members, one a line.
private struct AddedLines {
    let layout: SettingsDocument.Layout
    private(set) var text: [UInt8] = []

    init(layout: SettingsDocument.Layout) { self.layout = layout }

    mutating func append(_ key: KeyName, _ value: StoredValue) {
        if !text.isEmpty { endMember() }
        beginLine()
        text += JSONWriter.quoted(key.string)
        text += ": ".utf8
        text += value.bytes
    }

    mutating func endMember() {
        text.append(UInt8(ascii: ","))
    }

    mutating func beginLine() {
        text += layout.lineEnd + layout.indentation
    }

    mutating func endLine() {
        text += layout.lineEnd
    }
}
