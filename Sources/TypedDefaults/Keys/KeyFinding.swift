import DefaultsStore

/// What a key's read found.
///
/// Not generic, and the value behind a reference, so that the fast path asks the runtime for no generic type.
final class KeyFinding: Sendable {
    /// The text it came from, since another one is another value; nil where nothing is stored or registered.
    private let text: StoredValue?
    /// The value, decoded: a `ValueBox` of the key's type; nil where only the key's own default can answer.
    private let value: (any AnyObject & Sendable)?
    /// Why the key cannot use the text, where it cannot.
    let refusal: ValueBox<DefaultsError>?

    private init(
        text: StoredValue?, value: (any AnyObject & Sendable)?, refusal: ValueBox<DefaultsError>?
    ) {
        self.text = text
        self.value = value
        self.refusal = refusal
    }

    /// Nothing is stored or registered.
    static let missing = KeyFinding(text: nil, value: nil, refusal: nil)

    /// A text is there, and is a value or is not.
    convenience init<Value: Sendable>(_ text: StoredValue, decoded: Result<Value, DefaultsError>) {
        // A slice would keep the whole file's text alive for as long as this key is not read again.
        let text = text.detached
        switch decoded {
        case .success(let value): self.init(text: text, value: ValueBox(value), refusal: nil)
        case .failure(let error): self.init(text: text, value: nil, refusal: ValueBox(error))
        }
    }

    /// Whether there is a value; else only the key's own default can answer.
    var isValue: Bool { value != nil }

    /// The value of the key's type; nil where only the key's own default can answer.
    func value<Value: Sendable>(_ type: Value.Type) -> Value? {
        // Unchecked is sound because a key makes its own findings, with values of its type.
        value.map { unsafeDowncast($0, to: ValueBox<Value>.self).value }
    }

    /// Whether it is what a text comes to; not where that is refused, since what is wrong with it names its place, and
    /// that may be another line now.
    func isOf(_ text: StoredValue?) -> Bool { refusal == nil && self.text == text }
}

/// A decoded value behind a reference.
final class ValueBox<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
