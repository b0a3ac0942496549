import DefaultsStore

/// The finding of a key's read.
///
/// Not generic, and the value behind a reference, so that the fast path asks the runtime for no generic type.
final class KeyFinding: Sendable {
    /// The source text, because another text is another value; nil if nothing is stored or registered.
    private let text: StoredValue?
    /// The decoded value, a `ValueBox` of the key's type; nil if only the key's own default can answer.
    private let value: (any AnyObject & Sendable)?
    /// Why the key cannot use some domains' values.
    private let refused: ValueBox<[DefaultsError]>?
    /// Whether the value comes from the text alone, and in no part from another domain.
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
    ///   - value: the text's value, or the next domain's if the key cannot use it; nil if no domain has a
    ///     value.
    ///   - refusals: why the text, and those below it, cannot be used.
    convenience init<Value: Sendable>(
        _ text: StoredValue, _ value: Value?, refusals: [DefaultsError] = [], isOfTextAlone: Bool = true
    ) {
        // A slice would retain the whole file's text until this key is read again.
        self.init(
            text: text.detached, value: value.map { ValueBox($0) },
            refused: refusals.isEmpty ? nil : ValueBox(refusals), isOfTextAlone: isOfTextAlone)
    }

    var refusals: [DefaultsError] { refused?.value ?? [] }

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
    /// A refusal is one only in the state in which it was found. It has a location in the file, which may be
    /// another line later, and to find that reads the file up to there. The same holds for a value with
    /// members of other domains, which may change.
    func isOf(_ text: StoredValue?, inItsState isInItsState: Bool) -> Bool {
        (isSound && isOfTextAlone || isInItsState) && self.text == text
    }
}

/// A decoded value behind a reference.
final class ValueBox<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}

/// Reports of ambiguous dates in a key's value.
extension KeyPlace {
    /// Runs a decoding of the key's value in its suite, and reports each ambiguous date in it once.
    package func decodeReportingDoubts<Result, Failure: Error>(
        in context: SuiteContext, _ snapshot: @autoclosure () -> StoreSnapshot?,
        _ decode: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try DoubtfulDates.look(decode) { finding in
            let doubt = error(.ambiguousDate, foreign: finding.reason)
            context.reportLasting(context.locating(doubt, key: key, snapshot()))
        }
    }
}
