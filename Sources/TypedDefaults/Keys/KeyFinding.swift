import DefaultsStore

/// What a key's read found, with what it takes to know whether it still holds.
///
/// Not generic, and the value behind a reference, so that the fast path asks the runtime for no generic type.
final class KeyFinding: Sendable {
    let stamp: SuiteStamp
    /// The text it came from; another text is another value.
    private let text: StoredValue?
    /// The value, decoded: a `ValueBox` of the key's type; nil where only the key's own default can answer.
    private let value: (any AnyObject & Sendable)?
    /// Why the key cannot use the text, where it cannot.
    let refusal: ValueBox<DefaultsError>?

    private init(
        stamp: SuiteStamp, text: StoredValue?, value: (any AnyObject & Sendable)?,
        refusal: ValueBox<DefaultsError>?
    ) {
        self.stamp = stamp
        self.text = text
        self.value = value
        self.refusal = refusal
    }

    /// Nothing is stored or registered.
    convenience init(missingAt stamp: SuiteStamp) {
        self.init(stamp: stamp, text: nil, value: nil, refusal: nil)
    }

    /// A text is there, and is a value or is not.
    convenience init<Value: Sendable>(
        _ text: StoredValue, at stamp: SuiteStamp, decoded: Result<Value, DefaultsError>
    ) {
        // A slice would keep the whole file's text alive for as long as this key is not read again.
        let text = StoredValue(trusted: Array(text.bytes)[...])
        switch decoded {
        case .success(let value): self.init(stamp: stamp, text: text, value: ValueBox(value), refusal: nil)
        case .failure(let error): self.init(stamp: stamp, text: text, value: nil, refusal: ValueBox(error))
        }
    }

    /// The value of the key's type; nil where only the key's own default can answer.
    func value<Value: Sendable>(_ type: Value.Type) -> Value? {
        // Unchecked is sound because a key makes its own findings, with values of its type.
        value.map { unsafeDowncast($0, to: ValueBox<Value>.self).value }
    }

    /// The same finding in a later state of the same store; nil where the text is another one now, or is refused: what
    /// is wrong with it names its place, and that may be another line now.
    func renewed(at stamp: SuiteStamp, text: StoredValue?) -> KeyFinding? {
        guard refusal == nil, self.stamp.isOfSameStore(as: stamp), self.text == text else { return nil }
        return KeyFinding(stamp: stamp, text: self.text, value: value, refusal: nil)
    }
}

/// A decoded value behind a reference.
final class ValueBox<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
