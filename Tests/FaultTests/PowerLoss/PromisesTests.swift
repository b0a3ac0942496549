/// What is promised at a point follows from what was answered before it, and no less is asked of the store.
import DefaultsStore
import Testing

struct PromisesTests {
    /// A recording of commands, the first answered by step 0, the next by step 1; a line with a `?` is not answered.
    private func recording(_ lines: [String]) throws -> Recording {
        var possible: Set<StoredSettings> = [[:]]
        let commands = try lines.enumerated().map { number, line in
            let isAnswered = !line.hasSuffix("?")
            let command = SuiteCommand(process: 0, line: line.replacing("?", with: ""))
            let changed = Set(try possible.map { settings in try command.apply(to: settings) })
            possible = isAnswered ? changed : possible.union(changed)
            return Recording.Command(
                command: command, answered: isAnswered ? number : nil, possible: possible)
        }
        return Recording(name: "by hand", parent: "", steps: [], files: [], commands: commands)
    }

    /// Which of some values are accepted after all answers before a step.
    private func accepted(
        _ lines: [String], before number: Int, of found: [StoredSettings]
    ) throws -> [StoredSettings] {
        let promises = try Promises(try recording(lines), before: number)
        return found.filter { promises.objection(to: $0) == nil }
    }

    @Test
    func `what a checkpoint promised has to be there, and what came later may be`() throws {
        let lines = ["set a 1", "set a 2", "checkpoint", "set a 3"]
        #expect(
            try accepted(lines, before: 3, of: [[:], ["a": 1], ["a": 2], ["a": 3]]) == [["a": 2], ["a": 3]])
    }

    @Test
    func `what nobody has begun to write is not accepted`() throws {
        let lines = ["set a 1", "synchronize", "set a 2", "set a 3"]
        #expect(
            try accepted(lines, before: 2, of: [["a": 1], ["a": 2], ["a": 3], ["b": 1]]) == [
                ["a": 1], ["a": 2],
            ])
    }

    @Test
    func `a transaction is there whole or not at all`() throws {
        let found: [StoredSettings] = [[:], ["a": 1], ["b": 1], ["a": 1, "b": 1]]
        #expect(try accepted(["transact a 1 b 1"], before: 0, of: found) == [[:], ["a": 1, "b": 1]])
    }

    @Test
    func `a removal that was promised is there`() throws {
        let lines = ["set a 1", "remove a", "synchronize"]
        #expect(try accepted(lines, before: 3, of: [[:], ["a": 1]]) == [[:]])
    }

    @Test
    func `a write that a process died in may be there or not, and the next promise keeps both`() throws {
        let lines = ["set a 1", "set a 2?", "set b 3", "synchronize"]
        let found: [StoredSettings] = [["a": 1, "b": 3], ["a": 2, "b": 3], ["a": 2], ["b": 3]]
        #expect(try accepted(lines, before: 4, of: found) == [["a": 1, "b": 3], ["a": 2, "b": 3]])
    }

    @Test
    func `a foreign program's promise is for its own key alone`() throws {
        let lines = [
            "set a 1", "synchronize", "edit p x 1 synced", "synchronize", "edit p x 2 synced", "set a 2",
        ]
        let found: [StoredSettings] = [
            ["a": 1, "x": 2], ["a": 1, "x": 1], ["a": 1], ["x": 2], ["a": 2, "x": 2],
        ]
        #expect(try accepted(lines, before: 5, of: found) == [["a": 1, "x": 2], ["a": 2, "x": 2]])
    }

    @Test
    func `after a careless foreign program any written value is accepted, until the next promise`() throws {
        let lines = ["set a 1", "checkpoint", "edit p x 1 unsynced", "checkpoint"]
        let found: [StoredSettings] = [[:], ["a": 1], ["x": 1], ["a": 1, "x": 1], ["a": 2]]
        #expect(try accepted(lines, before: 3, of: found) == Array(found.prefix(4)))
        #expect(try accepted(lines, before: 4, of: found) == [["a": 1, "x": 1]])
    }
}
