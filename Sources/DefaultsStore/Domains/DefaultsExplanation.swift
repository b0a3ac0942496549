/// What one domain has for a key, as `explain(forKey:)` lists it.
///
/// ```swift
/// let suite = DefaultsSuite.inMemory()
/// try suite.set(0.5, forKey: "volume")
/// suite.explain(forKey: "volume").forEach { print($0) }
/// ```
/// prints `stored: 0.5 (in memory): applies`.
public struct DefaultsExplanation: Hashable, Sendable {
    /// Where a value is.
    public enum Location: Hashable, Sendable {
        /// A file, with the line and column of the value, counted from 1.
        case file(path: String, line: Int, column: Int)
        /// The journal of a settings file, which the file follows about 100 ms later.
        case journal(of: String)
        /// The command line: the flag as it was written, and its position in the list, counted from 0.
        case argument(index: Int, flag: String)
        /// A variable of the environment.
        case variable(String)
        /// A source of default values: its name, its path or URL with what else it tells, and how long ago it was
        /// loaded.
        case source(String, String?, age: Duration)
        /// The same of a source that has not answered since the start: what was kept on disk of its last answer, and
        /// how old that is.
        case lastKnown(String, String?, age: Duration)
        /// A call of `register(defaults:)`.
        case registration
        /// The declaration of the key.
        case declaration
        /// Only this process's memory.
        case memory
    }

    /// What happens to the value.
    public enum Outcome: Hashable, Sendable {
        /// It is the effective value.
        case applies
        /// It is part of the effective value, according to the key's rule for combining.
        case combined
        /// A higher domain has a value; if that is a source of default values, its name.
        case masked(by: DefaultsDomain, source: String? = nil)
        /// It is not a value of the key; the reason, without the value.
        case refused(DefaultsError)
        /// It is not served, because so many starts of the program failed with it: ``DefaultsSuite/beginStart(safeAfter:)``.
        case withheld(failedStarts: Int)
    }

    /// The domain.
    public let domain: DefaultsDomain
    /// The value as it was written, `true` for a flag without a value; nil for a secret key.
    public let text: String?
    /// Whether the value is left out because the key is secret.
    public let isSecret: Bool
    /// Where it is.
    public let location: Location
    /// What happens to it.
    public let outcome: Outcome
}

extension DefaultsExplanation: CustomStringConvertible {
    /// One line: the domain, the value, its location, the outcome.
    public var description: String {
        "\(domain): \(isSecret ? "\(HiddenValue())" : text.map(onOneLine) ?? "(no value)") (\(location)): \(outcome)"
    }

    /// Returns a text without line ends: a value of several lines of a file as JSON on one, any other text quoted.
    private func onOneLine(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 < 0x20 }) else { return text }
        do { return try StoredValue(validating: Array(text.utf8)).value.description } catch {
            return String(decoding: JSONWriter.quoted(text), as: UTF8.self)
        }
    }
}

extension DefaultsExplanation.Location: CustomStringConvertible {
    /// The location in words: `"/etc/xdg/player/managed.json:3:14"`.
    public var description: String {
        switch self {
        case .file(let path, let line, let column): "\(path):\(line):\(column)"
        case .journal(let path): "soon in \(path)"
        case .argument(let index, let flag): "argument \(index), \(flag)"
        case .variable(let name): "variable \(name)"
        case .source(let name, let location, let age):
            "\(words(name, location)), loaded \(age.components.seconds) s ago"
        case .lastKnown(let name, let location, let age):
            "\(words(name, location)), last known, \(roughly(age.components.seconds)) old"
        case .registration: "register(defaults:)"
        case .declaration: "the key's own default"
        case .memory: "in memory"
        }
    }

    private func words(_ name: String, _ location: String?) -> String {
        "source \(name)\(location.map { " at \($0)" } ?? "")"
    }

    /// A time in the largest unit that there are at least two of, as a person would say it.
    private func roughly(_ seconds: Int64) -> String {
        switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7_200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3_600) h"
        default: "\(seconds / 86_400) d"
        }
    }
}

extension DefaultsExplanation.Location {
    /// What to do about a value here that its key cannot use; nil if it can be set or reset, or corrected in its file.
    ///
    /// - Parameter example: a text that the key would take.
    func recoverySuggestion(example: String? = nil) -> String? {
        switch self {
        case .argument(_, let flag):
            "Change or leave out the argument \(flag)\(offer(example, of: flag))."
        case .variable(let name): "Change or unset the variable \(name)\(offer(example, of: name))."
        case .source(let name, let location, _), .lastKnown(let name, let location, _):
            "Correct it in the source \(location ?? name)."
        case .registration: "Correct what the program registers as the default."
        case .declaration, .file, .journal, .memory: nil
        }
    }

    private func offer(_ example: String?, of name: String) -> String {
        example.map { "; \(name)=\(ShellWord($0)) would be taken" } ?? ""
    }
}

extension DefaultsExplanation.Outcome: CustomStringConvertible {
    /// The outcome in words: `"masked by managed"`, `"masked by source machine.json"`.
    public var description: String {
        switch self {
        case .applies: "applies"
        case .combined: "is combined with the others"
        case .masked(let domain, let source): "masked by \(source.map { "source \($0)" } ?? "\(domain)")"
        case .refused(let error): "refused: \(error.underlyingDescription ?? error.code.summary)"
        case .withheld(let count): "withheld after \(count) failed \(count == 1 ? "start" : "starts")"
        }
    }
}
