/// Each answer to the question whether what is known of the files is still true.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct StandingTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite
    private let store: SettingsStore

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.heldSuite()
        store = try suite.context.store()
        // A settings file, and a journal with a record.
        try suite.set(1, forKey: "a")
        try suite.checkpoint()
        try suite.set(2, forKey: "a")
    }

    /// What happens to the files after a state was made of them.
    enum Event: String, CaseIterable {
        case nothing
        case otherCommits, ownCommit
        case edits, removesSettings
        case removesLock, replacesLock, movesFolder, removesFolder
        case removesJournal, replacesJournal

        /// The answer for each part alone; `same` for the others.
        var differing: [Standing] {
            switch self {
            case .nothing: []
            case .otherCommits, .ownCommit: [.committed]
            case .edits, .removesSettings: [.edited]
            case .removesLock, .replacesLock, .movesFolder: [.replaced]
            // The folder that is held open has nothing any more.
            case .removesFolder: [.replaced, .edited, .journalReplaced]
            case .removesJournal, .replacesJournal: [.journalReplaced]
            }
        }
    }

    private func path(_ name: String) -> String { folder.path + "/settings/" + name }

    private func act(_ event: Event) throws {
        let (settings, journal, lock) = ("settings.json", ".settings.json.journal", ".settings.json.lock")
        let files = FileManager.default
        switch event {
        case .nothing: break
        case .ownCommit: try suite.set(3, forKey: "a")
        case .otherCommits:
            let peer = try Peer()
            try peer.expectOK("open \(folder.path) settings")
            try peer.expectOK("set a 3")
        case .edits: try Data(#"{"a": 1, "b": 1}"#.utf8).write(to: URL(filePath: path(settings)))
        case .removesSettings: try files.removeItem(atPath: path(settings))
        case .removesLock: try files.removeItem(atPath: path(lock))
        case .movesFolder: try files.moveItem(atPath: path(""), toPath: folder.path + "/elsewhere")
        case .removesFolder: try files.removeItem(atPath: path(""))
        case .removesJournal: try files.removeItem(atPath: path(journal))
        case .replacesLock, .replacesJournal:
            let name = event == .replacesLock ? lock : journal
            try files.copyItem(atPath: path(name), toPath: path("other"))
            #expect(rename(path("other"), path(name)) == 0)
        }
    }

    @Test(arguments: Event.allCases)
    func `F4, F18: a state knows what has become of its files`(_ event: Event) throws {
        let state = store.latest
        #expect(try state.standing() == .same)
        try act(event)
        #expect(try state.standing() == event.differing.first ?? .same)
        let answers: [(Standing.Parts, Standing)] = [
            (.place, .replaced), (.generation, .committed), (.settings, .edited),
            (.journal, .journalReplaced),
        ]
        for (part, answer) in answers {
            let expected = event.differing.contains(answer) ? answer : .same
            #expect(try state.standing(in: part) == expected)
        }
    }

    @Test func `nothing that was never read is current`() throws {
        #expect(try StoreSnapshot.unread(files: store.latest.files).standing() == .replaced)
        #expect(try StoreSnapshot.unread(files: nil).standing(in: .settings) == .replaced)
    }
}
