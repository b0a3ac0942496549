/// A write inside a value changes what differs, and leaves what its type does not know, comments, order and layout.
@testable import DefaultsStore
import Foundation
import Synchronization
import TestSupport
import Testing
@testable import TypedDefaults
import TypedDefaultsCompatibility

/// An older program's window: a newer one has a depth, too.
private struct Frame: Codable, Sendable, Equatable {
    var w = 800
    var h = 600
    var title: String?
}

private struct Pane: Codable, Sendable, Equatable {
    var id: Int
    var w = 0
    var h = 0
}

private struct Desk: Codable, Sendable, Equatable {
    var frames: [Pane] = []
    var named: [String: Frame] = [:]
    var sizes: Set<Int> = []
}

@Suite(.ownThread) struct ValueEditTests {
    private static let text = """
        {
          "window": {"w": 800, // left
            "h": 600, "depth": 3},
          "recent": [
            // the newest first
            "a", // of a
            "b"
          ],
          "desk": {
            "frames": [{"id": 1, "w": 1, "h": 2, "depth": 1}, // first
              {"depth": 2, "id": 2, "w": 3, "h": 4}],
            "named": {"one": {"w": 1, "h": 1, "x": true}, "two": {"w": 2, "h": 2}}, // by name
            "sizes": [3, 1],
            "note": "mine"
          }
        }

        """

    private struct Place {
        let suite: DefaultsSuite
        let folder: TemporaryFolder
        let failures: FailureRecorder
        let window: Defaults.Key<Frame>
        let recent: Defaults.Key<[String]>
        let desk: Defaults.Key<Desk>

        init(_ text: String = ValueEditTests.text) throws {
            folder = try TemporaryFolder()
            try folder.write(text, to: "settings/settings.json")
            suite = try folder.suite()
            failures = FailureRecorder(suite)
            window = Defaults.Key("window", default: Frame(), suite: suite)
            recent = Defaults.Key("recent", default: [], suite: suite)
            desk = Defaults.Key("desk", default: Desk(), suite: suite)
        }

        /// The file's text once it has followed.
        func text() throws -> String {
            try suite.checkpoint()
            return try folder.read("settings/settings.json")
        }

        func expect(_ old: String, _ new: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
            let text = try text()
            let expected = ValueEditTests.text.replacing(old, with: new)
            #expect(text == expected, sourceLocation: sourceLocation)
            #expect(failures.all == [], sourceLocation: sourceLocation)
        }
    }

    /// The ways to write a member of a value.
    enum Way: CaseIterable, Sendable {
        case inPlace, assigned, suiteInPlace, set, modify, modifyThrowing, transaction, transactionInPlace,
            wrapper
        case container, transactionSet
    }

    private func setWidth(_ way: Way, _ place: Place, _ width: Int) throws {
        let (suite, window) = (place.suite, place.window)
        switch way {
        case .inPlace: Defaults[window].w = width
        case .assigned: Defaults[window] = Frame(w: width)
        case .suiteInPlace: suite[window].w = width
        case .set: try suite.set(window, to: Frame(w: width))
        case .modify: Defaults.modify(window) { $0.w = width }
        case .modifyThrowing: try suite.modify(window) { $0.w = width }
        case .transaction: try suite.withTransaction { $0[window] = Frame(w: width) }
        case .transactionSet:
            try suite.withTransaction { (transaction) throws(DefaultsError) in
                try transaction.set(window, to: Frame(w: width))
            }
        case .transactionInPlace: try suite.withTransaction { $0[window].w = width }
        case .wrapper:
            @Default(window) var frame
            frame.w = width
        case .container:
            let container = SettingsContainer(suite: suite)
            container.register { userDefault("window", default: .local(Frame())) }
            try container.set("window", to: Frame(w: width))
        }
    }

    @Test(arguments: Way.allCases)
    func `a member that an older program sets is all that changes`(_ way: Way) throws {
        let place = try Place()
        try setWidth(way, place, 801)
        #expect(place.suite.value(forKey: "window") == ["w": 801, "h": 600, "depth": 3])
        #expect(Defaults[place.window] == Frame(w: 801))
        try place.expect("800", "801")
        try setWidth(way, place, 802)
        try setWidth(way, place, 803)
        try place.expect("800", "803")
    }

    @Test(arguments: Way.allCases)
    func `what is removed is removed, and what is equal is no write`(_ way: Way) throws {
        let place = try Place(
            ValueEditTests.text.replacing("\"depth\": 3", with: "\"depth\": 3, \"title\": \"x\""))
        let heard = Recorder<DefaultsValue?>()
        let observation = place.suite.observe(forKey: "window", options: [.new]) { heard.append($0.newValue) }
        let isWhole = [.assigned, .set, .transaction, .transactionSet, .container].contains(way)
        try setWidth(way, place, 800)
        try place.expect(isWhole ? "" : "\"depth\": 3", isWhole ? "" : "\"depth\": 3, \"title\": \"x\"")
        #expect(heard.all == (isWhole ? [["w": 800, "h": 600, "depth": 3]] : []))
        observation.invalidate()
    }

    @Test(arguments: [
        (["a", "b", "c"], "\"b\"\n", "\"b\",\n    \"c\"\n"),
        (["n", "a", "b"], "[\n    // the newest", "[\n    \"n\",\n    // the newest"),
        (["a", "x"], "\"b\"\n", "\"x\"\n"), (["b"], "    \"a\", // of a\n", ""),
        (
            ["b", "a"], "[\n    // the newest first\n    \"a\", // of a\n    \"b\"\n",
            "[\n    \"b\",\n    // the newest first\n    \"a\" // of a\n"
        ), (["a", "b"], "", ""),
    ])
    func `an element that is added, changed, moved or removed is all that changes`(
        new: [String], old: String, text: String
    ) throws {
        for isTyped in [true, false] {
            let place = try Place()
            if isTyped {
                Defaults[place.recent] = new
            } else {
                try place.suite.set(.array(new.map { .string($0) }), forKey: "recent")
            }
            try place.expect(old, text)
        }
    }

    @Test func `what is unknown inside of lists and dictionaries stays with its element`() throws {
        let place = try Place()
        Defaults[place.desk].frames[1].w = 30
        try place.expect("\"w\": 3,", "\"w\": 30,")
        Defaults[place.desk].frames.swapAt(0, 1)
        Defaults[place.desk].named["one"]?.h = 10
        Defaults[place.desk].named["two"] = nil
        Defaults[place.desk].sizes.insert(7)
        let stored = try #require(place.suite.value(forKey: "desk"))
        #expect(
            stored["frames"] == [
                ["depth": 2, "id": 2, "w": 30, "h": 4], ["id": 1, "w": 1, "h": 2, "depth": 1],
            ])
        #expect(stored["named"] == ["one": ["w": 1, "h": 10, "x": true]])
        #expect(Set(stored["sizes"]?.array ?? []) == [1, 3, 7])
        #expect(stored["note"] == "mine")
        #expect(try place.text().contains("// by name"))
        #expect(place.failures.all == [])
    }

    @Test func `an untyped set means exactly its value, and what is equal keeps its text`() throws {
        let place = try Place()
        try place.suite.set(["h": 600, "w": 801], forKey: "window")
        #expect(place.suite.value(forKey: "window") == ["w": 801, "h": 600])
        try place.expect(
            "{\"w\": 800, // left\n    \"h\": 600, \"depth\": 3}", "{\"w\": 801, // left\n    \"h\": 600}")
    }

    private struct Vector: Codable, Sendable {
        var x = 1.0
        var rest = [1.0]
    }

    @Test func `a negative zero is stored over zero, inside a value too, and comes back`() throws {
        let folder = try TemporaryFolder()
        let suite = try folder.suite()
        let vector = Defaults.Key<Vector>("vector", default: Vector(), suite: suite)
        for zero in [0.0, -0.0, 0.0] {
            try suite.set(vector, to: Vector(x: zero, rest: [2, zero]))
            try suite.checkpoint()
            let read = try folder.suite().value(vector)
            #expect(read.x.sign == zero.sign && read.rest[1].sign == zero.sign)
        }
    }

    @Test func `a value that does not decode is replaced by the one that is set`() throws {
        let place = try Place(ValueEditTests.text.replacing("\"w\": 800", with: "\"w\": \"wide\""))
        try place.suite.set(place.window, to: Frame(w: 1, h: 2))
        #expect(place.suite.value(forKey: "window") == ["w": 1, "h": 2])
    }

    @Test func `a value that another domain hides is changed on what is stored`() throws {
        let place = try Place()
        try place.suite.setTransient(place.window, to: Frame(w: 5, h: 5))
        try place.suite.set(place.window, to: Frame(w: 6, h: 600))
        try place.suite.removeTransient(place.window)
        #expect(place.suite.value(forKey: "window") == ["w": 6, "h": 600, "depth": 3])
    }

    @Test func `a checkpoint that keeps a layout is no change to anybody`() throws {
        let place = try Place()
        let heard = Recorder<DefaultsValue?>()
        let all = place.suite.observeAll { changes in
            for change in changes where !change.isInitial { heard.append(change.newValue) }
        }
        Defaults[place.window].w = 801
        try place.suite.checkpoint()
        #expect(place.suite.value(forKey: "window") == ["w": 801, "h": 600, "depth": 3])
        try place.suite.set(1, forKey: "marker")
        #expect(heard.all == [["w": 801, "h": 600, "depth": 3], 1])
        all.invalidate()
    }

    @Test func `the rest of a value is the one that another process has stored meanwhile`() throws {
        let place = try Place()
        Defaults[place.window].w = 801
        // As a newer program does.
        try place.suite.set(["w": 801, "h": 600, "depth": 4, "border": 1], forKey: "window")
        try place.suite.set(place.window, to: Frame(w: 802))
        #expect(place.suite.value(forKey: "window") == ["w": 802, "h": 600, "depth": 4, "border": 1])
    }

    @Test func `the rest of a value is the one that was saved by hand just now, before that was noticed`()
        throws
    {
        let text = "{\n  \"window\": {\"w\": 800, \"h\": 600, \"depth\": 3}\n}\n"
        let place = try Place(text)
        Defaults[place.window].w = 801
        try place.suite.checkpoint()
        try place.suite.set(place.window, to: Frame(w: 801))
        try place.folder.write(text.replacing("3", with: "5"), to: "settings/settings.json")
        try place.suite.set(place.window, to: Frame(w: 802))
        #expect(place.suite.value(forKey: "window") == ["w": 802, "h": 600, "depth": 5])
    }

    @Test func `the type reads what is stored once, with no lock, and what is stored meanwhile stays`() throws
    {
        let place = try Place()
        let count = Atomic(0)
        let isInside = Atomic(false)
        let general = DefaultsCodec<Frame>.codable
        let codec = DefaultsCodec<Frame>(
            encode: { try general.encode($0) },
            decode: { [suite = place.suite] text in
                isInside.store(suite.context.openStore?.writer.joined() != nil, ordering: .relaxed)
                // Another thread gets in, which it could not if the lock were held.
                if count.add(1, ordering: .relaxed).newValue == 1 {
                    let refusal = Mutex<(any Error)?>(nil)
                    let thread = Thread {
                        do {
                            try suite.setUnchecked(["w": 7, "h": 8, "depth": 9], forKey: "window")
                        } catch {
                            refusal.withLock { $0 = error }
                        }
                    }
                    thread.start()
                    while !thread.isFinished { poll(nil, 0, 1) }
                    if let error = refusal.withLock({ $0 }) { throw error }
                }
                return try general.decode(text)
            })
        let key = Defaults.Key<Frame>("window", default: Frame(), suite: place.suite, codec: codec)
        try place.suite.set(key, to: Frame(w: 1, h: 600))
        #expect(count.load(ordering: .relaxed) == 1)
        #expect(isInside.load(ordering: .relaxed) == false)
        #expect(place.suite.value(forKey: "window") == ["w": 1, "h": 8, "depth": 9])
    }

    @Test func `what two threads have stored at once, this process changes back (F25)`() throws {
        let place = try Place()
        let count = Atomic(0)
        let general = DefaultsCodec<Frame>.codable
        let codec = DefaultsCodec<Frame>(
            encode: { try general.encode($0) },
            decode: { [window = place.window] text in
                if count.add(1, ordering: .relaxed).newValue == 1 {
                    let thread = Thread { Defaults[window] = Frame(w: 7, h: 8) }
                    thread.start()
                    while !thread.isFinished { poll(nil, 0, 1) }
                }
                return try general.decode(text)
            })
        let key = Defaults.Key<Frame>("window", default: Frame(), suite: place.suite, codec: codec)
        try place.suite.set(key, to: Frame(w: 1, h: 600))
        try place.suite.set(key, to: Frame(w: 2, h: 600))
        try place.expect("800", "2")
    }

    @Test func `one's own writes are not read again`() throws {
        let suite = DefaultsSuite.inMemory()
        let count = Atomic(0)
        let general = DefaultsCodec<Frame>.codable
        let codec = DefaultsCodec<Frame>(
            encode: { try general.encode($0) },
            decode: { text in
                count.add(1, ordering: .relaxed)
                return try general.decode(text)
            })
        let key = Defaults.Key<Frame>("window", default: Frame(), suite: suite, codec: codec)
        for width in 0..<10 { try suite.set(key, to: Frame(w: width)) }
        #expect(count.load(ordering: .relaxed) == 0)
        #expect(suite.value(forKey: "window") == ["w": 9, "h": 600])
    }

    @Test func `threads that change members of one value lose nothing, known or unknown`() throws {
        let place = try Place()
        try withThreads(4) { thread in
            for _ in 0..<100 {
                if thread == 0 {
                    try place.suite.withTransaction { tx in
                        var members = tx[key: "window"]?.object.map(Array.init) ?? []
                        let depth = members.firstIndex { $0.key == "depth" } ?? 0
                        members[depth].value = DefaultsValue((members[depth].value.int ?? 0) + 1)
                        tx[key: "window"] = .object(DefaultsObject(members))
                    }
                } else if thread == 1 {
                    Defaults[place.window].w += 1
                } else {
                    Defaults[place.window].h += 1
                }
            }
        }
        #expect(place.suite.value(forKey: "window") == ["w": 900, "h": 800, "depth": 103])
        try place.expect(
            "{\"w\": 800, // left\n    \"h\": 600, \"depth\": 3}",
            "{\"w\": 900, // left\n    \"h\": 800, \"depth\": 103}")
    }
}
