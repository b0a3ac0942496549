import Foundation

/// The file that one client notes its operations in, by a line before and a line after each.
///
/// Before: `b <moment> <register> read`, `write <value>`, `exchange <value>` or `add <number>` in the last place.
/// After: `e <moment> <what was seen or given>...`, or `x <moment> <error>`. Nothing is written as `-`. A client that
/// was killed may leave a part of a line, which counts for nothing, and an operation without the line after it.
extension History {
    /// Adds what one client has noted.
    package mutating func read(_ path: String, client: String) throws {
        let text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
        var asked: Question?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            let words = line.split(separator: " ")
            switch (words.first, asked) {
            case ("b", nil): asked = try Question(words)
            case ("e", let question?):
                add(try question.answered(words, by: client), on: question.register)
                asked = nil
            case ("x", let question?):
                add(try question.refused(words, by: client), refusedWith: words.last.map(String.init) ?? "")
                asked = nil
            default: throw Unreadable(path: path, line: String(line))
            }
        }
        if let asked { add(try asked.unanswered(by: client), on: asked.register) }
    }
}

/// The line before an operation.
private struct Question {
    let register: String
    private let moment: Int64
    private let verb: Substring
    private let value: Int?

    init(_ words: [Substring]) throws {
        guard words.count >= 4, let moment = Int64(words[1]) else { throw NoOperation() }
        register = String(words[2])
        self.moment = moment
        verb = words[3]
        value = try words.dropFirst(4).first.flatMap(number)
    }

    func answered(_ words: [Substring], by client: String) throws -> RegisterOperation {
        let seen = try words.dropFirst(2).map(number)
        return RegisterOperation(client, moment, try end(words), try action(seen: seen))
    }

    func refused(_ words: [Substring], by client: String) throws -> RegisterOperation {
        RegisterOperation(client, moment, try end(words), try action(seen: []))
    }

    private func end(_ words: [Substring]) throws -> Int64 {
        guard words.count >= 2, let end = Int64(words[1]) else { throw NoOperation() }
        return end
    }

    func unanswered(by client: String) throws -> RegisterOperation {
        RegisterOperation(client, moment, nil, try action(seen: []))
    }

    private func action(seen: [Int?]) throws -> RegisterOperation.Action {
        switch verb {
        case "read": .read(seen)
        case "write": .write(value)
        case "exchange": .exchange(value, seen: seen)
        case "add": .add(value ?? 0, gave: seen.first ?? nil)
        default: throw NoOperation()
        }
    }
}

/// A line that is no operation.
private struct NoOperation: Error {}

/// The number in a word; nil for nothing.
private func number(_ word: Substring) throws -> Int? {
    guard word != "-" else { return nil }
    guard let number = Int(word) else { throw NoOperation() }
    return number
}
