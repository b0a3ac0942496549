/// A line of text that a person types.
struct LineEditor: Equatable {
    private var characters: [Character]
    /// The character that the next one is put in front of.
    private(set) var cursor: Int

    init(_ text: String = "") {
        characters = Array(text)
        cursor = characters.count
    }

    var text: String { String(characters) }

    /// Changes the line.
    ///
    /// - Returns: whether the key is one of editing.
    mutating func handle(_ key: KeyPress) -> Bool {
        switch key {
        case .character(let character): insert([character])
        // A line end at the end of what is pasted is not meant.
        case .paste(let text): insert(Array(text.last?.isNewline == true ? text.dropLast() : text[...]))
        case .left, .control("b"): cursor = max(0, cursor - 1)
        case .right, .control("f"): cursor = min(characters.count, cursor + 1)
        case .home, .control("a"): cursor = 0
        case .end, .control("e"): cursor = characters.count
        case .backspace where cursor > 0: remove(cursor - 1..<cursor)
        case .delete where cursor < characters.count: remove(cursor..<cursor + 1)
        case .control("u"): remove(0..<cursor)
        case .control("k"): remove(cursor..<characters.count)
        case .control("w"): remove(startOfWord..<cursor)
        case .backspace, .delete: break
        default: return false
        }
        return true
    }

    private var startOfWord: Int {
        var start = cursor
        while start > 0, characters[start - 1] == " " { start -= 1 }
        while start > 0, characters[start - 1] != " " { start -= 1 }
        return start
    }

    private mutating func insert(_ more: [Character]) {
        // Two that make one character, such as a letter and its accent, are one from now on.
        let head = Array(String(characters[..<cursor] + more))
        characters = head + characters[cursor...]
        cursor = head.count
    }

    private mutating func remove(_ range: Range<Int>) {
        characters.removeSubrange(range)
        cursor = range.lowerBound
    }

    /// Adds the part of the line around the cursor.
    ///
    /// - Parameter isSecret: whether each character is shown as the same one.
    /// - Returns: the column of the cursor.
    func add(to line: inout Line, isSecret: Bool = false, _ style: Style = []) -> Int {
        let shown = isSecret ? Array(repeating: "*", count: characters.count) : characters.map(String.init)
        // From the cursor to the left, as much as there is room for with the cursor.
        var start = cursor
        var used = 1
        while start > 0 {
            used += Glyphs.columns(of: shown[start - 1])
            guard used <= line.room else { break }
            start -= 1
        }
        line.add(shown[start..<cursor].joined(), style)
        let column = min(line.cells.count, max(0, line.width - 1))
        // No more than fits, of a text that may be long.
        line.add(shown[cursor...].prefix(line.room + 1).joined(), style)
        return column
    }
}
