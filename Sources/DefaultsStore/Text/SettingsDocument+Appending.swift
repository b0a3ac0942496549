/// Adds members behind the last one, in the layout of the text.
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
        guard let start = members.first?.start else { return nil }
        let line = start - bytes[..<start].reversed().prefix(while: \.isBlank).count
        return bytes[line - 1].isLineEnd ? Array(bytes[line..<start]) : nil
    }

    /// Adds keys the document does not have, at least one.
    func appending(_ additions: [(key: KeyName, value: StoredValue)], in layout: Layout) -> SettingsDocument {
        var copier = TextCopier(bytes)
        var members = members
        if let last = members.popLast() {
            if last.comma == nil { copier.insert([UInt8(ascii: ",")], at: last.value.upperBound) }
            members.append(last.withComma())
        }
        let gap = gapBeforeBrace
        var lines = AddedLines(layout: layout, start: gap.lowerBound + copier.shift)
        for addition in additions { lines.append(addition.key, addition.value) }
        if gap.upperBound == body.upperBound { lines.endLine() }
        copier.replace(gap, with: lines.text)

        var positions = positions
        for (offset, member) in lines.members.enumerated() { positions[member.key] = members.count + offset }
        let end = body.upperBound + copier.shift
        return SettingsDocument(
            bytes: copier.finished(), members: members + lines.members, body: body.lowerBound..<end,
            positions: positions, repeats: repeats)
    }

    /// Where added lines go: the end of the last line that says anything, or the blanks before the brace.
    private var gapBeforeBrace: Range<Int> {
        let start = body.upperBound - bytes[body].reversed().prefix(while: \.isWhiteSpace).count
        let end = start + bytes[start..<body.upperBound].prefix(while: \.isBlank).count
        return end < body.upperBound ? end..<end : start..<end
    }
}

extension SettingsDocument.Member {
    fileprivate func withComma() -> Self {
        Self(key: key, start: start, value: value, comma: comma ?? value.upperBound)
    }
}

/// The text of new members, one a line, and where they will stand.
private struct AddedLines {
    let layout: SettingsDocument.Layout
    /// The index in the new text at which these lines begin.
    let start: Int
    private(set) var text: [UInt8] = []
    private(set) var members: [SettingsDocument.Member] = []

    init(layout: SettingsDocument.Layout, start: Int) {
        self.layout = layout
        self.start = start
    }

    mutating func append(_ key: KeyName, _ value: StoredValue) {
        if let last = members.popLast() {
            members.append(last.withComma())
            text.append(UInt8(ascii: ","))
        }
        text += layout.lineEnd + layout.indentation
        let keyStart = start + text.count
        text += JSONWriter.quoted(key.string)
        text += ": ".utf8
        let valueStart = start + text.count
        text += value.bytes
        members.append(
            SettingsDocument.Member(
                key: key, start: keyStart, value: valueStart..<start + text.count, comma: nil))
    }

    mutating func endLine() {
        text += layout.lineEnd
    }
}
