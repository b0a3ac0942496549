/// What a write of a key whose domains' values combine stores: the part that differs.
import DefaultsStore
import TestSupport
import Testing
import TypedDefaults

private struct Frame: Codable, Sendable, Equatable {
    var a = 0
    var title: String? = "below"
    var inner: [String: Int] = ["x": 1, "y": 2]
}

@Suite(.ownThread) struct MergedPartTests {
    private let suite = DefaultsSuite.inMemory()
    private let failures: FailureRecorder

    init() { failures = FailureRecorder(suite) }

    private func key(_ merge: DefaultsMerge = .deepMerge) -> Defaults.Key<Frame> {
        Defaults.Key("frame", default: Frame(), suite: suite, merge: merge)
    }

    @Test func `a value that lacks a member that something below has is read back as it was set`() throws {
        let frame = key()
        try suite.set(frame, to: Frame(a: 1, title: nil, inner: ["y": 2]))
        try #expect(suite.value(frame) == Frame(a: 1, title: nil, inner: ["y": 2]))
        #expect(try suite.storedValues()["frame"]?["title"] == .null)
        #expect(try suite.storedValues()["frame"]?["inner"] == ["x": nil, "y": 2])
        try suite.set(frame, to: Frame(a: 1, title: "mine", inner: ["x": 5, "z": 3]))
        try #expect(suite.value(frame) == Frame(a: 1, title: "mine", inner: ["x": 5, "z": 3]))
        #expect(failures.all == [])
    }

    @Test func `null in the file is not lost by a change of another member`() throws {
        let frame = key()
        try suite.set(["title": nil, "unknown": 1], forKey: "frame")
        try #expect(suite.value(frame) == Frame(a: 0, title: nil))
        Defaults[frame].a += 1
        try #expect(suite.value(frame) == Frame(a: 1, title: nil))
        #expect(try suite.storedValues()["frame"] == ["title": nil, "unknown": 1, "a": 1])
    }

    @Test func `an access in place stores what it has changed, and takes out what was below`() throws {
        let frame = key()
        Defaults[frame].inner["x"] = nil
        #expect(try suite.storedValues() == ["frame": ["inner": ["x": nil]]])
        try #expect(suite.value(frame).inner == ["y": 2])
        try suite.modify(frame) { $0.title = nil }
        try suite.withTransaction { $0[frame].a = 7 }
        #expect(try suite.storedValues() == ["frame": ["inner": ["x": nil], "title": nil, "a": 7]])
        suite.register(defaults: ["frame": ["inner": ["z": 9]]])
        try #expect(suite.value(frame) == Frame(a: 7, title: nil, inner: ["y": 2, "z": 9]))
        Defaults[frame].inner["x"] = 4
        try #expect(suite.value(frame).inner == ["x": 4, "y": 2, "z": 9])
        #expect(failures.all == [])
    }

    @Test func `null where nothing is below is no member of a dictionary`() throws {
        let sizes = Defaults.OptionalKey<[String: Int]>("sizes", suite: suite, merge: .deepMerge)
        try suite.set(["a": nil, "b": 1], forKey: "sizes")
        try #expect(suite.value(sizes) == ["b": 1])
        suite.addArguments(["--sizes", #"{"b": null, "c": 2}"#])
        try #expect(suite.value(sizes) == ["c": 2])
        #expect(failures.all == [])
    }

    @Test func `a text that says that a required member is not there is refused`() throws {
        let window = Defaults.Key<Window>("window", default: Window(), suite: suite, merge: .deepMerge)
        suite.addArguments(["--window", #"{"height": null}"#])
        #expect(failures.codes == [.typeMismatch])
        try #expect(suite.value(window) == Window())
    }

    @Test(arguments: [DefaultsMerge.append, .union])
    func `an element that is appended is the only one that is stored`(_ merge: DefaultsMerge) throws {
        let tags = Defaults.Key<[String]>("tags", default: ["core"], suite: suite, merge: merge)
        Defaults[tags].append("mine")
        #expect(try suite.storedValues() == ["tags": ["mine"]])
        try #expect(suite.value(tags) == ["core", "mine"])
        Defaults[tags].append("more")
        Defaults[tags].removeAll { $0 == "mine" }
        #expect(try suite.storedValues() == ["tags": ["more"]])
        try #expect(suite.value(tags) == ["core", "more"])
        Defaults[tags][1] = "most"
        try #expect(suite.value(tags) == ["core", "most"])
        try suite.set(tags, to: ["other"])
        #expect(try suite.storedValues() == ["tags": ["other"]])
        // As many as there were, none of them the same.
        try suite.set(tags, to: ["x", "y"])
        #expect(try suite.storedValues() == ["tags": ["x", "y"]])
        Defaults[tags][0] = "mine"
        #expect(try suite.storedValues() == ["tags": ["mine", "x", "y"]])
    }

    private struct Pane: Codable, Sendable {
        var id: Int
        var width = 0
    }

    @Test func `what is unknown in an element of a part stays`() throws {
        for merge in [DefaultsMerge.append, .union] {
            let windows = Defaults.Key<[Pane]>(
                "windows \(merge)", default: [Pane(id: 0)], suite: suite, merge: merge)
            try suite.set([["id": 1, "width": 2, "depth": 3]], forKey: windows.name)
            Defaults[windows][1].width = 9
            #expect(try suite.storedValues()[windows.name] == [["id": 1, "width": 9, "depth": 3]])
        }
    }
}
