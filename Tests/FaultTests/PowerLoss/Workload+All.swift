/// The workloads, each with every way to promise something.
import Testing

extension Workload {
    static let sets = Workload(
        name: "sets of several keys",
        stages: [
            Stage([
                "0: open @ settings", "0: set a 1", "0: set b \"a longer text than before\"",
                "0: synchronize",
                "0: set a 2", "0: set a 3", "0: set c [1, 2, 3]", "0: checkpoint", "0: set b 4", "0: set b 5",
                "0: set a 6", "0: synchronize", "0: set a 7",
            ])
        ])

    /// The same where nothing is mapped, and every look asks the file system.
    static let unmappedSets = sets.unmapped
    static let unmappedProcesses = twoProcesses.unmapped

    private var unmapped: Workload {
        Workload(
            name: "\(name), unmapped", parent: parent,
            stages: stages.map { stage in
                var stage = stage
                stage.commands = stage.commands.map { command in
                    guard command.line.hasPrefix("open ") else { return command }
                    return SuiteCommand(
                        process: command.process, line: "openunmapped" + command.line.dropFirst(4))
                }
                return stage
            })
    }

    static let transactions = Workload(
        name: "transactions",
        stages: [
            Stage([
                "0: open @ settings", "0: transact a 1 b 1", "0: synchronize", "0: transact a 2 b 2 c 2",
                "0: transact a 3 c 3", "0: checkpoint", "0: transact a 4 b 4 c 4", "0: synchronize",
                "0: transact b 5 c 5",
            ])
        ])

    static let removals = Workload(
        name: "removals",
        stages: [
            Stage([
                "0: open @ settings", "0: set a 1", "0: set b 2", "0: set c 3", "0: synchronize",
                "0: remove a",
                "0: remove b", "0: synchronize", "0: set b 4", "0: checkpoint", "0: removeall",
                "0: synchronize",
                "0: set c 5", "0: remove c",
            ])
        ])

    static let twoProcesses = Workload(
        name: "two processes in turn",
        stages: [
            Stage([
                "0: open @ settings", "1: open @ settings", "0: set a 1", "1: set b 1", "0: synchronize",
                "1: set a 2", "0: set b 2", "1: synchronize", "0: transact a 3 b 3", "1: checkpoint",
                "1: set a 4",
                "0: checkpoint", "0: set b 5",
            ])
        ])

    /// Records are written over the journal's reserve, within a page and beyond it, by the process that makes it and by another.
    static let durableSets = Workload(
        name: "durable sets over a reserve (F17)",
        stages: [
            Stage([
                "0: open @ settings", "1: open @ settings", "0: set a 1", "0: synchronize", "0: set a 2",
                "0: synchronize", "1: set b 1", "0: set a 3",
                "0: set c \"\(String(repeating: "a long text ", count: 300))\"", "0: synchronize",
                "1: set b 2", "0: set a 4", "0: synchronize", "0: set a 5", "1: synchronize", "1: set b 3",
                "0: checkpoint", "0: set a 6", "0: synchronize", "0: set a 7", "1: set b 4",
            ])
        ])

    static let synchronizedEdits = Workload(
        name: "a foreign program that waits for the disk",
        stages: [
            Stage([
                "0: open @ settings", "0: set a 1", "0: checkpoint",
                "1: edit @/settings/settings.json x 1 synced",
                "0: set a 2", "0: synchronize", "0: checkpoint",
                "1: edit @/settings/settings.json x 2 synced",
                "0: set b 3", "0: checkpoint", "0: set a 4",
            ])
        ])

    static let carelessEdits = Workload(
        name: "a foreign program that does not wait for the disk",
        stages: [
            Stage([
                "0: open @ settings", "0: set a 1", "0: checkpoint",
                "1: edit @/settings/settings.json x 1 unsynced",
                "0: set a 2", "0: checkpoint", "0: set b 3", "0: synchronize", "0: checkpoint",
                "1: edit @/settings/settings.json x 2 unsynced", "0: set b 4", "0: checkpoint", "0: set a 5",
            ])
        ])

    /// A foreign program saves while a checkpoint stands behind a call.
    static func editInCheckpoint(behind call: String) -> Workload {
        Workload(
            name: "a foreign program that saves while a checkpoint is behind \(call)",
            stages: [
                Stage(["0: open @ settings", "0: set a 1", "0: checkpoint"]),
                Stage(
                    [
                        // Or another thread's checkpoint would be stopped too, with nobody to let it go on.
                        "0: leaveout scheduledCheckpoints", "0: open @ settings", "0: set a 2",
                        "0: set b 2", "0: start checkpoint", "1: edit @/settings/settings.json x 1 synced",
                        "0: finish", "0: set a 3",
                        "0: synchronize",
                    ], fault: "\(call):signal=STOP:when=1"),
            ])
    }

    /// Another process writes while a checkpoint waits for the disk, without the lock: what it writes stays in the journal.
    static func setsInCheckpoint(behind call: String, _ time: Int) -> Workload {
        Workload(
            name: "another process that writes while a checkpoint is behind \(call) \(time) (F18)",
            stages: [
                Stage(["0: open @ settings", "0: set a 1", "0: checkpoint"]),
                Stage(
                    [
                        "0: leaveout scheduledCheckpoints", "1: leaveout scheduledCheckpoints",
                        "0: open @ settings", "1: open @ settings", "0: set a 2", "0: set b 2",
                        "0: synchronize", "0: set c 2", "0: start checkpoint", "1: set a 3",
                        "1: transact b 3 d 3", "0: finish", "1: set c 4", "0: set a 5", "0: checkpoint",
                        "0: set b 6",
                    ], fault: "\(call):signal=STOP:when=\(time)"),
            ])
    }

    /// Checkpoints that leave the journal as it is, as amid writes, and one that has it begin anew when it is quiet.
    static let doneRecords = Workload(
        name: "a journal whose records are done (F18)",
        stages: [
            Stage([
                "0: leaveout scheduledCheckpoints restartsJournal",
                "1: leaveout scheduledCheckpoints restartsJournal",
                "0: open @ settings", "1: open @ settings", "0: set a 1", "1: set b 1", "0: checkpoint",
                "0: set a 2", "1: edit @/settings/settings.json x 1 synced", "1: set c 2", "0: checkpoint",
                "1: set b 3", "1: synchronize", "1: checkpoint", "0: leaveout scheduledCheckpoints",
                "0: checkpoint", "0: set a 4", "1: set b 4", "0: synchronize", "0: checkpoint", "1: set c 5",
            ])
        ])

    static let newFolders = Workload(
        name: "a suite in folders that are not there yet", parent: "one/two",
        stages: [
            Stage([
                "0: open @ settings", "0: set a 1", "0: synchronize", "0: set a 2", "0: checkpoint",
                "0: set b 3",
            ])
        ])

    static let oneAfterTheOther = Workload(
        name: "a process after another has ended",
        stages: [
            Stage(["0: open @ settings", "0: set a 1", "0: set b 1"]),
            Stage(["0: open @ settings", "0: stored", "0: set a 2", "0: synchronize"]),
            Stage(["0: open @ settings", "0: stored", "0: transact a 3 b 3", "0: checkpoint"]),
        ])

    /// Records that name members, and some that follow a removal, a checkpoint or another process's members.
    static let members = Workload(
        name: "sets of members (F25)",
        stages: [
            Stage([
                "0: open @ settings", "1: open @ settings", #"0: set o {"a": 1, "b": {"c": 1}}"#,
                "0: synchronize", #"1: set o {"a": 1, "b": {"c": 2, "d": null}}"#,
                #"0: set o {"a": 2, "b": {"c": 2, "d": null}}"#, "1: synchronize", "0: checkpoint",
                #"1: set o {"a": 3, "b": {"d": null}}"#, "0: remove o", "0: synchronize",
                #"0: set o {"e": []}"#, #"1: set o {"e": [], "a": 4}"#, "1: checkpoint",
                #"0: set o {"a": 5}"#, "0: synchronize", #"1: set o {"a": 5, "f": {}}"#,
            ])
        ])

    /// Versions that are kept and thinned, of a save by hand too, and a key that is undone.
    static let versions = Workload(
        name: "versions of the settings file (F27)",
        stages: [
            Stage([
                "0: open @ settings", "1: open @ settings", "0: set a 1", "0: keephistory 3", "1: set a 2",
                "1: checkpoint", "0: set b 3", "1: edit @/settings/settings.json x 1 synced",
                "0: checkpoint", "0: set a 4", "0: checkpoint", "0: undoto a 2", "1: set b 5",
                "1: synchronize",
            ])
        ])

    /// Starts that fail and one that is healthy: what of them is in files of their own is durable when they are answered.
    static let starts = Workload(
        name: "starts and the values that worked (F28)",
        stages: [
            Stage([
                "0: open @ settings", "0: set a 1", "0: beginstart 2 a", #"0: healthy {"a": 1}"#,
                "1: open @ settings",
                "0: set a 2", "0: beginstart 2 a 1", "1: beginstart 2 a 2", "1: set b 3", "1: synchronize",
                "0: beginstart 2 a 3",
            ]),
            Stage([
                "0: open @ settings", "0: set a 4", "0: beginstart 9 a 4",
            ]),
        ])

    static let all = [
        sets, unmappedSets, transactions, removals, members, versions, starts, twoProcesses,
        unmappedProcesses, durableSets,
        synchronizedEdits, carelessEdits, newFolders,
        oneAfterTheOther, editInCheckpoint(behind: "fdatasync"), editInCheckpoint(behind: "linkat"),
        editInCheckpoint(behind: "renameat2"), doneRecords, setsInCheckpoint(behind: "fsync", 2),
        setsInCheckpoint(behind: "fdatasync", 2), setsInCheckpoint(behind: "fsync", 3),
    ]

    /// The same with no checkpoint but those that it asks for, so that its steps are the same on a busy machine.
    var unscheduled: Workload {
        let stages = stages.map { stage in
            var stage = stage
            let processes = Set(stage.commands.map(\.process)).sorted()
            let first = processes.map { SuiteCommand(process: $0, line: "leaveout scheduledCheckpoints") }
            stage.commands.insert(contentsOf: first, at: 0)
            return stage
        }
        return Workload(name: name + ", none but these", parent: parent, stages: stages, start: start)
    }

    /// Two processes on what a power loss has left.
    static func again(after state: FolderState, _ stored: StoredSettings) -> Workload {
        Workload(
            name: "after a power loss",
            stages: [
                Stage([
                    "0: open @ settings", "0: set a 11", "0: synchronize", "0: transact b 12 d 12",
                    "1: open @ settings", "1: checkpoint", "1: set a 13",
                ])
            ], start: (state, stored))
    }

    /// What is done before a death and after it.
    private static let dying = [
        "0: open @ settings", "0: set a 1", "0: synchronize", "0: transact a 2 b 2", "0: set c 3",
        "0: checkpoint",
        "0: set a 4",
    ]

    /// A process that is not killed yet.
    static let mortal = Workload(name: "before a death", parent: "one", stages: [Stage(dying)])

    /// A process killed right before a call, and what the next one does.
    static func death(at fault: String, then lines: [String]) -> Workload {
        Workload(
            name: "a death at \(fault), then \(lines.joined(separator: ", "))", parent: "one",
            stages: [Stage(dying, fault: fault), Stage(lines.map { "0: \($0)" })])
    }
}

extension Workload: CustomTestStringConvertible {
    var testDescription: String { name }
}
