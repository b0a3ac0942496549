import DefaultsStore

/// Returns the value in the key's own suite, if the fast path has none.
///
/// A free function, and separate from the fast path, so that the fast path needs no stack frame.
@inlinable @inline(never)
func valueOrDefault<Value>(of key: Defaults.Key<Value>, at version: UInt64) -> Value {
    key.slot.isMissing(at: version) ? key.makeDefault() : findValue(of: key)
}

// Specialised, because generic code spends most of its time asking the runtime for types.
@usableFromInline
@_specialize(where Value == Bool)
@_specialize(where Value == Int)
@_specialize(where Value == Double)
@_specialize(where Value == String)
func findValue<Value>(of key: Defaults.Key<Value>) -> Value { key.foundValue() }

/// From a suite's state to a key's value.
extension Defaults.Key {
    /// Returns the value in a suite, or the default if the stored one cannot be used; what is wrong is reported.
    func value(in context: SuiteContext) -> Value {
        // The slot holds what was found in the key's own suite.
        if context === ownSuite.ownContext {
            let (noted, version) = slot.versions
            if noted == version, noted != 0, let value = slot.value(Value.self, at: version) { return value }
        }
        ReadRecorder.note(keyName, in: context)
        welcome(in: context)
        return value(of: find(in: context, context.viewReporting()), in: context)
    }

    /// Returns the value in a suite.
    ///
    /// - Throws: `.typeMismatch`, `.invalidValue`, and what prevented the files from being read.
    func valueThrowing(in context: SuiteContext) throws(DefaultsError) -> Value {
        ReadRecorder.note(keyName, in: context)
        welcome(in: context)
        let view = try context.view()
        // Errors are thrown first: in a damaged file the key may be after the damage.
        do { _ = try view.first(keyName) } catch { throw error.inSuite(context.name) }
        let finding = find(in: context, view)
        if let refusal = finding.refusal { throw refusal.value }
        return value(of: finding, in: context)
    }

    /// Returns the value of a text of this key; the default for nil.
    func value(of text: StoredValue?, in context: SuiteContext) -> Value {
        guard let text else { return defaultValue }
        if let value = quickValue(of: text) { return value }
        return value(of: finding(of: text, in: context, nil), in: context)
    }

    /// Whether reads in a suite may use the cache.
    ///
    /// It serves the key's own suite, and never values of class type.
    private func isCached(_ context: SuiteContext) -> Bool {
        context === ownSuite.ownContext && !isOfClassType
    }

    /// Returns the value that was found, or the default if there is none, and reports why.
    func value(of finding: KeyFinding, in context: SuiteContext) -> Value {
        if let value = finding.value(Value.self) { return value }
        if let refusal = finding.refusal { context.reportStanding(refusal.value) }
        return defaultValue
    }

    /// Returns what the domains have for the key in a view.
    func find(in context: SuiteContext, _ view: SuiteContext.View) -> KeyFinding {
        let text: StoredValue?
        do { text = try view.first(keyName) } catch {
            context.reportStanding(error)
            text = view.domains.fallback(of: keyName)
        }
        guard isCached(context), view.isPlain, let store = context.openStore else {
            return finding(of: text, in: context, view)
        }
        let stamp = store.stamp(of: view.snapshot)
        if let known = slot.renewed(at: stamp, text: text) {
            if !known.stands { slot.keep(known.finding, at: stamp, Value.self) }
            return known.finding
        }
        let finding = finding(of: text, in: context, view)
        slot.keep(finding, at: stamp, Value.self)
        return finding
    }

    /// Returns what they have if nothing is stored.
    func find(fallbackIn domains: DomainStack, in context: SuiteContext) -> KeyFinding {
        guard let text = domains.fallback(of: keyName) else { return .missing }
        return finding(of: text, in: context, nil)
    }

    /// Returns what a text means to the key; a failure names its place in the file.
    private func finding(
        of text: StoredValue?, in context: SuiteContext, _ view: SuiteContext.View?
    ) -> KeyFinding {
        guard let text else { return .missing }
        if let value = quickValue(of: text) {
            return KeyFinding(text, decoded: .success(value), isOfTextAlone: true)
        }
        let place = place(in: context)
        var isOfTextAlone = true
        do {
            let value = try place.decodeReportingDoubts(in: context, view?.snapshot ?? context.loaded) {
                () throws(DefaultsError) in
                let lower = { () -> [StoredValue] in
                    isOfTextAlone = false
                    return self.lowerTexts(text, in: context, view)
                }
                return try coding.value(of: text, at: place, over: lower) { defaultValue }
            }
            return KeyFinding(text, decoded: .success(value), isOfTextAlone: isOfTextAlone)
        } catch {
            let located = context.locating(error, key: keyName, view?.snapshot ?? context.loaded)
            return KeyFinding(text, decoded: Result<Value, _>.failure(located), isOfTextAlone: true)
        }
    }

    /// Returns what the domains below that of a text have for the key.
    private func lowerTexts(
        _ text: StoredValue, in context: SuiteContext, _ view: SuiteContext.View?
    ) -> [StoredValue] {
        let domains = view?.domains ?? context.domains.load()
        do {
            let stored = try view?.stored(keyName) ?? context.loaded?.values.value(forKey: keyName)
            return domains.below(text, of: keyName, stored: stored)
        } catch {
            context.reportStanding(error)
            return domains.below(text, of: keyName, stored: nil)
        }
    }
}

/// The short path for keys whose values are plain texts: for a read that finds nothing on the fast path, usually the
/// first one after a change.
extension Defaults.Key {
    /// Returns the value in the key's own suite.
    ///
    /// Separate from its caller, which chooses by the type and so needs no other type metadata.
    @inline(never)
    func foundValue() -> Value { quickValue() ?? value(in: suite.context) }

    /// Returns the value of a plain text, kept for the next reads; nil if the long path has to be taken.
    ///
    /// Only the value is kept: reading a number again takes no longer than comparing its text, and a string is
    /// compared with the value.
    func quickValue() -> Value? {
        guard isQuick, !ReadRecorder.isRecording, !SuiteReplacement.isAny else { return nil }
        var value: Value?
        var isMissing = false
        context._withUnsafeGuaranteedRef { context in
            context.withQuickText(keyName) { text, version, cell in
                guard let text else {
                    isMissing = true
                    return slot.keep(Value?.none, at: version, cell)
                }
                if Value.self == String.self {
                    value = slot.keepPlain(text, at: version, cell).map { same($0, as: Value.self) }
                    return
                }
                value = plainValue(of: text, as: Value.self)
                if value != nil { slot.keep(value, at: version, cell) }
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

/// Returns a value as another name of the same type.
@inline(__always)
func same<One, Other>(_ value: One, as type: Other.Type) -> Other {
    // Sound because every caller has checked that the two types are the same.
    unsafeBitCast(value, to: type)
}
