/// F1: changes members and leaves every other byte of the text as the user wrote it.
extension SettingsDocument {
    /// Returns the document after some changes: a value sets its key, nil removes it, a later change of a key wins.
    ///
    /// An existing key keeps its line except for the value, and of an array or object everything that is equal keeps its
    /// text (`TextLaying`); of duplicates the last is set, all are removed. A new key goes after the last member, on a line
    /// of its own; `$schema` before the first. Comments stay, except those behind a removed member on its line. Changes
    /// without effect give the same bytes. A document with a fault is written anew from its members.
    ///
    /// Cost: the length of the text, which is read again, and copied once for values and once for new keys.
    package func applying(_ changes: [(key: KeyName, value: StoredValue?)]) -> SettingsDocument {
        applying(ofEachKeyOne: Self.lastOfEachKey(changes), layingOver: self)
    }

    /// Returns the document after changes of which no two have the same key.
    ///
    /// - Parameter old: the document whose arrays and objects the new ones are laid over; nil to replace them as a whole,
    ///   which takes no more room than their own text.
    func applying(
        ofEachKeyOne wanted: [KeyChange], layingOver old: SettingsDocument?
    ) -> SettingsDocument {
        var fates = ListFates()
        var additions: [KeyChange] = []
        var repeats = Repeats()
        for change in wanted {
            guard let position = position(of: change.key) else {
                if !change.isRemoval { additions.append(change) }
                continue
            }
            guard let value = change.value else {
                for other in repeats.positions(of: change.key, in: self) { fates.remove(other) }
                fates.remove(position)
                continue
            }
            let present = self.value(at: position)
            guard value != present else { continue }
            let before = value.isList ? old?.value(forKey: change.key) : nil
            let text = before.map { TextLaying.laid(value, into: $0) } ?? value
            if text != present { fates.replace(text.bytes, at: position) }
        }
        guard !fates.isEmpty || !additions.isEmpty else { return self }
        guard isObject else { return rebuilt().applying(ofEachKeyOne: wanted, layingOver: nil) }
        let rewritten = fates.isEmpty ? self : rewriting(fates)
        return additions.isEmpty ? rewritten : rewritten.adding(additions, in: layout)
    }

    /// The same members in a text that is a whole JSON object: written anew if it has a fault or says nothing.
    package var whole: SettingsDocument { isObject ? self : rebuilt() }

    private static func lastOfEachKey(
        _ changes: [(key: KeyName, value: StoredValue?)]
    ) -> [KeyChange] {
        var last: [KeyName: Int] = [:]
        for (position, change) in changes.enumerated() { last[change.key] = position }
        return changes.enumerated().filter { last[$1.key] == $0 }.map { KeyChange($1.value, forKey: $1.key) }
    }

    /// The positions of members whose name occurs more than once: computed when one is first asked for, by reading
    /// each name once, however many keys are removed.
    private struct Repeats {
        private var known: [KeyName: [Int]]?

        /// Returns all members of a name; none if there is only one.
        mutating func positions(of key: KeyName, in document: SettingsDocument) -> [Int] {
            guard !document.index.repeats.isEmpty else { return [] }
            let positions = known ?? Repeats.all(in: document)
            known = positions
            return positions[key] ?? []
        }

        private static func all(in document: SettingsDocument) -> [KeyName: [Int]] {
            var all: [KeyName: [Int]] = [:]
            for position in document.index.repeats { all[document.key(at: position)] = [] }
            for position in 0..<document.count { all[document.key(at: position)]?.append(position) }
            return all
        }
    }

    /// Returns a text of our own with the members that count.
    private func rebuilt() -> SettingsDocument {
        let blank = SettingsDocument(edited: Array("{}\n".utf8))
        let counting = counting
        guard !counting.isEmpty else { return blank }
        let members = counting.map { KeyChange(value(at: $0).onOneLine, forKey: key(at: $0)) }
        return blank.appending(members, in: blank.layout)
    }

    private func rewriting(_ fates: ListFates) -> SettingsDocument {
        let document = SettingsDocument(edited: edited(fates))
        return document.withoutHollowBody.map { SettingsDocument(edited: $0) } ?? document
    }
}
