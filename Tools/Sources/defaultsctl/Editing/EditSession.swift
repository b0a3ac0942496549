import DefaultsStore

/// One edit of a settings file: a copy, the editor, and the copy's way back.
final class EditSession {
    private let suite: DefaultsSuite
    /// The settings file, links followed.
    private let path: String
    private let folder: String
    private let copy: String
    /// What the copy began with.
    private var base: FileState

    /// Makes the copy.
    init(_ suite: DefaultsSuite) throws {
        self.suite = suite
        // A broken file is what one edits to mend it, so its own complaint is not news.
        suite.onFailure = { _ in }
        path = System.withoutLinks(suite.path ?? "")
        base = try FileState.present(of: suite, path)
        folder = try System.makeTemporaryFolder()
        copy = folder + "/" + System.name(of: path)
        try System.make(copy, base.bytes ?? Array("{\n}\n".utf8))
    }

    /// Has the person edit until it can be used or is given up.
    func run() throws {
        while true {
            do { try System.run(EditSession.editor, on: copy) } catch {
                try endWithCopyIfChanged()
                throw error
            }
            do {
                guard let text = try changedText() else {
                    discardCopy()
                    return try Output.line("nothing was changed")
                }
                let members = try InputText.object(text, from: copy)
                let outcome = try Replacement(suite: suite, path: path, base: base).put(text, members)
                discardCopy()
                return try Output.line(outcome)
            } catch let conflict as Replacement.Conflict {
                guard try wantsToGoOn(conflict.message, "Edit again, with the file as it is now as the base?")
                else {
                    throw kept(.inTheWay, conflict.message)
                }
                base = conflict.present
            } catch let failure as Failure where failure.status == .unusableInput {
                guard try wantsToGoOn(failure.message ?? "", "Edit again?") else {
                    throw kept(.unusableInput, failure.message ?? "")
                }
            } catch {
                Output.complain("your edit is kept in \(copy)", as: "note")
                throw error
            }
        }
    }

    /// The command that edits.
    private static var editor: String {
        System.environment("VISUAL") ?? System.environment("EDITOR") ?? "vi"
    }

    private func changedText() throws -> String? {
        guard let bytes = try System.contents(copy) else {
            throw Failure(.otherProgram, "the editor has taken the copy \(copy) away, so nothing was changed")
        }
        if bytes == base.bytes || (base.bytes == nil && bytes == Array("{\n}\n".utf8)) { return nil }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(.unusableInput, "\(copy) is not UTF-8; save it as UTF-8")
        }
        return text
    }

    private func wantsToGoOn(_ message: String, _ question: String) throws -> Bool {
        guard System.isTerminal(System.input), System.isTerminal(System.errorOutput) else { return false }
        Output.complain(message)
        System.writeIfPossible(question + " [Y/n] ", to: System.errorOutput)
        guard let answer = System.answer() else { return false }
        return ["", "y", "yes"].contains(answer.lowercased())
    }

    private func kept(_ status: Failure.Status, _ message: String) -> Failure {
        Failure(status, "\(message)\nNothing was changed; your edit is kept in \(copy)")
    }

    private func endWithCopyIfChanged() throws {
        if try System.contents(copy) == base.bytes { return discardCopy() }
        Output.complain("your edit is kept in \(copy)", as: "note")
    }

    private func discardCopy() {
        System.remove(copy)
        System.removeFolder(folder)
    }
}
