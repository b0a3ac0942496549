import Foundation
import Measuring
import TypedDefaults

/// One large value, and the memory that it takes.
extension Stage {
    /// The memory at the most, and after all is done, of a large text that is set and read, over its size.
    func largeValue() throws -> [Row] {
        let place = try makeFolder("large")
        let bytes = "\(extent.largeValue)"
        let encoded = try play(.encodeLarge, in: place, [bytes])
        let set = try play(.setLarge, in: place, [bytes])
        let decoded = try play(.decodeLarge, in: place)
        let get = try play(.getLarge, in: place)
        let (value, beside) = ("a text of \(amount(Double(extent.largeValue)))", "JSONEncoder, Data")
        return [
            ("set \(value), peak of memory over its size", set[0], beside, encoded[0]),
            ("set \(value), what stays resident over its size", set[1], beside, encoded[1]),
            ("get \(value), peak of memory over its size", get[0], "JSONDecoder, Data", decoded[0]),
        ].map { what, figure, beside, control in
            Row(
                what: what, figure: .count(hundredths(figure)), beside: beside,
                control: .count(hundredths(control)))
        }
    }

    private func hundredths(_ number: Double) -> Double { (number * 100).rounded() / 100 }
}

extension Part {
    private static let large = "large"

    /// Makes a text and sets it; prints what this took at the most, and what it left.
    func setLarge() throws {
        let suite = try suite
        let key = Defaults.Key<String>(Part.large, default: "", suite: suite)
        try suite.set("small", forKey: "other")
        try suite.checkpoint()
        try printMemory(of: number(0)) {
            try suite.set(key, to: String(repeating: "x", count: number(0)))
            try suite.checkpoint()
        }
    }

    /// Reads the text in a new process.
    func getLarge() throws {
        let key = Defaults.Key<String>(Part.large, default: "", suite: try suite)
        try printMemory { Defaults[key].utf8.count }
    }

    /// Makes the same text, and writes it with Foundation.
    func encodeLarge() throws {
        try printMemory(of: number(0)) {
            let text = String(repeating: "x", count: number(0))
            try JSONEncoder().encode([Part.large: text]).write(to: plainFile, options: .atomic)
        }
    }

    /// Reads it with Foundation in a new process.
    func decodeLarge() throws {
        try printMemory {
            let object = try JSONDecoder().decode([String: String].self, from: Data(contentsOf: plainFile))
            return object[Part.large]?.utf8.count ?? 0
        }
    }

    private var plainFile: URL { URL(filePath: folder + "/plain.json") }

    /// Prints the memory that a body takes beyond what there was, at the most and afterwards, over a size.
    private func printMemory(of size: Int, _ body: () throws -> Void) throws {
        try printMemory {
            try body()
            return size
        }
    }

    private func printMemory(_ body: () throws -> Int) throws {
        let counts = ProcessCounts.own
        let before = try counts.resident()
        try counts.forgetPeak()
        let size = Double(try body())
        let peak = try counts.peak()
        // Until what goes on in the background has let go of it.
        Clock.pause(microseconds: 1_000_000)
        let after = try counts.resident()
        print(Double(peak - before) / size, max(0, Double(after - before) / size))
    }
}
