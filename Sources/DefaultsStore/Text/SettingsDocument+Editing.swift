/// F1: changes members and leaves every other byte of the text as the person wrote it.
extension SettingsDocument {
    /// What becomes of one member.
    enum Fate {
        case kept
        case replaced(StoredValue)
        case removed

        var isRemoved: Bool {
            if case .removed = self { true } else { false }
        }
    }

    /// The document after some changes: a value sets its key, nil removes it, a later change of a key wins.
    ///
    /// A key that is there keeps its line but for the value; of duplicates the last is set, all are removed.
    /// A new key goes behind the last member, on a line of its own. Comments stay. Changes without effect
    /// give the same bytes. A document with a fault is written anew from its members.
    ///
    /// Cost: the length of the text; it is not read again.
    package func applying(_ changes: [(key: KeyName, value: StoredValue?)]) -> SettingsDocument {
        let wanted = Self.lastOfEachKey(changes)
        var fates = [Fate](repeating: .kept, count: members.count)
        var additions: [(key: KeyName, value: StoredValue)] = []
        var isRewritten = false
        for (key, value) in wanted where value != self.value(forKey: key) {
            guard let position = positions[key] else {
                if let value { additions.append((key, value)) }
                continue
            }
            isRewritten = true
            if let value { fates[position] = .replaced(value) } else { remove(key, at: position, in: &fates) }
        }
        guard isRewritten || !additions.isEmpty else { return self }
        guard fault == nil, !bytes.isEmpty else { return rebuilt().applying(changes) }
        let rewritten = isRewritten ? rewriting(fates) : self
        return additions.isEmpty ? rewritten : rewritten.appending(additions, in: layout)
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

    private func remove(_ key: KeyName, at last: Int, in fates: inout [Fate]) {
        fates[last] = .removed
        guard !repeats.isEmpty else { return }
        for position in members.indices where members[position].key == key { fates[position] = .removed }
    }

    /// A text of our own with the members that count.
    private func rebuilt() -> SettingsDocument {
        let blank = SettingsDocument(bytes: Array("{}\n".utf8), members: [], body: 1..<1)
        let counting = members.indices.filter { positions[members[$0].key] == $0 }
        guard !counting.isEmpty else { return blank }
        return blank.appending(
            counting.map { (members[$0].key, value(at: $0).onOneLine) }, in: blank.layout)
    }

    private func rewriting(_ fates: [Fate]) -> SettingsDocument {
        var copier = TextCopier(bytes)
        var kept: [Member] = []
        kept.reserveCapacity(members.count)
        let surplusComma = commaToDrop(fates)
        for (position, member) in members.enumerated() {
            switch fates[position] {
            case .kept:
                kept.append(member.moved(by: copier.shift))
            case .replaced(let value):
                let moved = member.moved(by: copier.shift)
                copier.replace(member.value, with: value.bytes)
                kept.append(moved.resized(to: value.bytes.count))
            case .removed:
                for piece in removedPieces(at: position, fates) { copier.cut(piece) }
            }
            if let comma = member.comma, comma == surplusComma {
                copier.cut(comma..<comma + 1)
                kept[kept.count - 1] = kept[kept.count - 1].withoutComma()
            }
        }
        let end = body.upperBound + copier.shift
        return with(bytes: copier.finished(), members: kept, body: body.lowerBound..<end).withoutHollowBody()
    }

    /// The document of an edited text, with a new index only where members have moved up.
    func with(bytes: [UInt8], members: [Member], body: Range<Int>) -> SettingsDocument {
        guard members.count == self.members.count else {
            return SettingsDocument(bytes: bytes, members: members, body: body)
        }
        return SettingsDocument(
            bytes: bytes, members: members, body: body, positions: positions, repeats: repeats)
    }
}

extension SettingsDocument.Member {
    fileprivate func moved(by shift: Int) -> Self {
        Self(
            key: key, start: start + shift, value: value.lowerBound + shift..<value.upperBound + shift,
            comma: comma.map { $0 + shift })
    }

    fileprivate func resized(to length: Int) -> Self {
        Self(
            key: key, start: start, value: value.lowerBound..<value.lowerBound + length,
            comma: comma.map { $0 + length - value.count })
    }

    fileprivate func withoutComma() -> Self {
        Self(key: key, start: start, value: value, comma: nil)
    }
}
