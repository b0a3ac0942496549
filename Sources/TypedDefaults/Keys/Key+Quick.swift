import DefaultsStore

/// The short way of keys whose values are plain texts: of a read that the fast path had no value for, most often the
/// first one after a change, and of a write.
extension Defaults.Key {
    /// The value in the key's own suite.
    ///
    /// Apart from what calls it, since that one finds its way by the type and needs no other type for it.
    @inline(never)
    func foundValue() -> Value { quickValue() ?? value(in: suite.core) }

    /// The value of a plain text, kept for the next reads; nil where the long way has to be gone.
    ///
    /// Nothing but the value is kept: to read a number anew takes no longer than to compare its text, and a text is
    /// compared with the value.
    func quickValue() -> Value? {
        guard isQuick, !ReadRecorder.isRecording else { return nil }
        var value: Value?
        var isMissing = false
        core._withUnsafeGuaranteedRef { core in
            core.withQuickText(keyName) { text, moment, cell in
                guard let text else {
                    isMissing = true
                    return slot.keep(Value?.none, at: moment, cell)
                }
                if Value.self == String.self {
                    value = slot.keepPlain(text, at: moment, cell).map { same($0, as: Value.self) }
                    return
                }
                value = plainValue(of: text, as: Value.self)
                if value != nil { slot.keep(value, at: moment, cell) }
            }
        }
        return isMissing ? makeDefault() : value.take()
    }
}

extension Defaults.Key {
    /// The value of a stored text that is plain; nil where the key's codec has to say.
    func quickValue(of text: StoredValue) -> Value? {
        guard isQuick else { return nil }
        return text.bytes.withUnsafeBufferPointer { plainValue(of: $0, as: Value.self) }
    }

    /// The text to store for a value; nil where the long way has to be gone.
    func quickText(of value: Value) -> StoredValue? {
        guard isQuick, isNameValid, let bytes = plainText(of: value) else { return nil }
        return StoredValue(trusted: bytes[...])
    }
}

/// Whether values of a type have the short way.
func hasPlainValues<Value>(_ type: Value.Type) -> Bool {
    type == Bool.self || type == Int.self || type == Double.self || type == String.self
}

/// The value of a plain text of one of these types, but `String`; decided by the compiler where the type is known.
@inline(__always)
private func plainValue<Value>(of text: UnsafeBufferPointer<UInt8>, as type: Value.Type) -> Value? {
    if type == Bool.self { return Bool.plainValue(text).map { same($0, as: type) } }
    if type == Int.self { return Int.plainValue(text).map { same($0, as: type) } }
    if type == Double.self { return Double.plainValue(text).map { same($0, as: type) } }
    return nil
}

/// The plain text of a value of one of these types.
///
/// Of a long text too the long way: there is a limit to it.
@inline(__always)
private func plainText<Value>(of value: Value) -> [UInt8]? {
    if Value.self == Bool.self { return same(value, as: Bool.self).plainText }
    if Value.self == Int.self { return same(value, as: Int.self).plainText }
    if Value.self == Double.self { return same(value, as: Double.self).plainText }
    if Value.self == String.self {
        let text = same(value, as: String.self)
        return text.utf8.count <= 4_096 ? text.plainText : nil
    }
    return nil
}

/// A value under another name of its type.
@inline(__always)
private func same<One, Other>(_ value: One, as type: Other.Type) -> Other {
    // Sound because everybody who calls this has asked whether the two types are the same.
    unsafeBitCast(value, to: type)
}
