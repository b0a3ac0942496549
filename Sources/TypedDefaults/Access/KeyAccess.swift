import DefaultsStore

/// One access in place: `Defaults[.k] += 1`, from before the value is read until after it is written.
///
/// It is a transaction of its own or joins the caller's. If the lock cannot be had, it works on a copy.
struct KeyAccess<Value: Sendable> {
    /// The value that the body changes.
    var value: Value

    private let key: Defaults.Key<Value>
    private let core: SuiteCore
    private let visit: (store: SuiteStore, transaction: OpenTransaction, before: StagedChanges.Mark)?
    /// What would have been stored for the original value; taken at the start, because the body may change an object
    /// in place.
    ///
    /// A failure is reported at the end, and counts as a change.
    private let original: Result<StoredValue?, DefaultsError>
    /// Why the lock could not be had, or the value not be read: then nothing is computed from the default.
    private let refusal: DefaultsError?
    /// Why a change of the value that was read must not be stored.
    private let objection: DefaultsError?

    /// Begins the access; what is wrong with the stored value or the lock is reported at the end.
    init(_ key: Defaults.Key<Value>, in core: SuiteCore) {
        self.key = key
        self.core = core
        do {
            let (store, transaction) = try core.enter()
            visit = (store, transaction, transaction.changes.mark())
            refusal = KeyAccess.objection(to: key, in: transaction)
        } catch {
            visit = nil
            refusal = error
        }
        value = key.value(in: core)
        // At once, because the body may take a higher domain's value away.
        objection = core.refusalOfForeignSecret(key.keyName)
        // Other values that the body reads are recorded too.
        visit?.store.noteReads()
        let (begun, core) = (value, core)
        original = Result { () throws(DefaultsError) in try key.textToStore(begun, in: core) }
    }

    /// Writes what was changed and releases the locks; an unchanged value is not written.
    func finish() {
        let text: StoredValue?
        do {
            text = try key.textToStore(value, in: core)
        } catch {
            return fail(error)
        }
        guard original != .success(text) else { return leave() }
        guard let visit, refusal == nil else { return fail(nil) }
        if let objection { return fail(objection) }
        visit.store.stage(text, forKey: key.keyName, in: visit.transaction)
        leave()
    }

    private static func objection(
        to key: Defaults.AnyKey, in transaction: OpenTransaction
    ) -> DefaultsError? {
        do { _ = try transaction.stored(key.keyName) } catch { return error }
        return nil
    }

    /// Cancels the access: nothing is written.
    func cancel() {
        if let visit { visit.store.rollBack(visit.transaction, to: visit.before) }
        leave()
    }

    /// Ends an access whose result could not be stored.
    private func fail(_ error: DefaultsError?) {
        let lost = DefaultsError(.lostAccess, key: key.name, underlyingDescription: refusal?.description)
        leave()
        core.report(error ?? lost)
    }

    private func leave() {
        guard let visit else { return }
        do {
            try core.leave(visit.store, visit.transaction)
        } catch {
            core.report(error)
        }
    }
}
