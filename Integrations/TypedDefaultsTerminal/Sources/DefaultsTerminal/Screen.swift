/// What a terminal shows: lines of styled cells.
///
/// It is a value, made by pure functions of a model.
struct Screen: Equatable {
    /// The columns and rows of a terminal.
    struct Size: Equatable {
        var columns: Int
        var rows: Int
    }

    /// A place, counted from 0.
    struct Place: Equatable {
        var row: Int
        var column: Int
    }

    let size: Size
    private(set) var lines: [Line]
    /// Where the cursor is; nil hides it.
    var cursor: Place?

    /// An empty screen.
    init(_ size: Size) {
        self.size = size
        let empty = Line(width: size.columns).filled(to: size.columns)
        lines = Array(repeating: empty, count: size.rows)
    }

    /// A line that does not fit is left out, and what is too long of it cut off.
    subscript(row: Int) -> Line {
        get { lines.indices.contains(row) ? lines[row] : Line(width: size.columns) }
        set {
            guard lines.indices.contains(row) else { return }
            lines[row] = newValue.filled(to: size.columns)
        }
    }

    /// The text, for tests: a line for each row, without the blanks at its end.
    var text: String { lines.map(\.text).joined(separator: "\n") }
}

/// How a cell looks.
///
/// `NO_COLOR` leaves the colours out.
struct Style: OptionSet, Hashable {
    let rawValue: UInt8

    static let bold = Style(rawValue: 1)
    static let faint = Style(rawValue: 2)
    static let reverse = Style(rawValue: 4)
    static let cyan = Style(rawValue: 8)
    static let green = Style(rawValue: 16)
    static let yellow = Style(rawValue: 32)
    static let red = Style(rawValue: 64)

    static let colours: Style = [.cyan, .green, .yellow, .red]
}

/// One column of a line.
struct Cell: Equatable {
    /// What a person sees as one character; empty in the second column of a wide one.
    var text: String
    var style: Style

    static let blank = Cell(text: " ", style: [])
}

/// Cells of one row, at most as many as there are columns.
struct Line: Equatable {
    private(set) var cells: [Cell] = []
    /// The columns that there are.
    let width: Int

    init(width: Int) { self.width = width }

    /// The columns that are left.
    var room: Int { width - cells.count }

    /// Adds a text, which is cut off where the line or its own columns end, with an ellipsis in the last one.
    ///
    /// - Parameter columns: how many it takes, filled up with blanks; nil for as many as it needs.
    mutating func add(_ text: String, _ style: Style = [], columns: Int? = nil) {
        let most = min(columns ?? room, room)
        let start = cells.count
        for glyph in Glyphs(text) {
            guard cells.count + glyph.columns <= start + most else {
                cutOff(to: start + most - 1, from: start, style)
                break
            }
            add(glyph, style)
        }
        guard columns != nil else { return }
        while cells.count < start + most { cells.append(Cell(text: " ", style: style)) }
    }

    private mutating func add(_ glyph: Glyph, _ style: Style) {
        cells.append(Cell(text: glyph.text, style: style))
        if glyph.columns == 2 { cells.append(Cell(text: "", style: style)) }
    }

    /// Puts an ellipsis into a column, over a whole wide character if it is in the middle of one.
    private mutating func cutOff(to column: Int, from start: Int, _ style: Style) {
        guard column >= start else { return }
        if column < cells.count, cells[column].text.isEmpty {
            cells[column - 1] = Cell(text: " ", style: style)
        }
        if column < cells.count { cells.removeSubrange(column...) }
        while cells.count < column { cells.append(Cell(text: " ", style: style)) }
        cells.append(Cell(text: "…", style: style))
    }

    /// Adds blanks up to a column.
    mutating func skip(to column: Int, _ style: Style = []) {
        while cells.count < min(column, width) { cells.append(Cell(text: " ", style: style)) }
    }

    /// The same line as wide as a screen.
    func filled(to columns: Int) -> Line {
        var line = Line(width: columns)
        line.cells = Array(cells.prefix(columns))
        // Half of a wide character is none.
        if cells.count > columns, columns > 0, cells[columns].text.isEmpty {
            line.cells[columns - 1] = .blank
        }
        line.cells += Array(repeating: .blank, count: columns - line.cells.count)
        return line
    }

    /// All cells dark on light, bold ones bold.
    var reversed: Line {
        var line = self
        for index in line.cells.indices {
            line.cells[index].style = line.cells[index].style.intersection(.bold).union(.reverse)
        }
        return line
    }

    var text: String {
        let text = cells.map(\.text).joined()
        return String(text.reversed().drop { $0 == " " }.reversed())
    }
}
