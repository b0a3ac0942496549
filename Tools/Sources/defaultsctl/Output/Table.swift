/// Rows; on a terminal in aligned columns, each on its line, elsewhere with a tab between two columns.
struct Table {
    /// One field: its text, safe to show, and how it looks.
    struct Cell {
        let text: String
        var colour: Colour?

        init(_ text: String, _ colour: Colour? = nil) {
            self.text = text
            self.colour = colour
        }

        /// The text padded, or cut with an ellipsis, to so many columns.
        func fitted(to width: Int, isLast: Bool) -> String {
            let own = TextWidth.of(text)
            let shown = own > width ? TextWidth.cut(text, to: width - 1) + "…" : text
            let blanks = isLast ? "" : String(repeating: " ", count: max(0, width - TextWidth.of(shown)))
            return (colour.map { $0(shown) } ?? shown) + blanks
        }
    }

    private let heads: [String]
    private var rows: [[Cell]] = []
    private static let gap = 2

    /// Makes a table; the heads are for people and left out where nobody looks.
    init(_ heads: String...) { self.heads = heads }

    /// Adds a row.
    mutating func add(_ cells: [Cell]) { rows.append(cells) }

    /// Prints it; what a program reads does not depend on the other rows.
    func print() throws {
        let used = heads.indices.filter { column in rows.contains { !$0[column].text.isEmpty } }
        let all = (Output.isTerminal ? [heads.map { Cell($0, .faint) }] + rows : rows).map { row in
            used.map { row[$0] }
        }
        guard Output.isTerminal else {
            for row in all {
                let line = row.map { $0.colour?($0.text) ?? $0.text }.joined(separator: "\t")
                try Output.line(String(line.reversed().drop { $0 == "\t" }.reversed()))
            }
            return
        }
        let widths = fittedWidths(all, count: used.count)
        for row in all {
            let line = row.indices.map { row[$0].fitted(to: widths[$0], isLast: $0 == row.count - 1) }
            let whole = line.joined(separator: String(repeating: " ", count: Table.gap))
            try Output.line(String(whole.reversed().drop { $0 == " " }.reversed()))
        }
    }

    /// The columns' widths; where they are too wide for the terminal, the widest gives way.
    private func fittedWidths(_ rows: [[Cell]], count: Int) -> [Int] {
        var widths = (0..<count).map { column in rows.map { TextWidth.of($0[column].text) }.max() ?? 0 }
        let width = System.columns(of: System.output)
        let room = width - Table.gap * (widths.count - 1)
        while widths.reduce(0, +) > room, let widest = widths.max(), widest > 8,
            let column = widths.firstIndex(of: widest)
        {
            widths[column] -= 1
        }
        return widths
    }
}
