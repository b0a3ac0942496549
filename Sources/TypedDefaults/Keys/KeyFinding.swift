import DefaultsStore

/// What a key's read found.
///
/// Not generic, and the value behind a reference, so that the fast path asks the runtime for no generic type.
final class KeyFinding: Sendable {
    /// The text that it came from, because another text is another value; nil if nothing is stored or registered.
    private let text: StoredValue?
    /// The decoded value: a `ValueBox` of the key's type; nil if only the key's own default can answer.
    private let value: (any AnyObject & Sendable)?
    /// Why the key cannot use what some domains have, if it cannot.
    private let refused: ValueBox<[DefaultsError]>?
    /// Whether the value is the text's alone, and no other domain's in part.
    private let isOfTextAlone: Bool

    private init(
        text: StoredValue?, value: (any AnyObject & Sendable)?, refused: ValueBox<[DefaultsError]>?,
        isOfTextAlone: Bool = true
    ) {
        self.text = text
        self.value = value
        self.refused = refused
        self.isOfTextAlone = isOfTextAlone
    }

    /// Nothing is stored or registered.
    static let missing = KeyFinding(text: nil, value: nil, refused: nil)

    /// Creates the finding of a text.
    ///
    /// - Parameters:
    ///   - value: what it stands for, or what the next domain has if the key cannot use it; nil if no domain has a value.
    ///   - refusals: why it, and what is below it, cannot be used.
    convenience init<Value: Sendable>(
        _ text: StoredValue, _ value: Value?, refusals: [DefaultsError] = [], isOfTextAlone: Bool = true
    ) {
        // A slice would keep the whole file's text alive until this key is read again.
        self.init(
            text: text.detached, value: value.map { ValueBox($0) },
            refused: refusals.isEmpty ? nil : ValueBox(refusals), isOfTextAlone: isOfTextAlone)
    }

    /// Why the key cannot use what some domains have.
    var refusals: [DefaultsError] { refused?.value ?? [] }

    /// Whether the text is the value.
    var isSound: Bool { refused == nil }

    /// Whether there is a value; otherwise only the key's own default can answer.
    var isValue: Bool { value != nil }

    /// Returns the value of the key's type; nil if only the key's own default can answer.
    func value<Value: Sendable>(_ type: Value.Type) -> Value? {
        // Unchecked is sound because a key makes its own findings, with values of its type.
        value.map { unsafeDowncast($0, to: ValueBox<Value>.self).value }
    }

    /// Whether it is the finding of a text.
    ///
    /// A refusal only in the state that it was found in: it names a place in the file, which may be another line later,
    /// and finding that reads the file up to there. So is a value with members of other domains, which may change.
    func isOf(_ text: StoredValue?, inItsState isInItsState: Bool) -> Bool {
        (isSound && isOfTextAlone || isInItsState) && self.text == text
    }
}

/// A decoded value behind a reference.
final class ValueBox<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}

/// Reporting what was read of a key and is doubtful.
extension KeyPlace {
    /// Runs a decoding of the key's value in its suite, and reports doubtful dates in it, each once.
    package func decodeReportingDoubts<Result, Failure: Error>(
        in context: SuiteContext, _ snapshot: @autoclosure () -> StoreSnapshot?,
        _ decode: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try DoubtfulDates.look(decode) { finding in
            let doubt = error(.doubtfulDate, foreign: finding.reason)
            context.reportLasting(context.locating(doubt, key: key, snapshot()))
        }
    }
}
