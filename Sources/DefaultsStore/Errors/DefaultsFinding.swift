/// One thing that an inspection of a suite's files has found.
///
/// ```swift
/// for finding in try DefaultsSuite("player").inspectFiles() { print(finding) }
/// ```
public struct DefaultsFinding: Hashable, Sendable {
    /// How much it matters.
    public enum Severity: Int, Comparable, Sendable {
        /// In order, but good to know.
        case note
        /// Nothing fails, but something is not as it should be.
        case warning
        /// Reading or writing fails, or does not see what is in the file.
        case error

        /// Orders by severity.
        public static func < (left: Severity, right: Severity) -> Bool { left.rawValue < right.rawValue }
    }

    /// The kind of a file that never was a settings file: nothing can be read of it, and no program has written there.
    public static let foreignFile = "foreignFile"

    /// How much it matters.
    public let severity: Severity
    /// What a program can branch on: `"malformedFile"`; the name of a ``DefaultsError/Code`` if there is one for it.
    public let category: String
    /// The file or folder.
    public let path: String
    /// The line in it, counted from 1.
    public var line: Int?
    /// The column in that line, counted from 1 in Unicode scalars.
    public var column: Int?
    /// The key in question.
    public var key: String?
    /// What is wrong; never a stored value.
    public let reason: String
    /// What a user can do about it; nil if there is nothing to do.
    public var recoverySuggestion: String?
    /// Whether ``DefaultsSuite/repairFiles()`` can repair it.
    public var isRepairable: Bool { repair != nil }
    package var repair: Repair?

    /// The ways to repair something.
    package enum Repair: Sendable {
        /// Removes the others' right to write.
        case narrowMode
        /// Opens the suite and brings its file up to date.
        case checkpoint
        /// Cleans up what a dead writer left.
        case clearing
    }
}

extension DefaultsFinding: CustomStringConvertible {
    /// One line: how much it matters, where, what, and what to do.
    public var description: String {
        let place = path + (line.map { ":\($0):\(column ?? 1)" } ?? "")
        let name = key.map { "key \"\($0)\": " } ?? ""
        return "\(severity): \(place): \(name)\(reason)\(recoverySuggestion.map { ". " + $0 } ?? "")"
    }
}

extension DefaultsFinding {
    init(_ error: DefaultsError, at path: String) {
        self.init(
            severity: .error, category: error.code.description, path: error.path ?? path, line: error.line,
            column: error.column, key: error.key,
            reason: error.code.summary + (error.systemError.map { ": \($0)" } ?? "")
                + (error.underlyingDescription.map { ": \($0)" } ?? ""),
            recoverySuggestion: error.code.recoverySuggestion)
    }
}
