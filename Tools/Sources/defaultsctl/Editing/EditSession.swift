import DefaultsStore

/// One edit of a settings file: a copy, the editor, and the copy's way back.
struct EditSession {
    private let suite: DefaultsSuite
    /// The settings file, links followed.
    private let path: String
    private let folder: String
    private let copy: String
    /// What the copy began with.
    private let base: FileState

    /// Makes the copy.
    init(_ suite: DefaultsSuite) throws {
        self.suite = suite
        // A broken file is what one edits to mend it, so its own complaint is not news.
        suite.onFailure = { _ in }
        path = System.withoutLinks(suite.path ?? "")
        base = try FileState.present(of: suite, path)
        folder = try System.makeTemporaryFolder()
        copy = folder + "/" + System.name(of: path)
        do { try System.make(copy, base.textToEdit) } catch {
            System.removeFolder(folder)
            throw error
        }
    }

    /// Has the person edit until the copy can be used or is given up.
    func run() throws {
        do {
            var outcome: String?
            while outcome == nil { outcome = try attempt() }
            discardCopy()
            try Output.line(Shown.text(outcome ?? ""))
        } catch {
            if let kept = try System.contents(copy), kept != base.textToEdit {
                Output.complain("your edit is kept in \(copy)", as: "note")
            } else {
                discardCopy()
            }
            throw error
        }
    }

    /// Has the copy edited once.
    ///
    /// - Returns: what was done, in words; nil where it has to be edited again.
    private func attempt() throws -> String? {
        try System.run(EditSession.editor, on: copy)
        guard let bytes = try System.contents(copy) else {
            throw Failure(.otherProgram, "the editor has taken \(copy) away, so nothing was changed")
        }
        if bytes == base.textToEdit { return "nothing was changed" }
        do {
            guard bytes.count <= System.greatestFile else {
                // In place it could neither be read nor edited again.
                throw Failure(.unusableInput, "\(copy) is larger than \(System.greatestFile) bytes")
            }
            let text = try InputText.text(bytes, from: copy)
            return try put(text, try InputText.object(text, from: copy))
        } catch let failure as Failure where failure.status == .unusableInput {
            Output.complain(failure.message ?? "")
            guard ask("Edit again? [Y/n]", ["", "y", "yes"]) != nil else {
                throw Failure(.unusableInput, "nothing was changed")
            }
            return nil
        }
    }

    /// Stores the edited text, and asks whose values to take where others have changed the same keys.
    private func put(_ text: String, _ members: DefaultsObject) throws -> String {
        var replacement = Replacement(suite: suite, path: path, base: base)
        while true {
            do { return try replacement.put(text, members) } catch let conflict as Replacement.Conflict {
                Output.complain(conflict.message)
                let answer =
                    conflict.isMergeable ? ask("Take [m]ine, [t]heirs, or stop? [s]", ["m", "t"]) : nil
                guard let answer else { throw Failure(.inTheWay, "nothing was changed") }
                replacement.preference = answer == "m" ? .mine : .theirs
            }
        }
    }

    /// The command that edits.
    private static var editor: String {
        System.environment("VISUAL") ?? System.environment("EDITOR") ?? "vi"
    }

    /// Asks a person, where there is one.
    ///
    /// - Returns: the answer, nil for any but these.
    private func ask(_ question: String, _ answers: [String]) -> String? {
        guard System.isTerminal(System.input), System.isTerminal(System.errorOutput) else { return nil }
        System.writeIfPossible(question + " ", to: System.errorOutput)
        guard let answer = System.answer()?.lowercased(), answers.contains(answer) else { return nil }
        return answer
    }

    private func discardCopy() {
        System.remove(copy)
        System.removeFolder(folder)
    }
}
