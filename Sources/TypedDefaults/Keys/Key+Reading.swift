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

/// Reading: from a suite's state to a key's value.
extension Defaults.Key {
    /// Returns the value in a suite, or the default if none can be used; faults are reported.
    func value(in context: SuiteContext) -> Value {
        // The slot has the finding in the key's own suite.
        if context === ownSuite.ownContext {
            let (recorded, version) = slot.versions
            if recorded == version, recorded != 0, let value = slot.value(Value.self, at: version) {
                return value
            }
        }
        ReadRecorder.record(keyName, in: context)
        register(in: context)
        return value(of: find(in: context, context.viewReporting()), in: context)
    }

    /// Returns the value in a suite.
    ///
    /// - Throws: `.typeMismatch`, `.invalidValue`, and what prevented the files from being read.
    func valueThrowing(in context: SuiteContext) throws(DefaultsError) -> Value {
        ReadRecorder.record(keyName, in: context)
        register(in: context)
        let view = try context.view()
        // Errors are thrown first: in a damaged file the key may be after the damage.
        do { _ = try view.first(keyName) } catch { throw error.inSuite(context.name) }
        let finding = find(in: context, view)
        if !finding.isValue, let refusal = finding.refusals.first { throw refusal }
        return value(of: finding, in: context)
    }

    /// Returns the value of a text; the default for nil, the present value for a text that cannot be used.
    func value(of text: StoredValue?, in context: SuiteContext) -> Value {
        guard let text else { return defaultValue }
        if case .success(let value) = decode(text, in: context, nil, over: { lowerTexts(text, in: context) })
        {
            return value
        }
        return value(of: find(in: context, context.viewReporting()), in: context)
    }

    /// Returns the value of a former text; faults in it are not reported, because it may be gone.
    ///
    /// - Parameter lower: the texts of the domains below it then; nil for the present ones.
    func formerValue(of text: StoredValue?, over lower: [StoredValue]?, in context: SuiteContext) -> Value {
        guard let text else { return defaultValue }
        let former = decode(text, in: context, nil, over: { lower ?? lowerTexts(text, in: context) })
        if case .success(let value) = former { return value }
        return find(fallbackIn: context.domains.load(), in: context).value(Value.self) ?? defaultValue
    }

    /// The texts of the domains below that of a text.
    private func lowerTexts(_ text: StoredValue, in context: SuiteContext) -> [StoredValue] {
        let stored = context.loaded?.values.value(forKey: keyName)
        return context.domains.load().below(text, of: keyName, stored: stored)
    }

    /// Returns the value at a snapshot's moment.
    func value(in snapshot: DefaultsSnapshot) -> Value {
        let (context, stored) = (snapshot.context, snapshot.stored(keyName))
        register(in: context)
        context.recordRead(stored, of: keyName)
        let finding = finding(
            of: snapshot.domains.first(keyName, stored: stored),
            among: snapshot.domains.candidates(keyName, stored: stored), snapshot.domains, in: context, nil)
        return value(of: finding, in: context)
    }

    /// Whether reads in a suite may use the cache.
    ///
    /// It serves the key's own suite, and never values of class type.
    private func isCached(_ context: SuiteContext) -> Bool {
        context === ownSuite.ownContext && !isOfClassType
    }

    /// Returns the value of a finding, or the default if there is none, and reports the reason.
    func value(of finding: KeyFinding, in context: SuiteContext) -> Value {
        for refusal in finding.refusals { context.reportLasting(refusal) }
        return finding.value(Value.self) ?? defaultValue
    }

    func find(in context: SuiteContext, _ view: SuiteContext.View) -> KeyFinding {
        let text: StoredValue?
        do { text = try view.first(keyName) } catch {
            context.reportLasting(error)
            return find(fallbackIn: view.domains, in: context)
        }
        context.recordRead(text, of: keyName)
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

    /// The finding without the stored value.
    func find(fallbackIn domains: DomainStack, in context: SuiteContext) -> KeyFinding {
        finding(
            of: domains.fallback(of: keyName), among: domains.fallbacks(keyName), domains, in: context, nil)
    }

    private func finding(of text: StoredValue?, in context: SuiteContext, _ view: SuiteContext.View)
        -> KeyFinding
    {
        var stored: StoredValue? {
            do { return try view.stored(keyName) } catch {
                context.reportLasting(error)
                return nil
            }
        }
        return finding(
            of: text, among: view.domains.candidates(keyName, stored: stored), view.domains, in: context,
            view.snapshot)
    }

    /// The finding of a text, or of the lower domains if the key cannot use it.
    private func finding(
        of text: StoredValue?, among all: @autoclosure () -> [DomainStack.Candidate], _ domains: DomainStack,
        in context: SuiteContext, _ snapshot: StoreSnapshot?
    ) -> KeyFinding {
        guard let text else { return .missing }
        var isOfTextAlone = true
        func lower() -> [StoredValue] {
            isOfTextAlone = false
            let all = all()
            // A value with members of several domains has no domain of its own.
            let place =
                all.firstIndex { $0.value == text }
                ?? all.firstIndex { $0.value != nil && !$0.isMember }
            return place.map(all.below) ?? []
        }
        if case .success(let value) = decode(text, in: context, snapshot, over: lower) {
            return KeyFinding(text, value, isOfTextAlone: isOfTextAlone)
        }
        return findingElsewhere(text, among: all(), domains, in: context, snapshot)
    }

    /// Returns what the domains have in place of a text that cannot be used.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    private func findingElsewhere(
        _ text: StoredValue, among all: [DomainStack.Candidate], _ domains: DomainStack,
        in context: SuiteContext, _ snapshot: StoreSnapshot?
    ) -> KeyFinding {
        var value: Value?
        let choice = domains.choice(of: keyName, among: all) { text, role, lower -> DefaultsError? in
            if role == .part {
                return coding.objection(to: text, as: role, at: place(in: context)) { defaultValue }
            }
            switch decode(text, in: context, snapshot, over: { lower }) {
            case .success(let found):
                value = found
                return nil
            case .failure(let error): return error
            }
        }
        let refusals = all.indices.compactMap { index in
            choice.refusals[index].map {
                context.locating($0, key: keyName, all[index], snapshot ?? context.loaded)
            }
        }
        return KeyFinding(text, value, refusals: refusals)
    }

    private func decode(
        _ text: StoredValue, in context: SuiteContext, _ snapshot: StoreSnapshot?,
        over lower: () -> [StoredValue]
    ) -> Result<Value, DefaultsError> {
        if let value = quickValue(of: text) { return .success(value) }
        return decodeByCodec(text, in: context, snapshot, over: lower)
    }

    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    private func decodeByCodec(
        _ text: StoredValue, in context: SuiteContext, _ snapshot: StoreSnapshot?,
        over lower: () -> [StoredValue]
    ) -> Result<Value, DefaultsError> {
        let place = place(in: context)
        do {
            return .success(
                try place.decodeReportingDoubts(in: context, snapshot ?? context.loaded) {
                    () throws(DefaultsError) in
                    try coding.value(of: text, at: place, over: lower) { defaultValue }
                })
        } catch {
            return .failure(error)
        }
    }
}

/// The short path for keys with plain texts, after a miss of the fast path: usually the first read after a
/// change.
extension Defaults.Key {
    /// Returns the value in the key's own suite.
    ///
    /// Separate from its caller, which chooses by the type and so needs no other type metadata.
    @inline(never)
    func foundValue() -> Value { quickValue() ?? value(in: suite.context) }

    /// Returns the value of a plain text and caches it; nil if the long path has to be taken.
    ///
    /// Only the value is cached. Parsing a number takes no longer than comparing its text, and a string is
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

/// The value of a plain text of one of these types, except `String`.
///
/// The compiler resolves it if the type is known.
@inline(__always)
private func plainValue<Value>(of text: UnsafeBufferPointer<UInt8>, as type: Value.Type) -> Value? {
    if type == Bool.self { return Bool.plainValue(text).map { same($0, as: type) } }
    if type == Int.self { return Int.plainValue(text).map { same($0, as: type) } }
    if type == Double.self { return Double.plainValue(text).map { same($0, as: type) } }
    return nil
}

/// A value under another name of its type.
@inline(__always)
func same<One, Other>(_ value: One, as type: Other.Type) -> Other {
    // Sound because every caller has checked that the two types are the same.
    unsafeBitCast(value, to: type)
}
