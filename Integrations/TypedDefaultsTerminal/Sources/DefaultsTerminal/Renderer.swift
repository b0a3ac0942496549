/// Turns screens into what a terminal has to be sent: only what differs from the screen before.
struct Renderer {
    /// What the terminal shows; nil if that is not known.
    private var shown: Screen?
    private let hasColour: Bool
    /// Unchanged cells between two changes that are written again, because moving the cursor takes as many bytes.
    private static let greatestGap = 6

    init(hasColour: Bool) { self.hasColour = hasColour }

    /// Forgets what the terminal shows, after another program has written there.
    mutating func forget() { shown = nil }

    /// Returns the bytes that make the terminal show a screen; none if it does.
    mutating func bytes(for screen: Screen) -> [UInt8] {
        var output = Output(hasColour: hasColour)
        if let shown, shown.size == screen.size {
            if shown == screen { return [] }
            for row in screen.lines.indices {
                for columns in Renderer.changes(from: shown[row], to: screen[row]) {
                    output.write(screen[row].cells, columns, row: row)
                }
            }
        } else {
            output.clear()
            let empty = Screen(screen.size)
            for row in screen.lines.indices {
                for columns in Renderer.changes(from: empty[row], to: screen[row]) {
                    output.write(screen[row].cells, columns, row: row)
                }
            }
        }
        output.finish(cursor: screen.cursor, was: shown.map(\.cursor) ?? nil)
        shown = screen
        return output.bytes
    }

    /// The columns to write, in runs; none begins or ends within a wide character.
    private static func changes(from old: Line, to new: Line) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        for column in new.cells.indices where old.cells[column] != new.cells[column] {
            var start = column
            if new.cells[start].text.isEmpty, start > 0 { start -= 1 }
            var end = column + 1
            while end < new.cells.count, new.cells[end].text.isEmpty { end += 1 }
            if let last = runs.last, start - last.upperBound <= greatestGap {
                runs[runs.count - 1] = last.lowerBound..<max(last.upperBound, end)
            } else {
                runs.append(start..<end)
            }
        }
        return runs
    }
}

/// Bytes for a terminal, and what state they leave it in.
private struct Output {
    private(set) var bytes: [UInt8] = []
    private var style: Style = []
    private let hasColour: Bool

    init(hasColour: Bool) { self.hasColour = hasColour }

    mutating func clear() { bytes += "\u{1B}[0m\u{1B}[2J".utf8 }

    private mutating func move(to row: Int, _ column: Int) {
        bytes += "\u{1B}[\(row + 1);\(column + 1)H".utf8
    }

    mutating func write(_ cells: [Cell], _ columns: Range<Int>, row: Int) {
        move(to: row, columns.lowerBound)
        for column in columns {
            let cell = cells[column]
            if cell.text.isEmpty { continue }
            set(hasColour ? cell.style : cell.style.subtracting(.colours))
            bytes += cell.text.utf8
            // Terminals do not agree on the columns of what is spelled with several scalars.
            let isSure = cell.text.utf8.count == 1 || cell.text.unicodeScalars.count == 1
            let next = column + (column + 1 < cells.count && cells[column + 1].text.isEmpty ? 2 : 1)
            if !isSure, next < columns.upperBound { move(to: row, next) }
        }
    }

    private mutating func set(_ wanted: Style) {
        guard wanted != style else { return }
        style = wanted
        let codes: [(Style, String)] = [
            (.bold, "1"), (.faint, "2"), (.reverse, "7"), (.red, "31"), (.green, "32"), (.yellow, "33"),
            (.cyan, "36"),
        ]
        bytes += "\u{1B}[0".utf8
        for (part, code) in codes where wanted.contains(part) { bytes += ";\(code)".utf8 }
        bytes += "m".utf8
    }

    mutating func finish(cursor: Screen.Place?, was: Screen.Place?) {
        set([])
        if let cursor {
            move(to: cursor.row, cursor.column)
            if was == nil { bytes += "\u{1B}[?25h".utf8 }
        } else if was != nil {
            bytes += "\u{1B}[?25l".utf8
        }
    }
}
