/// The names that a power loss may leave.
extension CrashPoint {
    /// How a file system keeps changes of names that nobody synchronized.
    enum Order: CaseIterable {
        /// All up to one of them, as ext4 and XFS do.
        case kept
        /// Any of them, but none without those before it that touch a name of its own.
        case free
    }

    /// All namings, each once: first with nothing of what is pending, then with all of it, then the others.
    func namings(_ order: Order, using random: inout some RandomNumberGenerator) -> [[String: FolderEntry]] {
        let choices =
            switch order {
            case .kept: prefixes()
            case .free: subsets(using: &random)
            }
        var seen: Set<[String: FolderEntry]> = []
        return choices.map(naming).filter { seen.insert($0).inserted }
    }

    /// Which changes are there, in each case; all from one on are missing, but none that is kept for sure.
    private func prefixes() -> [[Bool]] {
        let least = (changes.lastIndex { $0.isKept } ?? -1) + 1
        let counts = [least] + (least..<changes.count).reversed().map { $0 + 1 }
        return counts.map { count in changes.indices.map { $0 < count } }
    }

    private func subsets(using random: inout some RandomNumberGenerator) -> [[Bool]] {
        let pending = changes.indices.filter { !changes[$0].isKept }
        let corners = [changes.map(\.isKept), changes.map { _ in true }]
        let single = pending.suffix(12).flatMap { place in
            [changes.indices.map { $0 != place }, changes.indices.map { changes[$0].isKept || $0 == place }]
        }
        let chances = (0..<12).map { _ in
            changes.map { $0.isKept || Bool.random(using: &random) }
        }
        guard pending.count <= CrashPoint.exhaustive else { return (corners + single + chances).map(closed) }
        let all = (0..<(1 << pending.count)).map { mask in
            var choice = changes.map(\.isKept)
            for (bit, place) in pending.enumerated() where mask & (1 << bit) != 0 { choice[place] = true }
            return choice
        }
        return (corners + all).map(closed)
    }

    /// Leaves out what rests on a change that is missing.
    private func closed(_ choice: [Bool]) -> [Bool] {
        var (result, missing): ([Bool], Set<String>) = (choice, [])
        for place in changes.indices {
            let (change, isKept) = changes[place]
            if !isKept, !choice[place] || !missing.isDisjoint(with: change.paths) {
                result[place] = false
                missing.formUnion(change.paths)
            }
        }
        return result
    }

    /// The names as some of the changes leave them; what stands in a folder that is not there has none.
    private func naming(_ choice: [Bool]) -> [String: FolderEntry] {
        var names: [String: FolderEntry] = [:]
        for (place, isThere) in choice.enumerated() where isThere { changes[place].change.apply(to: &names) }
        return names.filter { path, _ in
            var folder = NameChange.folder(path)
            while !folder.isEmpty {
                guard names[folder] == .folder else { return false }
                folder = NameChange.folder(folder)
            }
            return true
        }
    }
}
