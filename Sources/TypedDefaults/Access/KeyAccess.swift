import DefaultsStore

/// One access in place: `Defaults[.k] += 1`, from before the value is read until after it is written.
///
/// It is its own transaction or joins the caller's. If the lock cannot be had, it works on a copy.
struct KeyAccess<Value: Sendable> {
    var value: Value

    private let key: Defaults.Key<Value>
    private let context: SuiteContext
    private let session: (store: SettingsStore, transaction: WriteTransaction, before: StagedChanges.Mark)?
    /// The text of the original value, taken at the start, because the body may change an object in place.
    ///
    /// A failure is reported at the end, and is always a change.
    private let original: Result<StoredValue?, DefaultsError>
    /// Whether the original is the stored value, so that differences from it are merged into the stored text.
    private let isOfStored: Bool
    /// Why the lock could not be had, or the value not be read; then nothing is computed from the default.
    private let refusal: DefaultsError?
    /// Why a change of the value that was read must not be stored.
    private let objection: DefaultsError?

    /// A fault of the stored value or the lock is reported at the end.
    init(_ key: Defaults.Key<Value>, in context: SuiteContext) {
        self.key = key
        self.context = context
        var stored: StoredValue?
        do {
            let (store, transaction) = try context.enter()
            session = (store, transaction, transaction.changes.mark())
            var failure: DefaultsError?
            do { stored = try transaction.stored(key.keyName) } catch { failure = error }
            refusal = failure
        } catch {
            session = nil
            refusal = error
        }
        let begin = key.valueToChange(stored, in: context)
        (value, isOfStored) = (begin.value, begin.isOfStored)
        // At once, because the body may remove a higher domain's value.
        objection = context.refusalOfForeignSecret(key.keyName) ?? begin.refusal
        // Other values that the body reads are recorded too.
        session?.store.writer.recordReads()
        let (begun, context) = (value, context)
        original = Result { () throws(DefaultsError) in try key.textOfWhole(begun, in: context) }
    }

    /// Writes the value if it has changed, and releases the locks.
    func finish() {
        do {
            let text = try key.textOfWhole(value, in: context)
            guard original != .success(text) else { return leave() }
            guard let session, refusal == nil else { return fail(nil) }
            if let objection { return fail(objection) }
            let stored = try session.transaction.stored(key.keyName)
            let before = isOfStored ? original.known : nil
            session.store.writer.stage(
                try key.edited(text, over: stored, from: before, in: context), forKey: key.keyName,
                in: session.transaction)
            leave()
        } catch {
            fail(error)
        }
    }

    /// Ends the access without a write.
    func cancel() {
        if let session { session.store.writer.rollBack(session.transaction, to: session.before) }
        leave()
    }

    /// Ends an access whose result could not be stored.
    private func fail(_ error: DefaultsError?) {
        let lost = DefaultsError(.accessNotStored, key: key.name, underlyingDescription: refusal?.description)
        leave()
        context.report(error ?? lost)
    }

    private func leave() {
        guard let session else { return }
        do {
            try context.leave(session.store, session.transaction)
        } catch {
            context.report(error)
        }
    }
}

extension Result where Success == StoredValue?, Failure == DefaultsError {
    /// The text of a value; nil if there is no value, or none that has a text.
    var known: StoredValue? {
        guard case .success(let text) = self else { return nil }
        return text
    }
}
