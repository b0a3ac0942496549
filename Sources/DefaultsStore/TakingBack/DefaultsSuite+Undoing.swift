/// Taking back the changes of a key.
extension DefaultsSuite {
    /// Gives a key the stored value that it had before the present one.
    ///
    /// Again, it goes back further; ``redo(forKey:)`` goes forward again, until the key is set to another value. It
    /// works for changes of every process and for saves by hand, in every process and after a restart, as far as
    /// versions are kept: ``keepHistory(_:includingSecrets:)``.
    ///
    /// ```swift
    /// func undo(_ suite: DefaultsSuite) throws {
    ///     if try !suite.undo(forKey: "volume") { print("nothing to undo") }
    /// }
    /// ```
    ///
    /// - Returns: false if no version has another value from before; nothing has changed then.
    /// - Throws: `.invalidValue` or `.typeMismatch` if the declared key cannot use that value any more; `.locked`;
    ///   `.conflict` if others write all the while; `.insecureDirectory`, `.ioFailure`; and what ``checkpoint()`` throws,
    ///   since it brings the file up to date first.
    /// - Cost: reads versions until it finds another value; one write; it waits for the disk, once under the lock.
    @discardableResult
    public func undo(forKey key: String) throws(DefaultsError) -> Bool {
        try step(KeyName(key), isForward: false)
    }

    /// Takes back what ``undo(forKey:)`` has taken back last.
    ///
    /// - Returns: false if there is nothing: the key has been undone by nobody, or been set to another value since.
    /// - Throws: what ``undo(forKey:)`` throws.
    @discardableResult
    public func redo(forKey key: String) throws(DefaultsError) -> Bool {
        try step(KeyName(key), isForward: true)
    }

    private func step(_ key: KeyName, isForward: Bool) throws(DefaultsError) -> Bool {
        let context = current.ownContext
        do throws(DefaultsError) {
            guard key.isSetting, let folder = try context.versions() else { return false }
            for _ in 0..<8 {
                // So that a redo can come back to the present value.
                try current.checkpoint()
                guard try context.store().keepPresentVersion() else { return false }
                switch try context.findStep(of: key, isForward: isForward, in: folder) {
                case .none: return false
                case .found(let step): if try context.take(step, of: key, in: folder) { return true }
                case .overtaken: break
                }
            }
            throw DefaultsError(.conflict, key: key.string).advising("Try again.")
        } catch {
            throw error.inSuite(name)
        }
    }
}

/// A step to another version's value of a key.
private struct UndoStep {
    /// What it was worked out from.
    let present: StoredValue?
    let note: [UInt8]
    /// What it leads to.
    let value: StoredValue?
    let nextNote: [UInt8]
}

/// What was found where a step was looked for.
private enum FoundStep {
    case none
    case found(UndoStep)
    /// Something was written that has no version yet.
    case overtaken
}

extension SuiteContext {
    /// Finds the next value; no lock is held, and the key's validation is asked.
    fileprivate func findStep(
        of key: KeyName, isForward: Bool, in folder: VersionFolder
    ) throws(DefaultsError) -> FoundStep {
        let note = try folder.bytes(named: UndoneKeys.file) ?? []
        let present = try view().stored(key)
        let moments = try folder.entries().map(\.moment)
        guard let oldest = moments.first, let newest = moments.last else { return .none }
        guard let text = try text(ofKey: key, in: newest, folder), text.isSame(as: present) else {
            return .overtaken
        }
        var undone = UndoneKeys(note)
        let position = try position(of: undone[key], holding: present, ofKey: key, in: folder)
        let (from, last) = (position?.present ?? newest, position?.last ?? newest)
        let way =
            isForward ? moments.filter { from < $0 && $0 <= last } : moments.filter { $0 < from }.reversed()
        for moment in way {
            guard let value = try self.text(ofKey: key, in: moment, folder), !value.isSame(as: present) else {
                continue
            }
            if let value { try checkUse(of: value, forKey: key) }
            undone[key] = UndoneKeys.Position(present: moment, before: from, last: last)
            return .found(
                UndoStep(
                    present: present?.detached, note: note, value: value?.detached,
                    nextNote: undone.text(since: oldest)))
        }
        return .none
    }

    /// Stores a step's value, in one transaction with its note, if nobody has been faster.
    ///
    /// - Returns: false if another one has set the key, or taken a step.
    fileprivate func take(
        _ step: UndoStep, of key: KeyName, in folder: VersionFolder
    ) throws(DefaultsError) -> Bool {
        let (store, transaction) = try enter()
        let mark = transaction.changes.mark()
        var isTaken = false
        do throws(DefaultsError) {
            let note = try folder.bytes(named: UndoneKeys.file) ?? []
            if try transaction.stored(key).isSame(as: step.present), note == step.note {
                try folder.put(step.nextNote, named: UndoneKeys.file)
                let change = StoredChange(step.value, forKey: key, passesLocks: step.value == nil)
                store.writer.stage(change, in: transaction)
                isTaken = true
            }
        } catch {
            store.writer.rollBack(transaction, to: mark)
            do { try leave(store, transaction) } catch let second { report(second) }
            throw error
        }
        do { try leave(store, transaction) } catch {
            // A person has saved the file in this moment.
            guard error.code == .conflict else { throw error }
            return false
        }
        return isTaken
    }

    /// Returns where a key is that holds a value; nil if it has got that in another way.
    private func position(
        of known: UndoneKeys.Position?, holding present: StoredValue?, ofKey key: KeyName,
        in folder: VersionFolder
    ) throws(DefaultsError) -> UndoneKeys.Position? {
        guard let known else { return nil }
        if let text = try self.text(ofKey: key, in: known.present, folder), text.isSame(as: present) {
            return known
        }
        guard let text = try self.text(ofKey: key, in: known.before, folder), text.isSame(as: present) else {
            return nil
        }
        return UndoneKeys.Position(present: known.before, before: known.before, last: known.last)
    }
}
