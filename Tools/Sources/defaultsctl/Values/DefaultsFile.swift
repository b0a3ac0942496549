import DefaultsStore

/// The JSON file of default values that `--defaults` names, and where in it each value stands.
struct DefaultsFile {
    let members: DefaultsObject
    private let name: String
    private let places: [String: Place]

    /// A line and a column, counted from 1; a column is a Unicode scalar.
    struct Place {
        var line = 1
        var column = 1
    }

    /// Reads the file; `-` is standard input.
    init(_ path: String) throws {
        let text = try InputText.read(path)
        name = InputText.name(path)
        members = try InputText.object(text, from: name)
        places = DefaultsFile.places(in: text)
    }

    /// Where the value of a key stands.
    func place(of key: String) -> DefaultsExplanation.Location? {
        places[key].map { .file(path: name, line: $0.line, column: $0.column) }
    }

    /// The places of the values of an object's members; the text is one that has been read already.
    private static func places(in text: String) -> [String: Place] {
        var places: [String: Place] = [:]
        var scanner = Scanner(text)
        var (depth, key, isValueNext) = (0, "", false)
        while let token = scanner.next() {
            if isValueNext {
                places[key] = token.place
                isValueNext = false
            }
            switch token.text.unicodeScalars.first {
            case "{", "[": depth += 1
            case "}", "]": depth -= 1
            case ":" where depth == 1: isValueNext = true
            case "\"" where depth == 1: key = string(token.text)
            default: break
            }
        }
        return places
    }

    private static func string(_ literal: String) -> String {
        // One that is no text cannot be asked for either.
        do { return try DefaultsValue(json: literal).string ?? "" } catch { return "" }
    }

    /// Takes valid JSON apart: strings whole, everything else scalar by scalar, without blanks and comments.
    private struct Scanner {
        private var rest: Substring.UnicodeScalarView
        private var place = Place()

        init(_ text: String) {
            rest = text.unicodeScalars[...]
            // A byte-order mark has no column.
            if rest.first == "\u{FEFF}" { rest.removeFirst() }
        }

        mutating func next() -> (text: String, place: Place)? {
            while let scalar = rest.first {
                if scalar.properties.isWhitespace {
                    pass()
                } else if rest.starts(with: "//".unicodeScalars) {
                    while let other = rest.first, other != "\n", other != "\r" { pass() }
                } else if rest.starts(with: "/*".unicodeScalars) {
                    passAll(2)
                    while !rest.isEmpty, !rest.starts(with: "*/".unicodeScalars) { pass() }
                    passAll(2)
                } else {
                    let start = place
                    return (String(scalar == "\"" ? string() : String.UnicodeScalarView([pass()])), start)
                }
            }
            return nil
        }

        private mutating func string() -> String.UnicodeScalarView {
            var literal = String.UnicodeScalarView([pass()])
            while let scalar = rest.first {
                literal.append(pass())
                if scalar == "\"" { break }
                if scalar == "\\", !rest.isEmpty { literal.append(pass()) }
            }
            return literal
        }

        private mutating func passAll(_ count: Int) {
            for _ in 0..<min(count, rest.count) { pass() }
        }

        @discardableResult private mutating func pass() -> Unicode.Scalar {
            let scalar = rest.removeFirst()
            // CR LF is one line end, which the second of them makes.
            if scalar == "\n" || scalar == "\r" && rest.first != "\n" {
                place = Place(line: place.line + 1)
            } else {
                place.column += 1
            }
            return scalar
        }
    }
}
