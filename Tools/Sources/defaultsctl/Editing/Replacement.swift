@_spi(TypedDefaults) import DefaultsStore

/// Puts an edited text in the place of a settings file, or its changes over what others have written meanwhile.
struct Replacement {
    let suite: DefaultsSuite
    let path: String
    /// What was edited.
    let base: FileState
    /// Whose values to take for keys that both have changed; nil is a conflict.
    var preference: Preference?

    /// Whose values to take.
    enum Preference { case mine, theirs }

    /// Others have changed what was edited; nothing was written.
    struct Conflict: Error {
        let message: String
        /// Whether it is a matter of taking one value or the other.
        let isMergeable: Bool
    }

    /// Stores the edited text.
    ///
    /// - Returns: what was done, in words.
    func put(_ text: String, _ members: DefaultsObject) throws -> String {
        if preference == nil,
            let done = try suite.replaceFile(with: Array(text.utf8), editedFrom: base.bytes)
        {
            return told(of: done)
        }
        guard let before = base.values, let now = try FileState.present(of: suite, path).values else {
            throw Conflict(
                message: "\(path) was changed by others meanwhile, and one of the versions cannot be read",
                isMergeable: false)
        }
        let mine = Difference(from: before, to: members)
        return try merge(mine, since: Difference(from: before, to: now))
    }

    private func told(of replacement: DefaultsReplacement) -> String {
        guard let original = replacement.backupPath else { return "saved \(path)" }
        let keys = replacement.keyCount == 1 ? "1 key" : "\(replacement.keyCount) keys"
        return "saved \(path) with \(keys); the file that could not be read is kept in \(original)"
    }

    private func merge(_ mine: Difference, since theirs: Difference) throws -> String {
        let both = mine.keys.filter { theirs[$0] != nil && theirs[$0] != mine[$0] }
        if preference == nil, !both.isEmpty { throw conflict(both) }
        let keys = preference == .theirs ? mine.keys.filter { !both.contains($0) } : mine.keys
        try suite.withTransaction { transaction in
            let stored = try suite.storedObject()
            // Between looking and now they may have gone on.
            let late = keys.filter { !theirs.left($0, as: stored[$0]) && stored[$0] != mine[$0] ?? nil }
            if preference != .mine, !late.isEmpty { throw conflict(late) }
            for key in keys { transaction[key: key] = mine[key] ?? nil }
        }
        return
            "saved \(keys.count) \(keys.count == 1 ? "key" : "keys") over what others have written meanwhile; "
            + "comments and order are as they left them"
    }

    private func conflict(_ keys: [String]) -> Conflict {
        let names = keys.map(SafeText.name).joined(separator: ", ")
        return Conflict(
            message: "\(path): \(names) \(keys.count == 1 ? "was" : "were") changed by others meanwhile",
            isMergeable: true)
    }
}
