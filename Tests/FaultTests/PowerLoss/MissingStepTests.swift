/// The check itself is checked: a store that left out a step would be caught.
import DefaultsStore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread, .strace)
struct MissingStepTests {
    private let recording: Recording

    init() throws { recording = try Workload.sets.unscheduled.record() }

    private func violations(_ recording: Recording, limit: Int = 6) throws -> [PowerLossCheck.Violation] {
        try PowerLossCheck(recording, limit: limit, violations: 1).violations
    }

    @Test
    func `a store that never waited for the folder would be caught`() throws {
        let less = recording.without { event in
            if case .synchronizeFolder = event { true } else { false }
        }
        #expect(try violations(less).count == 1)
    }

    @Test
    func `a store that never waited for its temporary file would be caught`() throws {
        #expect(try violations(recording.withoutSynchronizing("unnamed")).count == 1)
    }

    @Test
    func `a store that never waited for its journal would be caught`() throws {
        #expect(try violations(recording.withoutSynchronizing(".settings.json.journal")).count == 1)
    }

    /// Waits that the workload cannot show to be needed, each with the reason.
    private static let unseen: Set<String> = []

    @Test(.whole)
    func `every wait for the disk that the store makes is needed`() throws {
        let recordings = [
            recording, try Workload.mortal.unscheduled.record(),
            try Workload.transactions.unscheduled.record(),
        ]
        let kinds = Set(recordings.flatMap(\.waits.keys)).subtracting(MissingStepTests.unseen)
        // What shows in few states is looked for among more of them.
        let needless = try [6, 60, 400].reduce(kinds) { kinds, limit in
            try kinds.filter { kind in
                try recordings.allSatisfy { recording in
                    guard let steps = recording.waits[kind] else { return true }
                    return try violations(recording.without(steps), limit: limit).isEmpty
                }
            }
        }
        #expect(needless == [])
        #expect(kinds.count >= 3)
    }

    /// A settings file as it should come to be, or with the rename before the wait for the data.
    @Test(arguments: [(isRight: true, count: 0), (false, 1)])
    func `a rename before the wait for the data is caught`(_ order: (isRight: Bool, count: Int)) throws {
        let rename = FolderStep.Event.names(
            .move("settings/.settings.json.tmp", to: "settings/settings.json"))
        let wait = FolderStep.Event.synchronizeFile(0, covering: .max)
        let events: [FolderStep.Event] =
            [
                .names(.add("settings", .folder)), .synchronizeFolder("", covering: .max),
                .names(.add("settings/.settings.json.tmp", .file(0))),
                .write(file: 0, offset: 0, bytes: Array(#"{"a": 1}"#.utf8)),
            ] + (order.isRight ? [wait, rename] : [rename, wait]) + [
                .synchronizeFolder("settings", covering: .max), .answer(process: 1, text: "ok"),
            ]
        var trace = FolderTrace(root: "/")
        for event in events { trace.append(event) }
        let command = Recording.Command(
            command: SuiteCommand(process: 0, line: "set a 1"), answered: trace.steps.count - 1,
            possible: [["a": 1]])
        let recording = Recording(
            name: "by hand", parent: "", steps: trace.steps, files: [".settings.json.tmp"],
            commands: [command])
        let check = try PowerLossCheck(recording, limit: 6, violations: 1, atEach: 1)
        #expect(check.violations.count == order.count)
    }
}
