import DefaultsStore

/// Puts an edited text in the place of a settings file, or its changes over what others have written meanwhile.
struct Replacement {
    let suite: DefaultsSuite
    let path: String
    /// What was edited.
    let base: FileState

    /// Others have changed what was edited.
    struct Conflict: Error {
        let message: String
        /// The file as they left it.
        let present: FileState
    }

    /// Stores the edited text.
    ///
    /// - Returns: what was done, in words.
    /// - Throws: ``Conflict`` with nothing changed.
    func put(_ text: String, _ members: DefaultsObject) throws -> String {
        if try isReplaced(text) { return "saved \(path)" }
        let present = try FileState.present(of: suite, path)
        guard let before = base.values, let now = present.values else {
            throw Conflict(
                message: "\(path) was changed meanwhile, and cannot be read whole", present: present)
        }
        return try merge(
            Difference(from: before, to: members), since: Difference(from: before, to: now), present)
    }

    /// Replaces the file with every byte of the text, where it is still the one that was edited.
    ///
    /// In a transaction, because that keeps every writer out; one that saves by other means is noticed by its bytes.
    private func isReplaced(_ text: String) throws -> Bool {
        try suite.withTransaction { _ in
            guard try System.contents(path) == base.bytes else { return false }
            let next = System.parent(of: path) + "/." + System.name(of: path) + ".edited"
            System.remove(next)
            try System.make(next, Array(text.utf8), mode: base.mode)
            do { try System.replace(path, with: next) } catch {
                System.remove(next)
                throw error
            }
            return true
        }
    }

    private func merge(_ mine: Difference, since theirs: Difference, _ present: FileState) throws -> String {
        let both = mine.keys.filter { theirs[$0] != nil && theirs[$0] != mine[$0] }
        guard both.isEmpty else {
            let names = both.map(SafeText.name).joined(separator: ", ")
            throw Conflict(
                message: "\(path): \(names) \(both.count == 1 ? "was" : "were") changed by others meanwhile",
                present: present)
        }
        try suite.withTransaction { transaction in
            let stored = try suite.storedObject()
            for key in mine.keys where !theirs.left(key, as: stored[key]) {
                throw Conflict(
                    message: "\(path): \(SafeText.name(key)) was changed by others meanwhile",
                    present: present)
            }
            for key in mine.keys { transaction[key: key] = mine[key] ?? nil }
        }
        return
            "saved \(mine.keys.count) \(mine.keys.count == 1 ? "key" : "keys") over what others have written "
            + "meanwhile; comments and order are as they left them"
    }
}
