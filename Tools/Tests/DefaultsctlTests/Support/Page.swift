/// What a terminal shows that was sent some bytes, as far as `browse` moves the cursor.
struct Page {
    private var cells: [[Character]] = []
    private static let size = (rows: 24, columns: 80)

    init(_ bytes: [UInt8]) {
        clear()
        var (row, column) = (0, 0)
        var rest = Substring(String(decoding: bytes, as: UTF8.self))
        while let first = rest.first {
            if let match = rest.prefixMatch(of: /\u{1B}\[([?\d;]*)([A-Za-z])/) {
                let numbers = match.1.split(separator: ";").compactMap { Int($0) }
                if match.2 == "H", numbers.count == 2 { (row, column) = (numbers[0] - 1, numbers[1] - 1) }
                if match.2 == "J" { clear() }
                rest = rest[match.range.upperBound...]
            } else {
                if row < cells.count, column < cells[row].count { cells[row][column] = first }
                column += 1
                rest.removeFirst()
            }
        }
    }

    private mutating func clear() {
        cells = Array(repeating: Array(repeating: " ", count: Page.size.columns), count: Page.size.rows)
    }

    var text: String { cells.map { String($0) }.joined(separator: "\n") }
}
