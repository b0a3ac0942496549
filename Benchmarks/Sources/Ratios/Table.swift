import Measuring

/// The rows, aligned or in Markdown.
struct Table {
    private let table: TextTable

    init(_ rows: [Row]) {
        table = TextTable(["", "what", "ours", "peer", "ratio", "goal", ""], rows.map(Table.cells))
    }

    var text: String { table.text }
    var markdown: String { table.markdown }

    private static func cells(_ row: Row) -> [String] {
        [
            "\(row.item)", row.what, row.ours.text, row.peer?.text ?? "", row.ratio.map(times) ?? "",
            goal(row), row.holds.map { $0 ? "holds" : "misses" } ?? "",
        ]
    }

    private static func goal(_ row: Row) -> String {
        switch row.goal {
        case .atMost(let most): "at most \(plain(most))x"
        case .compared: "for comparison"
        case .limit(let most): "at most \(row.ours.isTime ? duration(most) : plain(most))"
        }
    }

    private static func plain(_ number: Double) -> String {
        number == number.rounded() ? "\(Int(number))" : decimal(number, 2)
    }
}
