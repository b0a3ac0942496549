/// How far keys are undone, as far as they have had no other value since.
///
/// It is kept next to the versions, and written before the value that it tells of: a process that is killed in between
/// leaves the value of `before`.
struct UndoneKeys {
    struct Position: Hashable {
        /// The version whose value the key has got back.
        let present: VersionMoment
        /// The version whose value it had before that.
        let before: VersionMoment
        /// The newest version when it was undone first, where redoing ends.
        let last: VersionMoment
    }

    private var positions: [KeyName: Position] = [:]

    /// What cannot be read says nothing: then an undo begins with the newest version.
    init(_ text: [UInt8]) {
        let (document, fault) = SettingsDocument.read(text)
        guard fault == nil else { return }
        for key in document.keys {
            let names = document.value(forKey: key)?.value.array?.compactMap(\.string) ?? []
            let moments = names.compactMap { VersionMoment(name: $0) }
            guard moments.count == 3 else { continue }
            positions[key] = Position(present: moments[0], before: moments[1], last: moments[2])
        }
    }

    subscript(key: KeyName) -> Position? {
        get { positions[key] }
        set { positions[key] = newValue }
    }

    /// Without the keys that cannot be redone, since the versions are not there any more.
    func text(since oldest: VersionMoment) -> [UInt8] {
        let members = positions.filter { $0.value.last >= oldest }.sorted { $0.key < $1.key }
            .map { key, position -> (name: KeyName, value: DefaultsValue) in
                let moments = [position.present, position.before, position.last]
                return (key, .array(moments.map { .string($0.name) }))
            }
        return JSONWriter.text(of: .object(DefaultsObject(members)))
    }
}

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
    /// - Cost: reads versions until it finds another value; one write; it waits for the disk, also under the lock.
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
                if let isDone = try context.step(key, isForward: isForward, in: folder) { return isDone }
            }
            throw DefaultsError(.conflict, key: key.string).advising("Try again.")
        } catch {
            throw error.inSuite(name)
        }
    }
}

extension SuiteContext {
    /// Gives a key another version's value, in one transaction with what is kept of that.
    ///
    /// - Returns: whether there is such a value; nil if something was written in this moment that has no version yet.
    fileprivate func step(
        _ key: KeyName, isForward: Bool, in folder: VersionFolder
    ) throws(DefaultsError) -> Bool? {
        let (store, transaction) = try enter()
        let mark = transaction.changes.mark()
        let isDone: Bool?
        do throws(DefaultsError) {
            isDone = try stage(key, isForward: isForward, from: folder, store, transaction)
        } catch {
            store.writer.rollBack(transaction, to: mark)
            do { try leave(store, transaction) } catch let second { report(second) }
            throw error
        }
        do { try leave(store, transaction) } catch {
            // A person has saved the file in this moment.
            guard error.code == .conflict else { throw error }
            return nil
        }
        return isDone
    }

    private func stage(
        _ key: KeyName, isForward: Bool, from folder: VersionFolder, _ store: SettingsStore,
        _ transaction: WriteTransaction
    ) throws(DefaultsError) -> Bool? {
        let present = try transaction.stored(key)
        let moments = try folder.entries().map(\.moment)
        guard let oldest = moments.first, let newest = moments.last else { return false }
        guard let text = try self.text(ofKey: key, in: newest, folder), text.isSame(as: present) else {
            return nil
        }
        var undone = UndoneKeys(try folder.undone())
        let position = try position(of: undone[key], holding: present, ofKey: key, in: folder)
        let (from, last) = (position?.present ?? newest, position?.last ?? newest)
        let way =
            isForward ? moments.filter { from < $0 && $0 <= last } : moments.filter { $0 < from }.reversed()
        for moment in way {
            guard let text = try self.text(ofKey: key, in: moment, folder), !text.isSame(as: present) else {
                continue
            }
            if let text { try checkUse(of: text, forKey: key) }
            undone[key] = UndoneKeys.Position(present: moment, before: from, last: last)
            try folder.setUndone(undone.text(since: oldest))
            let change = StoredChange(text?.detached, forKey: key, passesLocks: text == nil)
            store.writer.stage(change, in: transaction)
            return true
        }
        return false
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
