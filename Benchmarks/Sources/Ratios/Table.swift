import Measuring

/// The rows as aligned text or as a table in Markdown.
struct Table {
    let rows: [Row]
    private let titles = ["", "what", "ours", "peer", "ratio", "goal", ""]

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
        [
            "\(row.item)", row.what, row.ours.text, row.peer?.text ?? "", row.ratio.map(times) ?? "",
            goal(row), row.holds.map { $0 ? "holds" : "misses" } ?? "",
        ]
    }

    private func times(_ ratio: Double) -> String { "\(decimal(ratio, ratio < 10 ? 2 : 0))x" }

    private func goal(_ row: Row) -> String {
        switch row.goal {
        case .fasterBy(let least): "at least \(plain(least))x"
        case .atMost(let most): "at most \(plain(most))x"
        case .reference: "for comparison"
        case .limit(let most): "at most \(row.ours.isTime ? duration(most) : plain(most))"
        }
    }

    private func plain(_ number: Double) -> String {
        number == number.rounded() ? "\(Int(number))" : decimal(number, 2)
    }
}
