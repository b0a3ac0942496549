/// A failed operation on one suite.
///
/// Compare ``code`` to branch; print the error to learn what was being done, to what, why it failed and what to do.
/// The shape (a struct with an extensible code, and the system's error inside) follows swift-subprocess.
///
/// The text never contains a stored value. It may name a member of the value at fault, such as a dictionary's key,
/// and it includes what a type's or a codec's own code says about the value; for a key declared with `secret: true`
/// it has neither.
public struct DefaultsError: Error, Hashable, Sendable {
    /// The reason, for a caller to branch on.
    public var code: Code { fields.code }
    /// The suite that the operation was for.
    public package(set) var suite: String? {
        get { fields.suite }
        set { fields.suite = newValue }
    }
    /// The key that the operation was for.
    public package(set) var key: String? {
        get { fields.key }
        set { fields.key = newValue }
    }
    /// The file or folder in question.
    public package(set) var path: String? {
        get { fields.path }
        set { fields.path = newValue }
    }
    /// The line in the file, counted from 1.
    public package(set) var line: Int? {
        get { fields.line }
        set { fields.line = newValue }
    }
    /// The column in that line, counted from 1 in Unicode scalars.
    public package(set) var column: Int? {
        get { fields.column }
        set { fields.column = newValue }
    }
    /// The system call that failed, if one did.
    public var systemError: SystemError? { fields.systemError }
    /// What other code said: a `Codable` type's own error, a validation's reason.
    public package(set) var underlyingDescription: String? {
        get { fields.underlyingDescription }
        set { fields.underlyingDescription = newValue }
    }

    private struct Fields: Hashable, Sendable {
        let code: Code
        var suite, key, path: String?
        var line, column: Int?
        let systemError: SystemError?
        var underlyingDescription: String?
    }

    /// One reference, because every state and every commit has room for an error, and hardly ever has one.
    ///
    /// What to do is advice to a person, and makes no other failure of it.
    private indirect enum Box: Hashable, Sendable {
        case of(Fields, recoverySuggestion: String?)

        var fields: Fields {
            switch self {
            case .of(let fields, _): fields
            }
        }

        var recoverySuggestion: String? {
            switch self {
            case .of(_, let recoverySuggestion): recoverySuggestion
            }
        }

        static func == (left: Box, right: Box) -> Bool { left.fields == right.fields }
        func hash(into hasher: inout Hasher) { hasher.combine(fields) }
    }

    private var box: Box

    private var fields: Fields {
        get { box.fields }
        set { box = .of(newValue, recoverySuggestion: box.recoverySuggestion) }
    }

    /// What can be done about it, in a sentence; it takes no part in comparisons.
    public var recoverySuggestion: String { box.recoverySuggestion ?? code.recoverySuggestion }

    /// Creates an error; what does not apply stays nil.
    @inline(never)
    package init(
        _ code: Code, suite: String? = nil, key: String? = nil, path: String? = nil, line: Int? = nil,
        column: Int? = nil, systemError: SystemError? = nil, underlyingDescription: String? = nil
    ) {
        box = .of(
            Fields(
                code: code, suite: suite, key: key, path: path, line: line, column: column,
                systemError: systemError, underlyingDescription: underlyingDescription),
            recoverySuggestion: nil)
    }

    /// Creates an error, for the packages that belong to this library.
    @_disfavoredOverload
    @_spi(TypedDefaults)
    public init(
        _ code: Code, suite: String? = nil, key: String? = nil, path: String? = nil,
        underlyingDescription: String? = nil
    ) {
        self.init(
            code, suite: suite, key: key, path: path, line: nil, underlyingDescription: underlyingDescription)
    }

    /// Returns the failure of a source of default values of your own, for it to throw or to report.
    ///
    /// - Parameters:
    ///   - reason: what has failed, as a clause: `"the server does not answer"`.
    ///   - key: the key whose value is at fault, if it is one.
    ///   - path: the file or the address that was asked.
    public static func sourceFailed(
        _ reason: String, key: String? = nil, path: String? = nil
    ) -> DefaultsError {
        DefaultsError(.sourceFailed, key: key, path: path, line: nil, underlyingDescription: reason)
    }

    /// Nil leaves the recovery suggestion as it is.
    @inline(never)
    package func advising(_ recoverySuggestion: String?) -> DefaultsError {
        guard let recoverySuggestion else { return self }
        var error = self
        error.box = .of(fields, recoverySuggestion: recoverySuggestion)
        return error
    }

    /// Keeps the suite if one is named already.
    @inline(never)
    package func inSuite(_ name: String) -> DefaultsError {
        guard suite == nil else { return self }
        var error = self
        error.suite = name
        return error
    }
}

extension DefaultsError: CustomStringConvertible {
    /// One line: what was being done, to what, why it failed, what to do.
    ///
    /// Control characters in names, paths and quoted descriptions are escaped, as `\u001B`.
    public var description: String { PrintedText.escaped(sentence) }

    private var sentence: String {
        var text = code.summary
        if let key { text += " (key \"\(key)\"" + (suite.map { ", suite \"\($0)\")" } ?? ")") }
        if key == nil, let suite { text += " (suite \"\(suite)\")" }
        if let path { text += " at \(path)" + (line.map { ":\($0):\(column ?? 1)" } ?? "") }
        if path == nil, let line { text += " at \(line):\(column ?? 1)" }
        if let systemError { text += ": \(systemError)" }
        if let underlyingDescription { text += ": \(underlyingDescription)" }
        return text + (text.hasSuffix(".") ? " " : ". ") + recoverySuggestion
    }
}

extension DefaultsError {
    /// Refuses whatever is done in a forked child of a program that had suites open.
    package static func refuseInChild(_ path: @autoclosure () -> String? = nil) throws(DefaultsError) {
        if Fork.isRefused { throw DefaultsError(.forkedChild, path: path()) }
    }

    /// Returns what a failed read means for the caller; never "there is nothing".
    @inline(never)
    static func reading(_ path: String, _ error: SystemError) -> DefaultsError {
        DefaultsError(code(reading: error), path: path, systemError: error)
    }

    /// Whether another attempt to read may succeed soon without a change of the file: the system was short of something,
    /// or failed.
    package var mayPass: Bool { code == .ioFailure && systemError?.isForbidden != true }

    @inline(never)
    static func writing(_ path: String, _ error: SystemError) -> DefaultsError {
        DefaultsError(code(writing: error), path: path, systemError: error)
            .advising(error.isFolder ? "A folder is in a file's place: move it away." : nil)
    }

    static func reading<Result: ~Copyable>(
        _ path: @autoclosure () -> String, _ body: () throws(SystemError) -> Result
    ) throws(DefaultsError) -> Result {
        do { return try body() } catch { throw .reading(path(), error) }
    }

    static func reading<Result: ~Copyable>(
        _ path: @autoclosure () -> String, _ call: @autoclosure () throws(SystemError) -> Result
    ) throws(DefaultsError) -> Result {
        do { return try call() } catch { throw .reading(path(), error) }
    }

    static func writing<Result: ~Copyable>(
        _ path: @autoclosure () -> String, _ body: () throws(SystemError) -> Result
    ) throws(DefaultsError) -> Result {
        do { return try body() } catch { throw .writing(path(), error) }
    }

    static func writing<Result: ~Copyable>(
        _ path: @autoclosure () -> String, _ call: @autoclosure () throws(SystemError) -> Result
    ) throws(DefaultsError) -> Result {
        do { return try call() } catch { throw .writing(path(), error) }
    }

    private static func code(reading error: SystemError) -> Code {
        if Fork.isRefused { return .forkedChild }
        return error.isUnsafePlace ? .insecureDirectory : .ioFailure
    }

    private static func code(writing error: SystemError) -> Code {
        if error.isFull { return .diskFull }
        if error.isForbidden { return .readOnly }
        return code(reading: error)
    }
}
