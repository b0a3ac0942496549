import Measuring

/// The rows as aligned text or as a table in Markdown.
struct Table {
    let rows: [Row]
    private let titles = ["what", "here", "beside", "", "ratio"]

    init(_ rows: [Row]) { self.rows = rows }

    var text: String {
        let lines = [titles] + rows.map(cells)
        let widths = titles.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { line in
            let padded = zip(line, widths).map { cell, width in
                cell + String(repeating: " ", count: width - cell.count)
            }
            return String(padded.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }

    var markdown: String {
        let rule = "|" + String(repeating: "---|", count: titles.count)
        let lines = ([titles] + rows.map(cells)).map { "| " + $0.joined(separator: " | ") + " |" }
        return ([lines[0], rule] + lines.dropFirst()).joined(separator: "\n")
    }

    private func cells(_ row: Row) -> [String] {
        let ratio = row.ratio.map { "\(decimal($0, $0 < 10 ? 2 : 0))x" }
        return [row.what, row.figure.text, row.beside, row.control.text, ratio ?? ""]
    }
}
