import DefaultsStore
import TestSupport
import Testing
import TypedDefaults

/// Drafts: changes that are looked at before they are stored.
@Suite(.ownThread) struct DraftTests {
    private struct Window: Codable, Hashable, Sendable { var width = 800, height = 600 }

    private func volume(in suite: DefaultsSuite) -> Defaults.Key<Double> {
        Defaults.Key<Double>("volume", default: 0.5, suite: suite, validation: .range(0...1))
    }

    @Test(arguments: Place.allCases)
    func `a draft reads through itself and stores nothing until it is applied`(_ place: Place) throws {
        try place.withSuite { suite in
            let volume = volume(in: suite)
            let theme = Defaults.Key<String>("theme", default: "light", suite: suite)
            try suite.set(theme, to: "dark")
            try suite.set("x", forKey: "old")
            var draft = suite.draft()
            draft[volume] = 0.3
            draft.reset(theme)
            draft.set(["a": 1], forKey: "plain")
            draft.removeValue(forKey: "old")
            #expect(draft[volume] == 0.3)
            #expect(draft[theme] == "light")
            #expect(draft.value(forKey: "plain") == ["a": 1])
            #expect(draft.value(forKey: "old") == nil)
            #expect(Defaults[volume] == 0.5)
            try #expect(suite.storedValues() == ["theme": "dark", "old": "x"])
            #expect(draft.problems == [])
            #expect(draft.conflicts == [])
            #expect(
                draft.changes.map(\.description) == [
                    "old: \"x\" -> not stored", "plain: not stored -> {\"a\": 1}",
                    "theme: \"dark\" -> not stored", "volume: not stored -> 0.3",
                ])
            try draft.apply()
            try #expect(suite.storedValues() == ["volume": 0.3, "plain": ["a": 1]])
        }
    }

    @Test(arguments: Place.allCases)
    func `a draft is one change for observers of several keys`(_ place: Place) throws {
        try place.withSuite { suite in
            let calls = Recorder<Int>()
            let (a, b) = (
                Defaults.Key<Int>("a", default: 0, suite: suite),
                Defaults.Key<Int>("b", default: 0, suite: suite)
            )
            let observation = suite.observe(a, b, options: []) { calls.append(suite[a] + suite[b]) }
            var draft = suite.draft()
            draft[a] = 1
            draft[b] = 2
            try draft.apply()
            #expect(calls.all == [3])
            observation.invalidate()
        }
    }

    @Test(arguments: Place.allCases)
    func `what a draft sets to what is stored is no change, and writes nothing`(_ place: Place) throws {
        try place.withSuite { suite in
            let volume = volume(in: suite)
            try suite.set(volume, to: 0.25)
            let calls = Recorder<Double>()
            let observation = suite.observe(volume, options: []) { calls.append($0.newValue) }
            var draft = suite.draft()
            draft[volume] = 0.75
            draft[volume] = 0.25
            #expect(draft.changes == [])
            try draft.apply()
            try suite.draft().apply()
            #expect(calls.all == [])
            observation.invalidate()
        }
    }

    @Test(arguments: Place.allCases)
    func `what a key refuses is a problem, and nothing of the draft is stored`(_ place: Place) throws {
        try place.withSuite { suite in
            let volume = volume(in: suite)
            let other = Defaults.Key<Int>("other", default: 0, suite: suite)
            var draft = suite.draft()
            draft[other] = 1
            draft[volume] = 7
            draft.set("loud", forKey: "volume")
            draft.set(1, forKey: "")
            #expect(draft[volume] == 0.5)
            #expect(draft.problems.map(\.code) == [.invalidKey, .typeMismatch])
            #expect(draft.problems.map(\.key) == ["", "volume"])
            #expect(throws: draft.problems[0]) { try draft.apply() }
            try #expect(suite.storedValues() == [:])
            // A value that is allowed takes the place of the one that is not.
            draft[volume] = 0.75
            draft.removeValue(forKey: "")
            #expect(draft.problems.map(\.key) == [""])
        }
    }

    @Test func `a text is read as the declared key's, and one that it refuses is a problem`() throws {
        let suite = DefaultsSuite.inMemory()
        let volume = volume(in: suite)
        var draft = suite.draft()
        draft.set(text: " 0.75", forKey: "volume")
        #expect(draft[volume] == 0.75)
        draft.set(text: "loud", forKey: "volume")
        draft.set(text: "1", forKey: "volum")
        #expect(draft.problems.map(\.code) == [.unregisteredKey, .typeMismatch])
        #expect(draft[volume] == 0.75)
        draft.set(text: "0.25", forKey: "volume")
        #expect(draft.problems.map(\.key) == ["volum"])
    }

    @Test func `a locked key is a problem, and may be reset`() throws {
        let folder = try TemporaryFolder()
        let suite = try folder.suite()
        let (volume, other) = (volume(in: suite), Defaults.Key<Int>("other", default: 0, suite: suite))
        try suite.set(volume, to: 0.25)
        try folder.write(#"{"volume": 0.75}"#, to: "managed/managed.json")
        try suite.setManagedFile(folder.path + "/managed/managed.json")
        var draft = suite.draft()
        draft[other] = 1
        draft[volume] = 0.3
        #expect(draft.problems.map(\.code) == [.locked])
        #expect(draft.problems.map(\.key) == ["volume"])
        let error = try #require(throws: DefaultsError.self) { try draft.apply() }
        #expect(error.code == .locked)
        try #expect(suite.storedValues() == ["volume": 0.25])
        draft.reset(volume)
        #expect(draft.problems == [])
        try draft.apply()
        try #expect(suite.storedValues() == ["other": 1])
        #expect(suite[volume] == 0.75)
    }

    @Test(.enabled(if: Soak.isWhole, "Takes 20 s."))
    func `an object that is too large with what others have added is a problem`() throws {
        let suite = DefaultsSuite.inMemory()
        let half = DefaultsValue.string(String(repeating: "x", count: 9 << 20))
        var draft = suite.draft()
        draft.set(["a": half], forKey: "list")
        #expect(draft.problems.isEmpty)
        try suite.set(["b": half], forKey: "list")
        #expect(draft.problems.map(\.code) == [.valueTooLarge])
        let error = try #require(throws: DefaultsError.self) { try draft.apply(overridingConflicts: true) }
        #expect(error.code == .valueTooLarge)
        #expect(suite.value(forKey: "list")?.object?.map(\.key) == ["b"])
    }

    @Test(arguments: Place.allCases)
    func `of an object that a draft and others have made, both have their members`(_ place: Place) throws {
        try place.withSuite { suite in
            var draft = suite.draft()
            draft.set(["a": 1], forKey: "list")
            try suite.set(["b": 2], forKey: "list")
            #expect(draft.conflicts == ["list"])
            try draft.apply(overridingConflicts: true)
            try #expect(suite.storedValues() == ["list": ["b": 2, "a": 1]])
        }
    }

    @Test(arguments: Place.allCases)
    func `a validation across keys is a problem that names it`(_ place: Place) throws {
        try place.withSuite { suite in
            let (low, high) = (
                Defaults.Key<Int>("low", default: 1, suite: suite),
                Defaults.Key<Int>("high", default: 5, suite: suite)
            )
            suite.addValidation("low is below high") { $0[low] < $0[high] }
            var draft = suite.draft()
            draft[low] = 6
            #expect(draft.problems.map(\.code) == [.invalidValue])
            #expect(draft.problems[0].description.contains("low is below high"))
            #expect(throws: draft.problems[0]) { try draft.apply() }
            draft[high] = 7
            #expect(draft.problems == [])
            try draft.apply()
            #expect(suite[low] == 6)
        }
    }

    @Test(arguments: Place.allCases)
    func `a key that others have changed is a conflict, and others are not`(_ place: Place) throws {
        try place.withSuite { suite in
            let volume = volume(in: suite)
            let other = Defaults.Key<Int>("other", default: 0, suite: suite)
            var draft = suite.draft()
            draft[volume] = 0.3
            try suite.set(other, to: 1)
            #expect(draft.conflicts == [])
            try suite.set(volume, to: 0.9)
            #expect(draft.conflicts == ["volume"])
            let error = try #require(throws: DefaultsError.self) { try draft.apply() }
            #expect(error.code == .conflict)
            #expect(error.key == "volume")
            #expect(suite[volume] == 0.9)
            try draft.apply(overridingConflicts: true)
            #expect(suite[volume] == 0.3)
            #expect(suite[other] == 1)
        }
    }

    @Test(arguments: Place.allCases)
    func `a key that has got the draft's own value is no conflict`(_ place: Place) throws {
        try place.withSuite { suite in
            let volume = volume(in: suite)
            var draft = suite.draft()
            draft[volume] = 0.3
            try suite.set(volume, to: 0.3)
            #expect(draft.conflicts == [])
            try draft.apply()
        }
    }

    @Test(arguments: Place.allCases)
    func `of two drafts of one key the second is refused, and applies after a rebase`(_ place: Place) throws {
        try place.withSuite { suite in
            let volume = volume(in: suite)
            var (one, other) = (suite.draft(), suite.draft())
            one[volume] = 0.1
            other[volume] = 0.2
            try one.apply()
            #expect(throws: DefaultsError.self) { try other.apply() }
            try other.rebase()
            #expect(other.conflicts == [])
            #expect(other.changes.map(\.old) == [0.1])
            try other.apply()
            #expect(suite[volume] == 0.2)
        }
    }

    @Test(arguments: Place.allCases, [false, true])
    func `of a struct, what others changed stays after a rebase, and if it is overridden`(
        _ place: Place, _ rebases: Bool
    ) throws {
        try place.withSuite { suite in
            let window = Defaults.Key<Window>("window", default: Window(), suite: suite)
            try suite.set(window, to: Window())
            var draft = suite.draft()
            draft[window].width = 1024
            try suite.modify(window) { $0.height = 768 }
            #expect(draft.conflicts == ["window"])
            if rebases {
                try draft.rebase()
                #expect(draft[window] == Window(width: 1024, height: 768))
                try draft.apply()
            } else {
                try draft.apply(overridingConflicts: true)
            }
            #expect(suite[window] == Window(width: 1024, height: 768))
        }
    }

    @Test func `a save by hand of a draft's key is a conflict, and a comment elsewhere stays`() async throws {
        let folder = try TemporaryFolder()
        let suite = try folder.suite()
        let volume = volume(in: suite)
        try suite.set(volume, to: 0.5)
        var draft = suite.draft()
        draft[volume] = 0.3
        try folder.saveByRename("{\n  // loud\n  \"volume\": 0.9\n}\n")
        let error = try #require(throws: DefaultsError.self) { try draft.apply() }
        #expect(error.code == .conflict)
        try draft.apply(overridingConflicts: true)
        try suite.checkpoint()
        try #expect(folder.read("settings/settings.json") == "{\n  // loud\n  \"volume\": 0.3\n}\n")
    }

    @Test(arguments: Place.allCases)
    func `a draft of values shows an import, and leaves out what stays`(_ place: Place) throws {
        try place.withSuite { suite in
            try suite.set(1, forKey: "same")
            try suite.set(2, forKey: "other")
            let plan = suite.draft(loading: ["same": 1, "new": true])
            #expect(plan.changes.map(\.key) == ["new"])
            let whole = suite.draft(loading: ["same": 1, "new": true], removingOthers: true)
            #expect(whole.changes.map(\.key) == ["new", "other"])
            try whole.apply()
            try #expect(suite.storedValues() == ["same": 1, "new": true])
        }
    }

    @Test(arguments: Place.allCases)
    func `a secret key's change says so, and has no value`(_ place: Place) throws {
        try place.withSuite { suite in
            let token = Defaults.Key<String>("token", default: "", suite: suite, secret: true)
            var draft = suite.draft()
            draft[token] = "hunter2"
            let change = try #require(draft.changes.first)
            #expect(change.isSecret)
            #expect(change.old == nil && change.new == nil)
            for text in ["\(draft)", "\(change)", String(reflecting: draft), "\(draft.changes)"] {
                #expect(!text.contains("hunter2"))
            }
            try draft.apply()
            #expect(suite[token] == "hunter2")
        }
    }

    @Test(arguments: Place.allCases)
    func `a secret from elsewhere that is changed in place is a problem`(_ place: Place) throws {
        try place.withSuite { suite in
            let token = Defaults.Key<String>("token", default: "", suite: suite, secret: true)
            suite.addArguments(["--token", "hunter2"])
            var draft = suite.draft()
            draft[token] += "!"
            #expect(draft.problems.map(\.code) == [.wouldStoreSecret])
            #expect(draft.changes == [])
        }
    }

    @Test(arguments: Place.allCases)
    func `a draft in a transaction joins it, and goes back alone`(_ place: Place) throws {
        try place.withSuite { suite in
            let (volume, other) = (volume(in: suite), Defaults.Key<Int>("other", default: 0, suite: suite))
            try suite.withTransaction { tx in
                tx[other] = 1
                var draft = suite.draft()
                #expect(draft[other] == 1)
                draft[volume] = 0.3
                #expect(draft.changes.map(\.key) == ["volume"])
                tx[volume] = 0.9
                #expect(throws: DefaultsError.self) { try draft.apply() }
                tx.reset(volume)
                try draft.apply()
                #expect(tx[volume] == 0.3)
            }
            try #expect(suite.storedValues() == ["other": 1, "volume": 0.3])
        }
    }

    @Test func `over a damaged file, a draft waits in the journal as a set does`() async throws {
        let folder = try TemporaryFolder()
        let suite = try folder.suite()
        suite.onFailure = { _ in }
        let volume = volume(in: suite)
        try suite.set(volume, to: 0.5)
        try folder.saveByRename("{ \"volume\": ")
        var draft = suite.draft()
        draft[volume] = 0.3
        #expect(throws: DefaultsError.self) { try draft.rebase() }
        #expect(draft[volume] == 0.3)
        try draft.apply()
        #expect(suite[volume] == 0.3)
        try #expect(folder.read("settings/settings.json") == "{ \"volume\": ")
        try folder.write("{ \"other\": 1 }", to: "settings/settings.json")
        try suite.checkpoint()
        try #expect(suite.storedValues() == ["other": 1, "volume": 0.3])
    }
}
