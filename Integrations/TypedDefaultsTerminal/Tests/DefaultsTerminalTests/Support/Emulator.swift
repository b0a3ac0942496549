@_spi(TypedDefaults) @testable import DefaultsTerminal

/// What a terminal shows that was sent some bytes: as much of one as the screen needs, and nothing else.
struct Emulator {
    private(set) var size: Screen.Size
    private var cells: [[String]]
    private(set) var cursor = Screen.Place(row: 0, column: 0)
    private(set) var modes: Set<Int> = [7, 25]
    private(set) var styles: Set<String> = []
    /// What is not understood.
    private(set) var unknown: [String] = []
    private var rest: [UInt8] = []
    /// The page that was shown before the other one.
    private var firstPage: (cells: [[String]], cursor: Screen.Place)?

    init(_ size: Screen.Size) {
        self.size = size
        cells = Array(repeating: Array(repeating: " ", count: size.columns), count: size.rows)
    }

    mutating func resize(_ size: Screen.Size) {
        let (old, modes) = (self, self.modes)
        self = Emulator(size)
        (self.modes, rest, styles, unknown) = (modes, old.rest, old.styles, old.unknown)
        firstPage = old.firstPage.map { _ in (cells, cursor) }
    }

    var isOnOtherPage: Bool { modes.contains(1049) }
    var hasCursor: Bool { modes.contains(25) }

    /// The text of the screen; wide characters are there once.
    var text: String {
        cells.map { row in String(row.joined().reversed().drop { $0 == " " }.reversed()) }.joined(
            separator: "\n")
    }

    func line(_ row: Int) -> String {
        String(text.split(separator: "\n", omittingEmptySubsequences: false)[row])
    }

    mutating func feed(_ bytes: [UInt8]) {
        rest += bytes
        while let first = rest.first {
            if first == 0x1B {
                guard let end = rest.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else {
                    return
                }
                obey(String(decoding: rest[2..<end], as: UTF8.self), Character(Unicode.Scalar(rest[end])))
                rest.removeFirst(end + 1)
            } else if first < 0x20 || first == 0x7F {
                switch first {
                case 0x0D: cursor.column = 0
                case 0x0A: newLine()
                default: unknown.append("\\(first)")
                }
                rest.removeFirst()
            } else {
                let end = rest.firstIndex { $0 == 0x1B || $0 < 0x20 } ?? rest.endIndex
                guard let text = String(validating: rest[..<end], as: UTF8.self) else { return }
                for glyph in Glyphs(text) { print(glyph) }
                rest.removeFirst(end)
            }
        }
    }

    private mutating func newLine() {
        if cursor.row + 1 < size.rows {
            cursor.row += 1
        } else {
            cells.removeFirst()
            cells.append(Array(repeating: " ", count: size.columns))
        }
    }

    private mutating func show(otherPage: Bool) {
        if otherPage, firstPage == nil { firstPage = (cells, cursor) }
        if !otherPage, let page = firstPage { (cells, cursor, firstPage) = (page.cells, page.cursor, nil) }
    }

    private mutating func print(_ glyph: Glyph) {
        guard cells.indices.contains(cursor.row), cursor.column + glyph.columns <= size.columns else {
            // Nothing is written where the line is over, since no line goes on in the next one.
            if !modes.contains(7) { unknown.append("past the end: \(glyph.text)") }
            return
        }
        if cells[cursor.row][cursor.column].isEmpty, cursor.column > 0 {
            cells[cursor.row][cursor.column - 1] = " "
        }
        let end = cursor.column + glyph.columns
        if end < size.columns, cells[cursor.row][end].isEmpty { cells[cursor.row][end] = " " }
        cells[cursor.row][cursor.column] = glyph.text
        if glyph.columns == 2 { cells[cursor.row][cursor.column + 1] = "" }
        cursor.column += glyph.columns
    }

    private mutating func obey(_ parameters: String, _ command: Character) {
        switch command {
        case "H":
            let numbers = parameters.split(separator: ";").compactMap { Int($0) }
            cursor = Screen.Place(row: (numbers.first ?? 1) - 1, column: (numbers.last ?? 1) - 1)
        case "J" where parameters == "2":
            cells = Array(repeating: Array(repeating: " ", count: size.columns), count: size.rows)
        case "m": styles.formUnion(parameters.split(separator: ";").map(String.init))
        case "h", "l":
            guard let mode = Int(parameters.dropFirst()) else { return unknown.append(parameters) }
            if mode == 1049 { show(otherPage: command == "h") }
            if command == "h" { modes.insert(mode) } else { modes.remove(mode) }
        default: unknown.append("\(parameters)\(command)")
        }
    }
}
