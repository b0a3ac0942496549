/// Changes of a suite that are not stored yet: look at them, then apply all of them or none.
///
/// A draft is a value. It stores nothing, takes no lock, and keeps nobody from writing. Reads through it see its own
/// changes over the values of the moment that it began with. Use one for a dialog with *Apply* and *Cancel*, or to
/// show what an import would do.
///
/// ```swift
/// let suite = DefaultsSuite.inMemory()
/// var draft = suite.draft()
/// draft.set(0.3, forKey: "volume")
/// for change in draft.changes { print(change) }
/// if draft.problems.isEmpty { try draft.apply() }
/// ```
///
/// A change that cannot be made, such as that of a value which its key's validation refuses, is one of ``problems``,
/// and ``apply(overridingConflicts:)`` throws it. GSettings' delayed mode was the model; it applies without looking
/// at what others have changed meanwhile.
public struct DefaultsDraft: Sendable {
    package let suite: DefaultsSuite
    /// What the draft began with.
    private var base: DefaultsSnapshot
    private var staged = StagedChanges()
    /// Why a key could not be changed, until it is changed in another way.
    private var refusals: [KeyName: DefaultsError] = [:]

    init(of suite: DefaultsSuite) {
        self.suite = suite
        base = suite.snapshot()
    }

    package var context: SuiteContext { suite.ownContext }

    /// The values with the draft's changes.
    package var snapshot: DefaultsSnapshot { base.staging(staged) }

    package mutating func stage(_ value: StoredValue?, forKey key: KeyName) {
        refusals[key] = nil
        staged.set(StoredChange(value, forKey: key, passesLocks: value == nil))
    }

    package mutating func refuse(_ error: DefaultsError, forKey key: KeyName) {
        refusals[key] = error.inSuite(suite.name)
    }

    /// Those that would change something if nobody else wrote.
    private var effective: [StoredChange] {
        // To set what is withheld has it served.
        staged.entries.filter {
            !$0.value.isSame(as: base.stored($0.key)) || base.domains.withholds($0.value, of: $0.key)
        }
    }

    /// Returns the same change over another stored value: what the draft changes in an object or list changes there.
    ///
    /// - Throws: `.valueTooLarge`.
    private func rebased(
        _ change: StoredChange, over stored: StoredValue?
    ) throws(DefaultsError) -> StoredChange {
        guard let value = change.value else { return change }
        // Where the draft has made the object, all of its members are the draft's, and none of others'.
        let isMade = value.isObject && stored?.isObject == true
        let before = base.stored(change.key) ?? (isMade ? StoredValue(.object([:])) : nil)
        let text = try ValueEdit.Rule.whole.text(of: value, from: before, over: stored)
            .checkingSize(forKey: change.key.string, in: suite.name)
        return StoredChange(text, forKey: change.key).namingMembers(of: stored)
    }
}

/// Changing a draft by key name.
extension DefaultsDraft {
    /// Returns the effective value of a key, with the draft's changes.
    public func value(forKey key: String) -> DefaultsValue? { snapshot.value(forKey: key) }

    /// Sets a value by name.
    ///
    /// A name that is no key's, and a value that is too large or that the declared key cannot use, are among
    /// ``problems``.
    public mutating func set(_ value: DefaultsValue, forKey key: String) {
        do throws(DefaultsError) {
            let (name, text) = try suite.checked(value, forKey: key)
            try context.checkUse(of: text, forKey: name)
            stage(text, forKey: name)
        } catch {
            refuse(error, forKey: KeyName(key))
        }
    }

    /// Sets the value that a text stands for, as ``DefaultsSuite/set(text:forKey:)`` reads it.
    ///
    /// What that refuses, such as a key that is not declared, is among ``problems``, and the draft keeps the value before.
    public mutating func set(text: String, forKey key: String) {
        do throws(DefaultsError) {
            let (name, value) = try context.reading(text, forKey: key)
            stage(value, forKey: name)
        } catch {
            refuse(error, forKey: KeyName(key))
        }
    }

    /// Removes a stored value, also of a locked key, so that the default applies.
    public mutating func removeValue(forKey key: String) {
        do throws(DefaultsError) { stage(nil, forKey: try suite.validated(key)) } catch {
            refuse(error, forKey: KeyName(key))
        }
    }

    /// Removes what is stored under other names than those of some values; members that are no settings stay.
    mutating func removeAll(except values: [String: DefaultsValue]) {
        let kept = Set(values.keys.map { KeyName($0) })
        for key in base.storedKeys where key.isSetting && !kept.contains(key) { stage(nil, forKey: key) }
    }
}

/// Looking at a draft.
extension DefaultsDraft {
    /// One change of a stored value.
    public struct Change: Hashable, Sendable, CustomStringConvertible {
        /// The key.
        public let key: String
        /// The stored value that the draft began with; nil if none was stored, and for a secret key.
        public let old: DefaultsValue?
        /// The value to be stored; nil if it is to be removed, and for a secret key.
        public let new: DefaultsValue?
        /// Whether the values are left out because the key is secret.
        public let isSecret: Bool

        /// One line, `volume: 0.5 -> 0.3`; a secret key's says only that it changes.
        public var description: String {
            guard !isSecret else { return PrintedText.escaped("\(key): secret") }
            let (old, new) = (old.map { "\($0)" } ?? "not stored", new.map { "\($0)" } ?? "not stored")
            return PrintedText.escaped("\(key): \(old) -> \(new)")
        }
    }

    /// The changes of stored values, by the names of their keys; empty if the draft changes nothing.
    public var changes: [Change] {
        effective.sorted(byName: \.key).map { change in
            let isSecret = context.isSecret(change.key)
            return Change(
                key: change.key.string, old: isSecret ? nil : base.stored(change.key)?.value,
                new: isSecret ? nil : change.value?.value, isSecret: isSecret)
        }
    }

    /// What ``apply(overridingConflicts:)`` would refuse at present, except ``conflicts``: values that their keys
    /// cannot use, locked keys, validations across keys.
    ///
    /// Each error names its key, or the validation. It runs the suite's validations.
    public var problems: [DefaultsError] {
        var problems = refusals.sorted { $0.key < $1.key }.map(\.value)
        let present = suite.snapshot()
        var next = StagedChanges()
        for change in effective where refusals[change.key] == nil {
            do throws(DefaultsError) {
                if !change.passesLocks { try context.checkUnlocked(change.key) }
                next.set(try rebased(change, over: present.stored(change.key)))
            } catch {
                problems.append(error)
            }
        }
        return problems + context.refusals(of: present.staging(next), after: present)
    }

    /// The keys of the draft whose stored value is neither the one that the draft began with nor the one that it sets.
    ///
    /// Others have changed them meanwhile, a person's edit of the file included.
    public var conflicts: [String] {
        let present = suite.snapshot()
        return effective.map(\.key).filter { isConflict($0, present.stored($0)) }.map(\.string).sorted()
    }

    private func isConflict(_ key: KeyName, _ present: StoredValue?) -> Bool {
        !present.isSame(as: base.stored(key)) && !present.isSame(as: staged.value(forKey: key) ?? nil)
    }
}

/// Applying a draft.
extension DefaultsDraft {
    /// Stores the changes in one transaction: others see all of them or none.
    ///
    /// What others have changed since the draft began stays: other keys, and other members of an object that the draft
    /// changes. The draft itself does not change: call ``rebase()`` to go on with it.
    ///
    /// - Parameter overridingConflicts: whether a key in conflict gets the draft's value all the same. Of an object, only
    ///   the members that the draft changes are overridden.
    /// - Throws: `.conflict`, which names the keys, if there are ``conflicts``; the first of ``problems``; and what
    ///   ``DefaultsSuite/withTransaction(_:)`` throws. Nothing is stored then.
    /// - Cost: that of one write, whatever the number of changes; nothing is written without changes.
    public func apply(overridingConflicts: Bool = false) throws(DefaultsError) {
        if let first = refusals.min(by: { $0.key < $1.key }) { throw first.value }
        let changes = effective
        if changes.isEmpty { return }
        let (store, transaction) = try context.enter()
        let mark = transaction.changes.mark()
        do throws(DefaultsError) {
            var conflicts: [String] = []
            for change in changes {
                // Read without a record of it where it may be overridden, or a save at this moment would be a conflict.
                let present =
                    overridingConflicts
                    ? transaction.present(change.key) : try transaction.stored(change.key)
                if !overridingConflicts, isConflict(change.key, present) {
                    conflicts.append(change.key.string)
                }
                store.writer.stage(try rebased(change, over: present), in: transaction)
            }
            if !conflicts.isEmpty { throw conflict(of: conflicts.sorted()) }
        } catch {
            store.writer.rollBack(transaction, to: mark)
            do { try context.leave(store, transaction) } catch let second { context.report(second) }
            throw error.inSuite(suite.name)
        }
        try context.leave(store, transaction)
    }

    private func conflict(of keys: [String]) -> DefaultsError {
        DefaultsError(
            .conflict, key: keys.count == 1 ? keys[0] : nil,
            underlyingDescription: keys.count == 1
                ? nil : "the keys are " + keys.map { "\"\($0)\"" }.joined(separator: ", ")
        ).advising("Rebase the draft to see what is stored now, or override the conflicts.")
    }

    /// Bases the draft on what is stored now, and keeps its changes.
    ///
    /// Of an object, the draft keeps its own changes of members; all other members become what is stored. There are no
    /// conflicts afterwards.
    ///
    /// - Throws: what prevented the files from being read, such as `.malformedFile`; `.valueTooLarge`. The draft is as
    ///   before then.
    public mutating func rebase() throws(DefaultsError) {
        let view = try context.view()
        if let fault = view.snapshot.fault { throw fault.inSuite(suite.name) }
        let present = DefaultsSnapshot(context: context, view: view)
        var next = StagedChanges()
        for change in effective {
            let moved = try rebased(change, over: present.stored(change.key))
            next.set(StoredChange(moved.value, forKey: moved.key, passesLocks: change.passesLocks))
        }
        (base, staged) = (present, next)
    }
}

extension DefaultsDraft: CustomReflectable {
    /// The suite alone; values are left out, because one may be secret.
    @_documentation(visibility: internal)
    public var customMirror: Mirror {
        Mirror(self, children: ["suite": suite.name], displayStyle: .struct)
    }
}

extension DefaultsSuite {
    /// Returns a draft of changes, which begins with the values of this moment.
    ///
    /// A failure to read is reported to ``failures``; the draft begins with the last good values then.
    ///
    /// - Cost: that of ``snapshot()``.
    public func draft() -> DefaultsDraft { DefaultsDraft(of: current) }

    /// Returns a draft that sets some values, to show what an import would change before it is made.
    ///
    /// ```swift
    /// let suite = DefaultsSuite.inMemory()
    /// let plan = suite.draft(loading: ["volume": 0.5, "theme": "dark"])
    /// print(plan.changes.count)  // 2
    /// try plan.apply()
    /// ```
    ///
    /// - Parameters:
    ///   - values: the values by the names of their keys. What cannot be stored is among the draft's problems.
    ///   - removingOthers: whether stored values that are not among them are removed. Members that are no settings, such
    ///     as `$schema`, stay.
    public func draft(
        loading values: [String: DefaultsValue], removingOthers: Bool = false
    ) -> DefaultsDraft {
        var draft = draft()
        for (key, value) in values.sorted(by: { $0.key < $1.key }) { draft.set(value, forKey: key) }
        if removingOthers { draft.removeAll(except: values) }
        return draft
    }
}
