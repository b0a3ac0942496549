import DefaultsStore

/// The short path for keys whose values are plain texts: for a read that finds nothing on the fast path, usually the
/// first one after a change, and for a write.
extension Defaults.Key {
    /// Returns the value in the key's own suite.
    ///
    /// Separate from its caller, which chooses by the type and so needs no other type metadata.
    @inline(never)
    func foundValue() -> Value { quickValue() ?? value(in: suite.core) }

    /// Returns the value of a plain text, kept for the next reads; nil if the long path has to be taken.
    ///
    /// Only the value is kept: reading a number again takes no longer than comparing its text, and a string is
    /// compared with the value.
    func quickValue() -> Value? {
        guard isQuick, !ReadRecorder.isRecording, !SuiteReplacement.isAny else { return nil }
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
    /// Returns the value of a plain stored text; nil if the key's codec has to decide.
    func quickValue(of text: StoredValue) -> Value? {
        guard isQuick else { return nil }
        return text.bytes.withUnsafeBufferPointer { plainValue(of: $0, as: Value.self) }
    }

    /// Returns the text to store for a value; nil if the long path has to be taken.
    func quickText(of value: Value) -> StoredValue? {
        guard isQuick, isNameValid, let bytes = plainText(of: value) else { return nil }
        return StoredValue(trusted: bytes[...])
    }
}

/// Whether values of a type have the short path.
func hasPlainValues<Value>(_ type: Value.Type) -> Bool {
    type == Bool.self || type == Int.self || type == Double.self || type == String.self
}

/// Returns the value of a plain text of one of these types, except `String`; resolved by the compiler if the type is
/// known.
@inline(__always)
private func plainValue<Value>(of text: UnsafeBufferPointer<UInt8>, as type: Value.Type) -> Value? {
    if type == Bool.self { return Bool.plainValue(text).map { same($0, as: type) } }
    if type == Int.self { return Int.plainValue(text).map { same($0, as: type) } }
    if type == Double.self { return Double.plainValue(text).map { same($0, as: type) } }
    return nil
}

/// Returns the plain text of a value of one of these types.
///
/// A long string takes the long path too, because there is a limit to it.
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

/// Returns a value as another name of the same type.
@inline(__always)
private func same<One, Other>(_ value: One, as type: Other.Type) -> Other {
    // Sound because every caller has checked that the two types are the same.
    unsafeBitCast(value, to: type)
}
