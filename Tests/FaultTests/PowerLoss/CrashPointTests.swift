/// The model leaves neither out what a power loss may do nor invents what it cannot.
import TestSupport
import Testing

struct CrashPointTests {
    /// The states after some events, the settings text of each file as text.
    private func states(_ events: [FolderStep.Event]) -> Set<[String: String]> {
        let steps = events.enumerated().map { FolderStep(number: $0.offset, event: $0.element) }
        var powerLoss = PowerLoss(limit: 10_000)
        return Set(
            powerLoss.states(after: steps.count, of: steps).map { state in
                state.files.mapValues { content in
                    String(decoding: content.bytes.map { $0 == 0 ? UInt8(ascii: "0") : $0 }, as: UTF8.self)
                }
            })
    }

    private func write(_ text: String, to file: Int = 0, at offset: Int = 0) -> FolderStep.Event {
        .write(file: file, offset: offset, bytes: Array(text.utf8))
    }

    private let made: [FolderStep.Event] = [
        .names(.add("a", .file(0))), .synchronizeFolder("", covering: .max),
    ]

    @Test
    func `a write may be missing, torn, or zeros from some byte on`() {
        #expect(
            states(made + [write("abcd")]) == [
                ["a": ""], ["a": "0000"], ["a": "a"], ["a": "a000"], ["a": "ab"], ["a": "ab00"], ["a": "abc"],
                ["a": "abc0"], ["a": "abcd"],
            ])
    }

    @Test
    func `what was waited for is there, and only that`() {
        #expect(
            states(made + [write("a"), .synchronizeFile(0, covering: .max), write("b", at: 1)]) == [
                ["a": "a"], ["a": "a0"], ["a": "ab"],
            ])
    }

    @Test
    func `a wait that began before a write does not keep it`() {
        #expect(states(made + [write("a"), .synchronizeFile(0, covering: 2)]).contains(["a": ""]))
    }

    @Test
    func `a write in between may be missing alone`() {
        let found = states(made + [write("a"), write("b", at: 1), write("c", at: 2)])
        #expect(found.contains(["a": "a0c"]))
        #expect(found.contains(["a": "0bc"]))
    }

    @Test
    func `a cut may have happened or not, whatever was written behind it`() {
        let found = states(
            made + [
                write("abc"), .synchronizeFile(0, covering: .max), .resize(file: 0, size: 1),
                write("x", at: 1),
            ])
        #expect(found == [["a": "abc"], ["a": "a"], ["a": "axc"], ["a": "ax"], ["a": "a0"]])
    }

    @Test
    func `data that were waited for do not keep the name`() {
        let found = states([.names(.add("a", .file(0))), write("x"), .synchronizeFile(0, covering: .max)])
        #expect(found == [[:], ["a": "x"]])
    }

    @Test
    func `a folder that was waited for does not keep the data`() {
        #expect(states(made + [write("x")]) == [["a": ""], ["a": "0"], ["a": "x"]])
    }

    @Test
    func `an exchange shows each file under one name or the other, both at once`() {
        let found = states([
            .names(.add("S", .file(0))), write("s"), .synchronizeFile(0, covering: .max),
            .names(.add("X", .file(1))), write("x", to: 1), .synchronizeFile(1, covering: .max),
            .synchronizeFolder("", covering: .max), .names(.exchange("X", "S")), .names(.remove("X")),
        ])
        #expect(found == [["S": "s", "X": "x"], ["S": "x", "X": "s"], ["S": "x"]])
    }

    @Test
    func `names of different files come in any order, those of one file in their own`() {
        let found = states([
            .names(.add("a", .file(0))), .names(.add("b", .file(1))), .names(.move("a", to: "c")),
        ])
        #expect(found == [[:], ["a": ""], ["b": ""], ["a": "", "b": ""], ["c": ""], ["b": "", "c": ""]])
    }

    @Test
    func `what is in a folder whose own name is missing is missing`() {
        let found = states([
            .names(.add("f", .folder)), .names(.add("f/a", .file(0))),
            .synchronizeFolder("f", covering: .max),
        ])
        #expect(found == [[:], ["f/a": ""]])
    }

    @Test
    func `two names of one file are not made one by a rename`() {
        let found = states([
            .names(.add("a", .file(0))), .names(.add("b", .file(0))), .names(.move("a", to: "b")),
            .synchronizeFolder("", covering: .max),
        ])
        #expect(found == [["a": "", "b": ""]])
    }

    @Test
    func `the names of one file stay names of one file`() throws {
        let steps = [
            .names(.add("a", .file(0))), write("x"), .synchronizeFile(0, covering: .max),
            .names(.add("b", .file(0))), .names(.add("c", .file(1))), .synchronizeFolder("", covering: .max),
        ].enumerated().map { FolderStep(number: $0.offset, event: $0.element) }
        var powerLoss = PowerLoss(limit: 1)
        let state = try #require(powerLoss.states(after: steps.count, of: steps).first)
        #expect(state.links == ["b": "a"])
        let folder = try TemporaryFolder()
        try state.write(to: folder.path)
        #expect(try FolderState(of: folder.path) == state)
        var trace = FolderTrace(root: "/r")
        trace.begin(with: state)
        #expect(powerLoss.states(after: trace.steps.count, of: trace.steps) == [state])
    }

    @Test
    func `many unsynchronized steps are tried by chance, the same in each run`() {
        let events = made + (0..<20).map { write("\($0 % 10)", at: $0) }
        #expect(states(events) == states(events))
        #expect(states(events).count > 40)
    }
}
