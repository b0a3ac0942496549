import DefaultsStore
import TestSupport
import Testing
import TypedDefaults
import TypedDefaultsCompatibility

/// Values that were stored when their type had fewer members, and values that cannot be used any more.
@Suite(.ownThread) struct GrownTypeTests {
    private struct Size: Codable, Equatable, Sendable { var width = 10, depth = 3 }
    private struct Pane: Codable, Equatable, Sendable {
        var width = 100
        var title = "untitled"
        var height = 600
        var note: String?
        var inner = Size()
    }
    private struct Entry: Codable, Equatable, Sendable {
        var title: String
        var isPinned = false
    }
    private enum Theme: String, Codable, CaseIterable, Sendable { case light, dark }

    private struct View {
        @Default var percent: Int

        init(percent: Default<Int>) { _percent = percent }
    }

    private func pane(_ suite: DefaultsSuite, default standard: Pane = Pane()) -> Defaults.Key<Pane> {
        Defaults.Key("pane", default: standard, suite: suite)
    }

    @Test(arguments: Place.allCases)
    func `a member that the stored object lacks comes from the default, at any depth`(_ place: Place) throws {
        try place.withSuite { suite in
            try suite.setUnchecked(["width": 800, "title": "mine", "inner": ["width": 7]], forKey: "pane")
            let key = pane(suite, default: Pane(note: "of the default"))
            let expected = Pane(width: 800, title: "mine", inner: Size(width: 7))
            #expect(suite[key] == expected)
            try #expect(suite.value(key) == expected)
            #expect(suite.snapshot()[key] == expected)
            #expect(suite.problems().isEmpty)
        }
    }

    @Test(arguments: Place.allCases)
    func `a change in place of a grown value keeps what is stored`(_ place: Place) throws {
        try place.withSuite { suite in
            try suite.setUnchecked(["width": 800, "title": "mine"], forKey: "pane")
            let key = pane(suite)
            suite[key].height = 700
            try #expect(
                suite.storedValues()["pane"] == ["width": 800, "title": "mine", "height": 700])
            try suite.modify(key) { $0.inner.width = 1 }
            #expect(suite[key] == Pane(width: 800, title: "mine", height: 700, inner: Size(width: 1)))
        }
    }

    @Test func `a missing member comes from the first domain below that has it`() throws {
        let suite = DefaultsSuite.inMemory()
        let key = pane(suite)
        suite.register(defaults: ["pane": ["title": "registered", "height": 1, "inner": ["depth": 9]]])
        try suite.setUnchecked(["width": 5, "inner": ["width": 7]], forKey: "pane")
        #expect(suite[key] == Pane(width: 5, title: "registered", height: 1, inner: Size(width: 7, depth: 9)))
        // The stored text is the same, and the value is another one.
        suite.register(defaults: ["pane": ["title": "again"]])
        #expect(suite[key] == Pane(width: 5, title: "again", inner: Size(width: 7)))
        try suite.setTransient(["width": 6], forKey: "pane")
        #expect(suite[key] == Pane(width: 6, title: "again", inner: Size(width: 7)))
    }

    @Test(arguments: [DefaultsObservationOptions.initial, []])
    func `an observer is notified when a missing member becomes another one below`(
        _ options: DefaultsObservationOptions
    ) throws {
        let suite = DefaultsSuite.inMemory()
        let key = pane(suite)
        suite.register(defaults: ["pane": ["title": "first", "note": "none"]])
        try suite.setUnchecked(["width": 5], forKey: "pane")
        let heard = Recorder<[String]>()
        let observation = Defaults.observe(key, options: options.union([.old, .new])) {
            heard.append([$0.oldValue.title, $0.newValue.title])
        }
        let raw = Recorder<DefaultsValue?>()
        let rawObservation = suite.observe(forKey: "pane", options: [.new]) { raw.append($0.newValue) }
        suite.register(defaults: ["pane": ["title": "second", "note": "none"]])
        // A member that is not missing, and one that the type can do without.
        suite.register(defaults: ["pane": ["title": "second", "note": "some", "width": 6]])
        suite.register(defaults: ["other": 1])
        try suite.setUnchecked(["width": 5, "title": "third"], forKey: "pane")
        suite.register(defaults: ["pane": ["title": "fourth"]])
        let changes = heard.all.filter { $0[0] != $0[1] }
        #expect(changes == [["first", "second"], ["second", "third"]])
        #expect(heard.all.count == (options.isEmpty ? 2 : 3))
        #expect(raw.all == [["width": 5, "title": "third"]])
        observation.invalidate()
        rawObservation.invalidate()
    }

    @Test func `an optional key's grown value is completed by what is registered`() throws {
        let suite = DefaultsSuite.inMemory()
        let key = Defaults.OptionalKey<Entry>("entry", suite: suite)
        try suite.setUnchecked(["title": "a"], forKey: "entry")
        #expect(refusal { _ = try suite.value(key) }?.code == .typeMismatch)
        #expect(suite.problems().count == 1)
        suite.register(defaults: ["entry": ["title": "b", "isPinned": true]])
        #expect(suite[key] == Entry(title: "a", isPinned: true))
        #expect(suite.problems().isEmpty)
    }

    @Test func `a member of another type is refused as before`() throws {
        let suite = DefaultsSuite.inMemory()
        try suite.setUnchecked(["width": "wide", "title": "mine"], forKey: "pane")
        #expect(refusal { _ = try suite.value(pane(suite)) }?.code == .typeMismatch)
    }

    @Test func `a codec that decodes by itself has the member too`() throws {
        let suite = DefaultsSuite.inMemory()
        let general = DefaultsCodec<Pane>.general
        let key = Defaults.Key<Pane>(
            "pane", default: Pane(), suite: suite,
            codec: DefaultsCodec(encode: general.encode, decode: general.decode))
        try suite.setUnchecked(["width": 800, "title": "mine"], forKey: "pane")
        #expect(suite[key] == Pane(width: 800, title: "mine"))
    }

    @Test(arguments: Place.allCases)
    func `a change in place of a value that cannot be used is refused`(_ place: Place) throws {
        let entries: DefaultsValue = [["title": "a"], ["title": "b"]]
        let themes: DefaultsValue = ["desk": "dark", "hall": "sepia"]
        let values = ["entries": entries, "themes": themes, "count": "many", "zoom": 500]
        try place.withFailingSuite { suite, failures in
            for (key, value) in values { try suite.setUnchecked(value, forKey: key) }
            let list = Defaults.Key<[Entry]>("entries", default: [], suite: suite)
            let table = Defaults.Key<[String: Theme]>("themes", default: [:], suite: suite)
            let count = Defaults.Key<Int>("count", default: 1, suite: suite)
            let zoom = Defaults.Key<Int>("zoom", default: 100, suite: suite, validation: .range(10...400))
            // Reports of the reads go first: each is made once.
            _ = (suite[list], suite[table], suite[count], suite[zoom])
            let read = failures.all.count

            suite[list].append(Entry(title: "c"))
            Defaults[table]["shed"] = .light
            Defaults.modify(count) { $0 += 1 }
            View(percent: Default(zoom)).percent += 10
            #expect(
                failures.all.dropFirst(read).map(\.code)
                    == [.typeMismatch, .typeMismatch, .typeMismatch, .invalidValue])

            let refusals = [
                refusal { try suite.withTransaction { $0[list].append(Entry(title: "c")) } },
                refusal { try suite.withTransaction { $0[table]["shed"] = .light } },
                refusal { try suite.withTransaction { $0[count] += 1 } },
                refusal { try suite.modify(count) { $0 += 1 } },
                refusal { try suite.withTransaction { $0[zoom] += 1 } },
                refusal { try suite.modify(zoom) { $0 += 1 } },
            ]
            #expect(
                refusals.map { $0?.code } == [
                    .typeMismatch, .typeMismatch, .typeMismatch, .typeMismatch, .invalidValue, .invalidValue,
                ])
            try #expect(suite.storedValues() == values)
        }
    }

    @Test(arguments: Place.allCases)
    func `a task's change in place of a value that cannot be used is refused`(_ place: Place) async throws {
        try await place.withSuite { suite in
            try suite.setUnchecked("many", forKey: "count")
            let count = Defaults.Key<Int>("count", default: 1, suite: suite)
            await #expect(throws: DefaultsError.self) { try await suite.async.modify(count) { $0 += 1 } }
            try #expect(suite.storedValues() == ["count": "many"])
        }
    }

    @Test func `a set of a whole value replaces one that cannot be used`() throws {
        let suite = DefaultsSuite.inMemory()
        try suite.setUnchecked([["title": "a"]], forKey: "entries")
        let list = Defaults.Key<[Entry]>("entries", default: [], suite: suite)
        suite[list] = [Entry(title: "b")]
        #expect(suite[list] == [Entry(title: "b")])
        try suite.setUnchecked("none", forKey: "entries")
        try suite.withTransaction { try $0.set(list, to: [Entry(title: "c")]) }
        #expect(suite[list] == [Entry(title: "c")])
    }

    @Test func `a change in place that changes nothing reports and stores nothing`() throws {
        let suite = DefaultsSuite.inMemory()
        try suite.setUnchecked("many", forKey: "count")
        let count = Defaults.Key<Int>("count", default: 1, suite: suite)
        try suite.withTransaction { $0[count] += 0 }
        try #expect(suite.storedValues() == ["count": "many"])
    }

    @Test
    func `a container's setting has the member too, and refuses a change in place of what cannot be used`()
        throws
    {
        let suite = DefaultsSuite.inMemory()
        let failures = FailureRecorder(suite)
        let container = SettingsContainer(suite: suite)
        container.register { userDefault("pane", default: .local(Pane())) }
        try suite.setUnchecked(["width": 800], forKey: "pane")
        try #expect(container.value("pane", as: Pane.self) == Pane(width: 800))
        #expect((container["pane"] as Pane) == Pane(width: 800))
        try suite.setUnchecked(["width": "wide"], forKey: "pane")
        func widen(_ pane: inout Pane) { pane.width += 1 }
        widen(&container["pane"])
        #expect(Set(failures.all.map(\.code)) == [.typeMismatch])
        try #expect(suite.storedValues() == ["pane": ["width": "wide"]])
    }

    private struct Whole: SettingsManageable {
        @TaskLocal static var own = DefaultsSuite.inMemory()

        var pane = Pane()

        static var suite: DefaultsSuite { own }
    }

    @Test func `a property of whole settings has the member of a new instance`() throws {
        let suite = DefaultsSuite.inMemory()
        try suite.setUnchecked(["width": 800, "inner": ["width": 7]], forKey: "pane")
        try Whole.$own.withValue(suite) {
            var whole = Whole()
            try whole.load()
            #expect(whole.pane == Pane(width: 800, inner: Size(width: 7)))
            whole.pane.height = 1
            try whole.update()
        }
        try #expect(suite.storedValues()["pane"] == ["width": 800, "inner": ["width": 7], "height": 1])
    }
}
