/// One system call, as strace wrote it down.
import Foundation

struct TracedCall: Equatable {
    /// A line that is none of strace's, or that it cut short.
    struct Unreadable: Error, Equatable {
        let line: String
    }

    /// The thread that made it.
    let thread: Int32
    let name: String
    let arguments: [String]
    /// What it returned; nil where it was refused or its process was killed in it.
    let result: Int?
    /// How many of the calls before it were over when it began.
    let begun: Int

    /// The calls of a log in the order in which they were over.
    ///
    /// A call that was never over, because its process was killed in it, is not among them.
    static func all(in log: String) throws -> [TracedCall] {
        var open: [Int32: (text: String, begun: Int)] = [:]
        var calls: [TracedCall] = []
        for line in log.split(separator: "\n") {
            let (thread, text) = try thread(of: line)
            if text.hasPrefix("+++") || text.hasPrefix("---") { continue }
            if text.hasSuffix("<unfinished ...>") {
                open[thread] = (String(text.dropLast("<unfinished ...>".count)), calls.count)
            } else if text.hasPrefix("<... ") {
                guard let begin = open.removeValue(forKey: thread),
                    let rest = text.firstRange(of: " resumed>")
                else { throw Unreadable(line: String(line)) }
                calls.append(
                    try TracedCall(thread, begin.text + text[rest.upperBound...], begun: begin.begun))
            } else {
                calls.append(try TracedCall(thread, String(text), begun: calls.count))
            }
        }
        return calls
    }

    private static func thread(of line: Substring) throws -> (Int32, Substring) {
        guard let end = line.firstIndex(of: " "), let thread = Int32(line[..<end]) else {
            throw Unreadable(line: String(line))
        }
        return (thread, line[end...].drop { $0 == " " })
    }

    private init(_ thread: Int32, _ text: String, begun: Int) throws {
        let parts = text.ranges(of: " = ")
        guard let equals = parts.last, let open = text.firstIndex(of: "("),
            let close = text[..<equals.lowerBound].lastIndex(of: ")"), open < close
        else { throw Unreadable(line: text) }
        self.thread = thread
        name = String(text[..<open])
        arguments = TracedCall.split(text[text.index(after: open)..<close])
        let answer = text[equals.upperBound...].prefix { $0.isNumber || $0 == "-" }
        result = Int(answer).flatMap { $0 < 0 ? nil : $0 }
        self.begun = begun
    }

    /// The arguments, apart from the commas inside of braces, brackets and quotation marks.
    private static func split(_ text: Substring) -> [String] {
        var parts = [""]
        var (depth, isQuoted) = (0, false)
        for character in text {
            if character == "\"" { isQuoted.toggle() }
            if !isQuoted, "{[".contains(character) { depth += 1 }
            if !isQuoted, "}]".contains(character) { depth -= 1 }
            if character == ",", depth == 0, !isQuoted {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        return parts.map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }
    }
}
