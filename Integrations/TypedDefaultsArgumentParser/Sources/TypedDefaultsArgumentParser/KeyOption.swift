import ArgumentParser
import TypedDefaults

/// A key as an option: the way of its texts into the arguments domain.
struct KeyOption<Value: Sendable>: Sendable {
    let key: Defaults.Key<Value>

    init(_ key: Defaults.Key<Value>) { self.key = key }

    var name: NameSpecification { .customLong(word) }

    /// The name as people write options, and as ArgumentParser spells those of properties: `api-token` for `apiToken`.
    var word: String {
        let letters = Array(key.name)
        var word = ""
        for (index, letter) in letters.enumerated() {
            let next = letters.indices.contains(index + 1) ? letters[index + 1] : "-"
            if letter == "." || letter == "_" {
                word += "-"
            } else {
                let before = index > 0 ? letters[index - 1] : "-"
                let beginsWord =
                    letter.isUppercase
                    && (before.isLowercase || before.isNumber || before.isUppercase && next.isLowercase)
                word += (beginsWord ? "-" : "") + letter.lowercased()
            }
        }
        return word
    }

    /// What a shell completes.
    var completion: CompletionKind? { key.allowedValues.map { .list($0) } }

    /// Whether it is on or off, and needs no text.
    var isFlag: Bool { Value.self == Bool.self || Value.self == Bool?.self }

    /// Whether it may be given several times, once for each element.
    var isList: Bool {
        let type = (Value.self as? any Wrapping.Type)?.wrapped ?? Value.self
        return type is any ExpressibleByArrayLiteral.Type && type is any Sequence.Type
    }

    /// Puts what was given into the arguments domain of the key's suite.
    ///
    /// - Parameter texts: all that has been given, in its order; of a key that is no list the last one applies.
    /// - Returns: what applies now, which is more than what was given if the key combines values.
    func take(_ texts: [String]) throws(Refusal) -> Value {
        if let lock = key.suite.explain(forKey: key.name).first(where: { $0.domain == .managed }) {
            throw Refusal("it is locked, by \(lock.location)")
        }
        do throws(DefaultsError) {
            let text = isList ? try list(texts) : texts.last ?? ""
            _ = try key.value(from: text)
            key.suite.addArguments(
                words(for: text, given: texts.last ?? ""), names: [word: key.name])
        } catch {
            throw Refusal(error, allowed: key.allowedValues, example: key.exampleText)
        }
        return key.suite[key]
    }

    /// Returns the words that the library reads, the flag where it stands on the process's command line.
    private func words(for text: String, given last: String) -> [String] {
        Array(repeating: "", count: position(of: last, among: CommandLine.arguments) ?? 0)
            + ["--\(word)=\(text)"]
    }

    /// Returns where the option stands that has this text; nil if that is not sure.
    ///
    /// What other names it has ArgumentParser does not tell, so one of them is known by the text that it has.
    private func position(of text: String, among words: [String]) -> Int? {
        let spellings = ["--\(word)", "--no-\(word)"]
        let named = words.indices.filter { index in
            spellings.contains { words[index] == $0 || words[index].hasPrefix($0 + "=") }
        }
        let fitting = words.indices.filter { index in
            words[index].hasPrefix("-")
                && (words[index].hasSuffix("=" + text) || words[index].dropFirst(2) == text
                    || words.dropFirst(index + 1).first == text)
        }
        if let index = fitting.last(where: named.contains) { return index }
        return Set(fitting.map { words[$0] }).count == 1 ? fitting.last : named.last
    }
}

/// An optional, whose wrapped type can be had of the type alone.
private protocol Wrapping { static var wrapped: Any.Type { get } }

extension Optional: Wrapping {
    fileprivate static var wrapped: Any.Type { Wrapped.self }
}

/// Lists, of which each text is an element, or several as JSON.
extension KeyOption {
    private func list(_ texts: [String]) throws(DefaultsError) -> String {
        var elements: [DefaultsValue] = []
        for text in texts { elements += try meaning(of: text, after: elements) }
        return DefaultsValue.array(elements).description
    }

    /// Returns the elements that a text stands for: those of a JSON array, a word, or one JSON value.
    private func meaning(
        of text: String, after elements: [DefaultsValue]
    ) throws(DefaultsError) -> [DefaultsValue] {
        let json = value(ofJSON: text)
        let forms = [json?.array, [.string(text)], json.map { [$0] }].compactMap(\.self)
        var first: DefaultsError?
        for form in forms {
            do throws(DefaultsError) {
                _ = try key.value(from: DefaultsValue.array(elements + form).description)
                return form
            } catch {
                // The validation is for the whole list, which may not be whole yet.
                if error.code == .invalidValue { return form }
                first = first ?? error
            }
        }
        if let first { throw first }
        return []
    }
}

/// Returns the value of a JSON text; nil for any other text.
func value(ofJSON text: String) -> DefaultsValue? {
    do { return try DefaultsValue(json: text) } catch { return nil }
}

/// Why a text is not taken, in the key's words and without the text.
struct Refusal: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    init(_ error: DefaultsError, allowed: [String]?, example: String?) {
        if let allowed {
            self.init("it is not one of \(allowed.joined(separator: ", "))")
        } else {
            let reason = error.underlyingDescription ?? "\(error)"
            self.init(reason + (example.map { "; \($0) would be taken" } ?? ""))
        }
    }
}
