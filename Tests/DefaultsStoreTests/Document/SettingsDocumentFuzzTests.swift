import DefaultsStore
import TestSupport
import Testing

/// Random edits of random files against a dictionary.
struct SettingsDocumentFuzzTests {
    @Test(arguments: 0..<200)
    func `random edits do what a dictionary does and keep untouched values and their comments`(seed: UInt64)
        throws
    {
        var random = SeededNumbers(seed: seed)
        let file = RandomFile(using: &random)
        var document = SettingsDocument.read(Array(file.text.utf8)).document
        var (model, known) = (file.members, file.comments)
        #expect(document.texts == model)
        for _ in 0..<8 {
            let changes = Self.changes(using: &random)
            document = document.applying(
                changes.map { (KeyName($0), $1.map { StoredValue(trusted: Array($0.utf8)[...]) }) })
            for (key, value) in changes { model[key] = value }
            // A new object has its members on lines of their own.
            let texts = try document.texts.mapValues { text in
                String(decoding: try StoredValue(validating: Array(text.utf8)).bytes, as: UTF8.self)
            }
            #expect(texts == model)
            let comments = Self.comments(in: document.bytes)
            let isRemoval = changes.contains { $0.1 == nil }
            #expect(isRemoval ? known.filter(comments.contains) == comments : comments == known)
            known = comments
            expectSound(document)
        }
    }

    private static func changes(using random: inout SeededNumbers) -> [(String, String?)] {
        (0..<Int.random(in: 1...4, using: &random)).map { _ in
            let key = "k\(Int.random(in: 0..<12, using: &random))"
            return Bool.random(using: &random) ? (key, RandomFile.value(using: &random)) : (key, nil)
        }
    }

    /// The comments by their numbers, in order.
    private static func comments(in bytes: [UInt8]) -> [String] {
        String(decoding: bytes, as: UTF8.self).split(separator: "#").dropFirst().map { String($0.prefix(3)) }
    }
}

/// A settings file such as a careless person might write, with what it means.
private struct RandomFile {
    private(set) var text = ""
    private(set) var members: [String: String] = [:]
    /// The number of each comment, in order.
    private(set) var comments: [String] = []

    init(using random: inout SeededNumbers) {
        if Int.random(in: 0..<8, using: &random) == 0 { text += "\u{FEFF}" }
        text += trivia(using: &random) + "{"
        let count = Int.random(in: 0...8, using: &random)
        for position in 0..<count {
            let key = "k\(Int.random(in: 0..<10, using: &random))"
            let value = Self.value(using: &random)
            members[key] = value
            text +=
                trivia(using: &random) + "\"\(key)\":"
                + [" ", "", "\n"].randomElement(using: &random, or: "") + value
            text += trivia(using: &random)
            if position < count - 1 || Bool.random(using: &random) { text += "," }
        }
        text += trivia(using: &random) + "}" + trivia(using: &random)
    }

    static func value(using random: inout SeededNumbers) -> String {
        let number = Int.random(in: 0..<100, using: &random)
        return ["\(number)", "\"t\(number)\"", "[\(number), 2]", "{\"k1\": \(number)}", "null"].randomElement(
            using: &random, or: "1")
    }

    private mutating func trivia(using random: inout SeededNumbers) -> String {
        var trivia = ""
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            switch Int.random(in: 0..<8, using: &random) {
            case 0: trivia += "// \(comment()), \"k1\": }\n"
            case 1: trivia += "/* \(comment()) , { */"
            case 2: trivia += "\r\n\t"
            case 3...5: trivia += "\n  "
            default: trivia += " "
            }
        }
        return trivia
    }

    private mutating func comment() -> String {
        let number = "\(100 + comments.count)"
        comments.append(number)
        return "#" + number
    }
}

extension Array {
    fileprivate func randomElement(using random: inout SeededNumbers, or other: Element) -> Element {
        randomElement(using: &random) ?? other
    }
}
