/// One thing that looking through a suite's files has found.
///
/// ```swift
/// for finding in try DefaultsSuite("player").inspect() { print(finding) }
/// ```
public struct DefaultsFinding: Hashable, Sendable {
    /// How much it matters.
    public enum Weight: Int, Comparable, Sendable {
        /// As it may be; good to know.
        case note
        /// Nothing fails, but it is not as it should be.
        case warning
        /// Reading or writing fails, or does not see what is in the file.
        case error

        /// Orders by how much they matter.
        public static func < (left: Weight, right: Weight) -> Bool { left.rawValue < right.rawValue }
    }

    /// How much it matters.
    public let weight: Weight
    /// What a program can branch on: `"malformedFile"`, a name of ``DefaultsError/Code`` where there is one for it.
    public let kind: String
    /// The file or folder.
    public let path: String
    /// The line in it, counted from 1.
    public var line: Int?
    /// The column in that line, counted from 1 in Unicode scalars.
    public var column: Int?
    /// The key it is about.
    public var key: String?
    /// What is the matter; no stored value.
    public let reason: String
    /// What a person can do about it; nil where there is nothing to do.
    public var remedy: String?
    /// Whether ``DefaultsSuite/repair()`` can repair it.
    public var isRepairable: Bool { repair != nil }
    /// What it takes to repair it.
    package var repair: Repair?

    /// The ways to repair something.
    package enum Repair: Sendable {
        /// Others may not write it any more.
        case narrowMode
        /// The suite is opened and its file brought up to date.
        case checkpoint
        /// What a dead writer left is put right.
        case clearing
    }
}

extension DefaultsFinding: CustomStringConvertible {
    /// One line: how much it matters, where, what, and what to do.
    public var description: String {
        let place = path + (line.map { ":\($0):\(column ?? 1)" } ?? "")
        let name = key.map { "key \"\($0)\": " } ?? ""
        return "\(weight): \(place): \(name)\(reason)\(remedy.map { ". " + $0 } ?? "")"
    }
}

extension DefaultsFinding {
    /// The finding that an error is.
    init(_ error: DefaultsError, at path: String) {
        self.init(
            weight: .error, kind: error.code.description, path: error.path ?? path, line: error.line,
            column: error.column, key: error.key,
            reason: error.code.summary + (error.systemError.map { ": \($0)" } ?? "")
                + (error.underlyingDescription.map { ": \($0)" } ?? ""),
            remedy: error.code.remedy)
    }
}
