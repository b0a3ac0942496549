import TestSupport
import Testing
import TypedDefaults

/// Keys whose domains' values combine.
@Suite(.ownThread) struct MergingKeyTests {
    @Test(arguments: Place.allCases)
    func `elements are appended from the default up to the highest domain`(_ place: Place) throws {
        try place.withSuite { suite in
            let plugins = Defaults.Key<[String]>("plugins", default: ["core"], suite: suite, merge: .append)
            suite.register(defaults: ["plugins": ["registered"]])
            Defaults[plugins] = ["stored"]
            try suite.setTransient(plugins, to: ["transient"])
            let whole = ["core", "registered", "stored", "transient"]
            #expect(Defaults[plugins] == whole)
            #expect(try suite.value(plugins) == whole)
            #expect(suite.snapshot()[plugins] == whole)
            #expect(suite.value(forKey: "plugins") == .array(whole.map { .string($0) }))
            #expect(try suite.storedValues() == ["plugins": ["stored"]])
        }
    }

    @Test(arguments: Place.allCases)
    func `a union keeps and stores each element once, also when an access in place stores all of it`(
        _ place: Place
    ) throws {
        try place.withSuite { suite in
            let plugins = Defaults.Key<[String]>("plugins", default: ["core"], suite: suite, merge: .union)
            Defaults[plugins].append("mine")
            #expect(Defaults[plugins] == ["core", "mine"])
            Defaults[plugins].append("more")
            #expect(Defaults[plugins] == ["core", "mine", "more"])
            for _ in 1...2 { Defaults[plugins].append("mine") }
            #expect(Defaults[plugins] == ["core", "mine", "more"])
            let stored = try suite.storedValues()
            #expect(stored == ["plugins": ["mine", "more"]])
        }
    }

    @Test(arguments: Place.allCases)
    func `members that a domain leaves out come from the ones below`(_ place: Place) throws {
        try place.withSuite { suite in
            let window = Defaults.Key<Window>("window", default: Window(), suite: suite, merge: .deepMerge)
            #expect(Defaults[window] == Window(width: 800, height: 600))
            try suite.set(["width": 5], forKey: "window")
            #expect(Defaults[window] == Window(width: 5, height: 600))
            suite.addArguments(["--window", #"{"height": 6}"#])
            #expect(Defaults[window] == Window(width: 5, height: 6))
            #expect(suite.domain(forKey: "window") == .arguments)
        }
    }

    @Test(arguments: [DefaultsMerge.append, .union])
    func `of a locked list only what the administrator has and the default are combined`(merge: DefaultsMerge)
        throws
    {
        let folder = try TemporaryFolder()
        let suite = try folder.suite()
        let plugins = Defaults.Key<[String]>("plugins", default: ["core"], suite: suite, merge: merge)
        Defaults[plugins] = ["evil"]
        suite.register(defaults: ["plugins": ["registered"]])
        let heard = Recorder<[String]>()
        let observation = Defaults.observe(plugins, options: []) { heard.append($0.newValue) }
        try folder.write(#"{"plugins": ["late"]}"#, to: "managed/managed.d/10.json")
        try folder.write(#"{"plugins": ["good"]}"#, to: "managed/managed.json")
        try suite.setManagedFile(folder.path + "/managed/managed.json")
        suite.addArguments(["--plugins", "argued"])
        suite.addEnvironment(prefix: "PL_", in: ["PL_PLUGINS": "variable"])
        let whole = ["core", "good", "late"]
        #expect(Defaults[plugins] == whole)
        #expect(try suite.value(plugins) == whole)
        #expect(suite.snapshot()[plugins] == whole)
        #expect(suite.value(forKey: "plugins") == .array(whole.map { .string($0) }))
        #expect(heard.all.last == whole)
        #expect(refusal { try suite.set(plugins, to: ["more"]) }?.code == .locked)
        let masked = DefaultsExplanation.Outcome.masked(by: .managed)
        #expect(
            suite.explain(forKey: "plugins").map(\.outcome)
                == [.combined, .combined, masked, masked, masked, masked, .combined])
        #expect(suite.problems().isEmpty)
        observation.invalidate()
    }

    @Test func `of a locked object only the members that the administrator has and the default are combined`()
        throws
    {
        let folder = try TemporaryFolder()
        let suite = try folder.suite()
        let server = Defaults.Key<[String: String]>(
            "server", default: ["port": "80"], suite: suite, merge: .deepMerge)
        try suite.set(["url": "evil", "proxy": "evil"], forKey: "server")
        try folder.write(#"{"server": {"url": "good"}}"#, to: "managed/managed.json")
        try suite.setManagedFile(folder.path + "/managed/managed.json")
        #expect(Defaults[server] == ["port": "80", "url": "good"])
        #expect(suite.value(forKey: "server") == ["port": "80", "url": "good"])
    }

    @Test func `every domain's change is seen through the cache and heard`() throws {
        let suite = DefaultsSuite.inMemory()
        let tags = Defaults.Key<[Int]>("tags", default: [], suite: suite, merge: .append)
        let heard = Recorder<[Int]>()
        let observation = Defaults.observe(tags, options: []) { heard.append($0.newValue) }
        suite.register(defaults: ["tags": [1]])
        #expect(Defaults[tags] == [1])
        Defaults[tags] = [2]
        #expect(Defaults[tags] == [1, 2])
        try suite.setTransient(tags, to: [3])
        #expect(Defaults[tags] == [1, 2, 3])
        Defaults.reset(tags)
        #expect(heard.all == [[1], [1, 2], [1, 2, 3], [1, 3]])
        observation.invalidate()
    }

    @Test func `a text that cannot be combined is refused`() {
        let suite = DefaultsSuite.inMemory()
        let failures = FailureRecorder(suite)
        let tags = Defaults.Key<[Int]>("tags", default: [1], suite: suite, merge: .append)
        suite.addArguments(["--tags", "word"])
        #expect(Defaults[tags] == [1])
        #expect(failures.codes == [.typeMismatch])
    }

    @Test func `a part that does not decode is left out of a combined value and listed once`() throws {
        let suite = DefaultsSuite.inMemory()
        let failures = FailureRecorder(suite)
        let tags = Defaults.Key<[Int]>("tags", default: [1], suite: suite, merge: .append)
        try suite.setUnchecked(["text"], forKey: "tags")
        suite.register(defaults: ["tags": [2]])
        #expect(Defaults[tags] == [1, 2])
        #expect(failures.codes == [.typeMismatch])
        #expect(suite.problems().map(\.domain) == [.stored])
    }

    @Test func `a value is the default when what is combined equals it`() throws {
        let suite = DefaultsSuite.inMemory()
        let tags = Defaults.Key<[Int]>("tags", default: [1], suite: suite, merge: .union)
        Defaults[tags] = [1]
        #expect(Defaults.isDefaultValue(tags))
        Defaults[tags] = [2]
        #expect(!Defaults.isDefaultValue(tags))
    }

    @Test func `a key looked up in another suite combines that suite's values`() throws {
        let suite = DefaultsSuite.inMemory()
        let other = DefaultsSuite.inMemory()
        let tags = Defaults.Key<[Int]>("tags", default: [1], suite: suite, merge: .append)
        try other.set([2], forKey: "tags")
        other.register(defaults: ["tags": [3]])
        #expect(other[tags] == [1, 3, 2])
    }

    @Test func `what is wrong with a part of a combined value is told once, of its domain`() throws {
        let folder = try TemporaryFolder()
        let suite = try folder.suite()
        suite.onFailure = { _ in }
        try folder.write(#"{"list": [true]}"#, to: "managed/managed.json")
        let list = Defaults.Key<[Int]>("list", default: [], suite: suite, merge: .append)
        try suite.set([1], forKey: "list")
        try suite.setManagedFile(folder.path + "/managed/managed.json")
        #expect(suite[list] == [1])
        #expect(suite.problems().map(\.domain) == [.managed])
    }

    @Test func `a write is checked as the whole that is read afterwards`() throws {
        let suite = DefaultsSuite.inMemory()
        let few = Defaults.Key<[String]>(
            "few", default: ["core"], suite: suite, validation: .where { $0.count <= 2 }, merge: .union)
        let whole = Defaults.Key<[String]>(
            "whole", default: ["core"], suite: suite, validation: .where { $0.contains("core") },
            merge: .union)
        try suite.set(few, to: ["a"])
        #expect(refusal { try suite.set(few, to: ["a", "b"]) }?.code == .invalidValue)
        try #expect(suite.value(few) == ["core", "a"])
        try suite.set(whole, to: ["a"])
        try #expect(suite.value(whole) == ["core", "a"])
        Defaults[whole].append("b")
        try #expect(suite.value(whole) == ["core", "a", "b"])
        #expect(suite.problems() == [])
    }
}
