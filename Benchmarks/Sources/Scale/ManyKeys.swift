import Foundation
import Measuring
import TypedDefaults

/// Many keys at once.
extension Stage {
    /// All values of many keys, and a transaction of as many, beside Foundation's JSON.
    func manyKeys() throws -> [Row] {
        let (place, _) = try makeSuite("keys", keys: extent.manyKeys)
        let words = ["\(extent.manyKeys)"]
        let decoded = try play(.decode, in: place)
        let first = try play(.represent, in: place)
        let again = try play(.represented, in: place)
        let encoded = try play(.encode, in: try makeFolder("encoded"), words)
        let transaction = try play(.transact, in: try makeFolder("transaction"), words)
        let keys = "of \(extent.manyKeys) keys"
        return [
            (
                "dictionaryRepresentation \(keys), in a new process", first, "JSONSerialization of the file",
                decoded
            ),
            ("dictionaryRepresentation \(keys), once more", again, "the same", decoded),
            ("a transaction \(keys)", transaction, "JSONSerialization and Data", encoded),
        ].flatMap { what, figures, beside, control in
            [
                Row(what: what, figure: .time(figures[0]), beside: beside, control: .time(control[0])),
                Row(
                    what: "\(what), memory", figure: .bytes(figures[1]), beside: beside,
                    control: .bytes(control[1])),
            ]
        }
    }
}

extension Part {
    /// Opens the suite and reads all its values.
    func represent() throws {
        let suite = try suite
        try printCost { suite.dictionaryRepresentation().count }
    }

    /// Reads all values a second time.
    func representAgain() throws {
        let suite = try suite
        _ = suite.dictionaryRepresentation()
        try printCost { suite.dictionaryRepresentation().count }
    }

    /// Reads the suite's file with Foundation.
    func decode() throws {
        let file = URL(filePath: "\(folder)/\(Stage.suite)/settings.json")
        try printCost {
            let object = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
            return object?.count ?? 0
        }
    }

    /// Sets many keys in one transaction.
    func transact() throws {
        let suite = try suite
        try suite.set(0, forKey: "other")
        let entries = Sized.entries(number(0))
        try printCost {
            try suite.withTransaction { transaction in
                for entry in entries { transaction[key: entry.key] = DefaultsValue(entry.value) }
            }
            return entries.count
        }
    }

    /// Puts as many values into a dictionary, and writes it with Foundation.
    func encode() throws {
        let entries = Sized.entries(number(0))
        try printCost {
            var object: [String: Any] = [:]
            for entry in entries { object[entry.key] = entry.value }
            let text = try JSONSerialization.data(withJSONObject: object)
            try text.write(to: URL(filePath: folder + "/plain.json"))
            return object.count
        }
    }

    /// Prints the nanoseconds that a body takes, and the memory at the most beyond what there was.
    private func printCost(_ body: () throws -> Int) throws {
        let counts = ProcessCounts.own
        let before = try counts.resident()
        try counts.forgetPeak()
        var count = 0
        let time = try Clock.time { count = try body() }
        guard count > 1 else { throw SystemFailure(waitingFor: "many keys") }
        print(time, max(0, try counts.peak() - before))
    }
}
