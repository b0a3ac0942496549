/// F1: changes members and leaves every other byte of the text as the person wrote it.
extension SettingsDocument {
    /// What becomes of the members that do not stay as they are, by their positions.
    struct Fates {
        private var values: [Int: StoredValue?] = [:]

        /// Replaces the member's value, or removes the member.
        mutating func set(_ value: StoredValue?, at position: Int) {
            values.updateValue(value, forKey: position)
        }

        func isRemoved(_ position: Int) -> Bool {
            if case .some(.none) = values[position] { true } else { false }
        }

        var isEmpty: Bool { values.isEmpty }

        /// In the order of the text.
        var all: [(position: Int, value: StoredValue?)] {
            values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        }
    }

    /// The document after some changes: a value sets its key, nil removes it, a later change of a key wins.
    ///
    /// A key that is there keeps its line but for the value; of duplicates the last is set, all are removed.
    /// A new key goes behind the last member, on a line of its own; `$schema` before the first. Comments stay. Changes without effect
    /// give the same bytes. A document with a fault is written anew from its members.
    ///
    /// Cost: the length of the text, which is read again, and copied once for values and once for new keys.
    package func applying(_ changes: [(key: KeyName, value: StoredValue?)]) -> SettingsDocument {
        applying(ofEachKeyOne: Self.lastOfEachKey(changes))
    }

    /// The same for changes of which no two have one key.
    func applying(ofEachKeyOne wanted: [(key: KeyName, value: StoredValue?)]) -> SettingsDocument {
        var fates = Fates()
        var additions: [(key: KeyName, value: StoredValue)] = []
        for (key, value) in wanted where value != self.value(forKey: key) {
            guard let position = position(of: key) else {
                if let value { additions.append((key, value)) }
                continue
            }
            if value == nil { removeRepeats(of: key, in: &fates) }
            fates.set(value, at: position)
        }
        guard !fates.isEmpty || !additions.isEmpty else { return self }
        guard fault == nil, !bytes.isEmpty else { return rebuilt().applying(ofEachKeyOne: wanted) }
        let rewritten = fates.isEmpty ? self : rewriting(fates)
        return additions.isEmpty ? rewritten : rewritten.adding(additions, in: layout)
    }

    /// The same members in a text that is a whole JSON object: written anew where it has a fault or is empty.
    package var whole: SettingsDocument { fault == nil && !bytes.isEmpty ? self : rebuilt() }

    private static func lastOfEachKey(
        _ changes: [(key: KeyName, value: StoredValue?)]
    ) -> [(key: KeyName, value: StoredValue?)] {
        var last: [KeyName: Int] = [:]
        for (position, change) in changes.enumerated() { last[change.key] = position }
        return changes.enumerated().filter { last[$1.key] == $0 }.map { $1 }
    }

    private func removeRepeats(of key: KeyName, in fates: inout Fates) {
        guard !index.repeats.isEmpty else { return }
        for position in 0..<count where self.key(at: position) == key { fates.set(nil, at: position) }
    }

    /// A text of our own with the members that count.
    private func rebuilt() -> SettingsDocument {
        let blank = SettingsDocument(edited: Array("{}\n".utf8))
        let counting = counting
        guard !counting.isEmpty else { return blank }
        return blank.appending(counting.map { (key(at: $0), value(at: $0).onOneLine) }, in: blank.layout)
    }

    private func rewriting(_ fates: Fates) -> SettingsDocument {
        var copier = TextCopier(bytes)
        var surplus = memberWithCommaToDrop(fates)
        for (position, value) in fates.all {
            if let last = surplus, last.position < position {
                copier.cut(last.comma..<last.comma + 1)
                surplus = nil
            }
            if let value {
                copier.replace(valueRange(at: position), with: value.bytes)
            } else {
                for piece in removedPieces(at: position, fates) { copier.cut(piece) }
            }
        }
        return SettingsDocument(edited: copier.finished()).withoutHollowBody()
    }
}
