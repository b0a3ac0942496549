/// A table of texts: aligned for a terminal, or in Markdown.
public struct TextTable {
    private let lines: [[String]]

    /// Creates a table of rows that have as many cells as there are titles.
    public init(_ titles: [String], _ rows: [[String]]) { lines = [titles] + rows }

    /// The lines with their columns aligned.
    public var text: String {
        let widths = lines[0].indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { line in
            let padded = zip(line, widths).map { cell, width in
                cell + String(repeating: " ", count: width - cell.count)
            }
            return String(padded.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }

    /// The same in Markdown.
    public var markdown: String {
        let rule = "|" + String(repeating: "---|", count: lines[0].count)
        let written = lines.map { "| " + $0.joined(separator: " | ") + " |" }
        return ([written[0], rule] + written.dropFirst()).joined(separator: "\n")
    }
}

/// A ratio, such as 1.52x.
public func times(_ ratio: Double) -> String { "\(decimal(ratio, ratio < 10 ? 2 : 0))x" }
