import Foundation

/// The figures of a run as a file, of which `Benchmarks/chart` draws the picture.
struct Numbers: Encodable {
    private struct Line: Encodable {
        let item: Int
        let what: String
        let isTime: Bool
        let ours: Double
        let oursText: String
        let peer: Double?
        let peerText: String?

        init(_ row: Row) {
            (item, what, isTime) = (row.item, row.what, row.ours.isTime)
            (ours, oursText) = (row.ours.value, row.ours.text)
            (peer, peerText) = (row.peer?.value, row.peer?.text)
        }
    }

    /// What was typed to measure them.
    private let command: String
    /// The machine they were measured on, in a few words.
    private let machine: String
    /// The day of the run, such as `2026-11-25`.
    private let date: String
    private let rows: [Line]

    init(_ rows: [Row], command: String, machine: String) {
        (self.command, self.machine) = (command, machine)
        date = Date.now.formatted(.iso8601.year().month().day())
        self.rows = rows.map(Line.init)
    }

    /// Writes them as JSON, a member a line, so that two runs can be compared line by line.
    func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try (encoder.encode(self) + Data("\n".utf8)).write(to: URL(filePath: path))
    }
}
