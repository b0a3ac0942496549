import DefaultsStore

/// Writing: from a key's value to the text that a suite stores.
extension Defaults.Key {
    /// Returns the text to store for a value; nil removes.
    ///
    /// - Throws: `.invalidKey`, `.encodingFailed`, `.invalidValue`, `.valueTooLarge`.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    func textToStore(_ value: Value, in context: SuiteContext) throws(DefaultsError) -> StoredValue? {
        if let text = quickText(of: value) { return text }
        do { _ = try KeyName.validated(name) } catch { throw error.inSuite(context.name) }
        return try coding.textToStore(value, at: place(in: context)) { defaultValue }
    }

    /// Returns the text of the whole value after an access in place; nil removes.
    ///
    /// - Throws: `.invalidKey`, `.encodingFailed`, `.invalidValue`, `.valueTooLarge`.
    func textOfWhole(_ value: Value, in context: SuiteContext) throws(DefaultsError) -> StoredValue? {
        guard coding.merge != .replace else { return try textToStore(value, in: context) }
        do { _ = try KeyName.validated(name) } catch { throw error.inSuite(context.name) }
        if coding.isRemoval(value, default: { defaultValue }) { return nil }
        return try coding.text(of: value, at: place(in: context))
    }

    /// The text for a comparison of two values, also for a default that fails the key's validation.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    func comparableText(of value: Value, in context: SuiteContext) throws(DefaultsError) -> StoredValue {
        try coding.uncheckedText(of: value, at: place(in: context))
    }

    /// Stores a value in a suite.
    @_specialize(where Value == Bool)
    @_specialize(where Value == Int)
    @_specialize(where Value == Double)
    @_specialize(where Value == String)
    func set(_ value: Value, in context: SuiteContext) throws(DefaultsError) {
        register(in: context)
        if let text = quickText(of: value) { return try context.write(text, forKey: keyName) }
        // Encoded before any lock is taken, because encoding runs the type's own code.
        let text = try textToStore(value, in: context)
        guard let text, text.isList else { return try context.write(text, forKey: keyName) }
        try edit(text, in: context)
    }
}

/// Writing an array or object as an edit of the stored one: members that the key's type does not know stay.
extension Defaults.Key {
    /// Stores the text of an array or object.
    ///
    /// - Parameter deadline: until when to wait for the locks; nil for five seconds from now.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    func edit(
        _ text: StoredValue, in context: SuiteContext, until deadline: Deadline? = nil
    ) throws(DefaultsError) {
        try context.edit(text, forKey: keyName, Value.self, as: editRule(in: context), until: deadline) {
            reading(of: $0, in: context)
        }
    }

    /// Returns the text to stage after an access in place, or an assignment in a transaction.
    ///
    /// - Parameters:
    ///   - stored: the stored text.
    ///   - before: the text of the value that was read; nil if none was, or if it is not the stored one.
    func edited(
        _ text: StoredValue?, over stored: StoredValue?, from before: StoredValue?, in context: SuiteContext
    ) throws(DefaultsError) -> StoredValue? {
        guard let text, text.isList else { return text }
        let before = before ?? stored.flatMap { reading(of: $0, in: context) }
        return try editRule(in: context).text(of: text, from: before, over: stored)
            .checkingSize(forKey: name, in: context.name)
    }

    /// Returns the value that an access in place begins with, whether it is the stored one, and why a change
    /// must not be stored.
    ///
    /// A change is refused if the stored value cannot be used, because the change is then based on another
    /// value. A combined value is read from all domains, and stored as the part that differs.
    func valueToChange(
        _ stored: StoredValue?, in context: SuiteContext
    ) -> (value: Value, isOfStored: Bool, refusal: DefaultsError?) {
        ReadRecorder.record(keyName, in: context)
        register(in: context)
        let view = context.viewReporting()
        let finding = find(in: context, view)
        let refusal =
            finding.isValue ? refusal(of: stored, in: context) : finding.refusals.first?.ofLostChange
        return (value(of: finding, in: context), isRead(of: stored, view.domains), refusal)
    }

    /// Why a change of a substitute must not replace the stored value; nil if it may.
    func refusal(of stored: StoredValue?, in context: SuiteContext) -> DefaultsError? {
        guard let stored, coding.refuses(stored) else { return nil }
        let lower = context.domains.load().below(stored, of: keyName, stored: stored)
        let error = coding.objection(to: stored, as: .part, at: place(in: context), over: lower) {
            defaultValue
        }
        return error.map { context.locating($0, key: keyName, context.loaded).ofLostChange }
    }

    /// Whether the value that is read is the stored one or has it as its part, and does not hide it.
    func isRead(of stored: StoredValue?, _ domains: DomainStack) -> Bool {
        if coding.merge != .replace { return !domains.withholds(stored, of: keyName) }
        return domains.first(keyName, stored: stored, except: coding.refused) == stored
    }

    /// The stored text as the key's type writes it; nil if it is no value of the key's, so that nothing in it
    /// is kept.
    private func reading(of stored: StoredValue, in context: SuiteContext) -> StoredValue? {
        do throws(DefaultsError) {
            let domains = context.domains.load().servingStored
            let whole =
                coding.merge == .replace
                ? stored : domains.first(keyName, stored: stored, except: coding.refused) ?? stored
            let lower = { domains.below(stored, of: self.keyName, stored: stored) }
            let value = try coding.value(of: whole, at: place(in: context), over: lower) { defaultValue }
            return try coding.uncheckedText(of: value, at: place(in: context))
        } catch {
            return nil
        }
    }

    private func editRule(in context: SuiteContext) throws(DefaultsError) -> ValueEdit.Rule {
        guard coding.merge != .replace else { return .whole }
        let lower = context.domains.load().fallback(of: keyName, except: coding.refused)
        let standard = try coding.defaultText(at: place(in: context)) { defaultValue }
        return .part(coding.merge, below: coding.merge.combined([lower, standard].compactMap(\.self)))
    }
}

extension DefaultsError {
    /// The error for a change in place that was not stored because of this one.
    package var ofLostChange: DefaultsError {
        advising(
            "The change in place was not stored. Correct the value where it is, or set or reset the key.")
    }
}

/// The short path of a write, for keys whose values are plain texts.
extension Defaults.Key {
    /// Nil if the long path has to be taken.
    private func quickText(of value: Value) -> StoredValue? {
        guard isQuick, isNameValid, let bytes = plainText(of: value) else { return nil }
        return StoredValue(trusted: bytes[...])
    }
}

/// Returns the plain text of a value of a type that has the short path.
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
