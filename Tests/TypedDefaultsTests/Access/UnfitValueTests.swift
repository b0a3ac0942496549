import TestSupport
import Testing
import TypedDefaults

/// A value that its key cannot use never hides the good one of a domain below it.
@Suite(.timeLimit(.minutes(60)), .ownThread) struct UnfitValueTests {
    /// The domains, highest first.
    enum Place: Int, CaseIterable, CustomTestStringConvertible {
        case managed, lockedLayer, arguments, environment, transient, stored, layer, registered

        var testDescription: String { "\(self)" }

        static let pairs = allCases.flatMap { high in
            allCases.filter { $0.rawValue > high.rawValue }.map { [high, $0] }
        }
    }

    private let folder: TemporaryFolder
    private let suite: DefaultsSuite
    private let failures: FailureRecorder

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
        failures = FailureRecorder(suite)
    }

    private func put(_ value: DefaultsValue, _ place: Place) async throws {
        switch place {
        case .managed:
            try folder.write(#"{"port": \#(value)}"#, to: "managed/managed.json")
            try suite.setManagedFile(folder.path + "/managed/managed.json")
        case .lockedLayer:
            suite.context.setLayer(
                "locking", values: LayerValues(), locked: LayerValues(["port": value]), location: nil)
        case .arguments: suite.addArguments(["--port", value.string ?? "\(value)"])
        case .environment: suite.addEnvironment(prefix: "X_", in: ["X_PORT": value.string ?? "\(value)"])
        case .transient: try suite.setTransient(value, forKey: "port")
        case .stored: try suite.setUnchecked(value, forKey: "port")
        case .layer:
            try await suite.read(sources: DictionaryDefaultValueSource(["port": value], name: "fleet"))
        case .registered: suite.register(defaults: ["port": value])
        }
    }

    @Test(arguments: Place.pairs)
    func `the next value that fits applies, typed and by name, and what was refused is reported once`(
        _ places: [Place]
    ) async throws {
        // Before the key is declared, because a set by name is checked.
        try await put(18080, places[1])
        try await put("eighty", places[0])
        let port = Defaults.Key<Int>("port", default: 8080, suite: suite)
        let told = Recorder<DefaultsValue?>()
        let observations = [
            suite.observe(forKey: "port") { told.append($0.newValue) },
            Defaults.observe(port) { told.append(DefaultsValue($0.newValue)) },
            suite.observeAll { told.append($0.first?.newValue) },
        ]
        #expect(Defaults[port] == 18080)
        #expect(try suite.value(port) == 18080)
        #expect(suite.value(forKey: "port") == 18080)
        #expect(suite.dictionaryRepresentation() == ["port": 18080])
        #expect(suite.snapshot()[port] == 18080)
        #expect(
            try suite.withTransaction { tx in try #require(tx[key: "port"]) == 18080 && tx[port] == 18080 })
        #expect(told.all == [18080, 18080, 18080])
        let lines = suite.explain(forKey: "port")
        #expect(lines.dropFirst().map(\.text) == ["18080", "8080"])
        #expect(lines[0].outcome.description.hasPrefix("refused: "))
        #expect(lines[1].outcome == .applies && suite.domain(forKey: "port") == lines[1].domain)
        let source = [.layer: "fleet", .lockedLayer: "locking"][places[1]]
        #expect(lines[2].outcome == .masked(by: lines[1].domain, source: source))
        #expect(suite.problems().map(\.domain) == [lines[0].domain])
        #expect(failures.codes == [.typeMismatch])
        for observation in observations { observation.invalidate() }
    }

    @Test func `a good source is not hidden by a bad one that was read later`() async throws {
        let port = Defaults.Key<Int>("port", default: 8080, suite: suite, validation: .range(1...65_535))
        try await suite.read(sources: DictionaryDefaultValueSource(["port": 18080], name: "site"))
        try await suite.read(sources: DictionaryDefaultValueSource(["port": 0], name: "fleet"))
        #expect(Defaults[port] == 18080 && !Defaults.isSet(port) && Defaults.isDefaultValue(port))
        #expect(
            suite.explain(forKey: "port").map { "\($0.text ?? "") \($0.outcome)" } == [
                "0 refused: it is outside 1...65535", "18080 applies", "8080 masked by source site",
            ])
        try suite.set(port, to: 18080)
        #expect(Defaults.isDefaultValue(port))
    }

    @Test func `only a value that no domain has throws, with the first reason`() throws {
        try suite.setUnchecked("x", forKey: "port")
        suite.register(defaults: ["port": true])
        let port = Defaults.Key<Int>("port", default: 8080, suite: suite)
        #expect(Defaults[port] == 8080 && suite.value(forKey: "port") == 8080)
        do {
            _ = try suite.value(port)
            Issue.record("it does not throw")
        } catch {
            #expect(error.code == .typeMismatch && error.description.contains("a string"))
        }
        #expect(suite.domain(forKey: "port") == .registered)
        #expect(failures.codes == [.typeMismatch, .typeMismatch])
    }

    @Test func `observers hear of what is below a refused value`() throws {
        let port = Defaults.Key<Int>("port", default: 8080, suite: suite)
        let (typed, named, several, all) = (
            Recorder<Int>(), Recorder<Int>(), Recorder<Int>(), Recorder<Int>()
        )
        let observations = [
            Defaults.observe(port, options: []) { typed.append($0.newValue) },
            suite.observe(forKey: "port", options: [.new]) { named.append($0.newValue?.int ?? 0) },
            Defaults.observe([port], options: []) { several.append(Defaults[port]) },
            suite.observeAll(options: [.new]) { all.append($0.first?.newValue?.int ?? 0) },
        ]
        suite.register(defaults: ["port": 1])
        try suite.setUnchecked("x", forKey: "port")
        suite.register(defaults: ["port": 2])
        suite.register(defaults: ["port": 3])
        try suite.set(port, to: 3)
        try suite.set(port, to: 4)
        for recorder in [typed, named, several, all] { #expect(recorder.all == [1, 2, 3, 4]) }
        #expect(failures.codes == [.typeMismatch])
        for observation in observations { observation.invalidate() }
    }

    @Test func `nothing is reported of a refused value that has just gone`() throws {
        try folder.write(#"{"port": "x"}"#, to: "settings/settings.json")
        let port = Defaults.Key<Int>("port", default: 8080, suite: suite)
        let other = Defaults.Key<Int>("other", default: 0, suite: suite)
        #expect(Defaults[port] == 8080)
        let heard = Recorder<[Int]>()
        let observations = [
            Defaults.observe(port, other, options: []) { heard.append([Defaults[port], Defaults[other]]) },
            Defaults.observe(port, options: []) { heard.append([$0.newValue]) },
            suite.observe(forKey: "port", options: []) { heard.append([$0.newValue?.int ?? 0]) },
        ]
        try folder.saveByRename(#"{"other": 1}"#)
        #expect(heard.wait { $0.contains([8080, 1]) })
        #expect(failures.codes == [.typeMismatch])
        try folder.saveByRename(#"{"other": 2, "port": "y"}"#)
        #expect(heard.wait { $0.contains([8080, 2]) } && failures.wait(for: 2))
        try suite.set(port, to: 80)
        #expect(heard.wait { heard in heard.contains([80, 2]) && heard.filter { $0 == [80] }.count == 2 })
        #expect(failures.codes == [.typeMismatch, .typeMismatch])
        observations.forEach { $0.invalidate() }
    }

    @Test func `while the file is broken the domain is what the explanation says`() throws {
        try folder.write(#"{"a": 1, "b" 2}"#, to: "settings/settings.json")
        _ = Defaults.Key<Int>("port", default: 8080, suite: suite)
        #expect(suite.explain(forKey: "port").map(\.domain) == [.registered])
        #expect(suite.domain(forKey: "port") == .registered && suite.domain(forKey: "undeclared") == nil)
        suite.addArguments(["--port", "1"])
        #expect(suite.domain(forKey: "port") == .arguments)
    }

    @Test func `a validation throws everything that is wrong in one error, and nothing otherwise`() throws {
        let port = Defaults.Key<Int>("port", default: 8080, suite: suite)
        let token = Defaults.Key<Int>("token", default: 0, suite: suite, secret: true)
        try suite.set(port, to: 80)
        try suite.validate()
        try suite.checkpoint()
        try folder.saveByRename("{\n  \"port\": \"x\",\n  \"token\": \"hunter2\",\n")
        #expect(Defaults[port] == 80 && Defaults[token] == 0)
        suite.addArguments(["--port", "many", "--token", "hunter2"])
        do {
            try suite.validate()
            Issue.record("it does not throw")
        } catch {
            #expect(error.problems.map(\.key) == ["port", "token"])
            #expect(error.findings.contains { $0.category == "malformedFile" && $0.severity == .error })
            #expect(error.description.contains("key \"port\", arguments: the argument --port cannot be used"))
            #expect(
                error.description.split(separator: "\n").count == 1 + error.problems.count
                    + error.findings.count)
            #expect(!error.description.contains("hunter2"))
        }
    }

    @Test func `an observer that begins over a refused value hears of what is below it`() throws {
        try suite.setUnchecked("x", forKey: "port")
        let port = Defaults.Key<Int>("port", default: 8080, suite: suite)
        let typed = Recorder<[Int]>()
        let observation = Defaults.observe(port, options: []) { typed.append([$0.oldValue, $0.newValue]) }
        suite.register(defaults: ["port": 1])
        suite.register(defaults: ["port": 2])
        try suite.reset(port)
        try suite.set(port, to: 3)
        #expect(typed.all == [[8080, 1], [1, 2], [2, 3]])
        observation.invalidate()
    }

    @Test func `of values that combine the one that does not fit is left out`() async throws {
        struct Limits: Codable, Sendable, Hashable {
            var rate = 1
            var burst = 1
        }
        let limits = Defaults.Key<Limits>("limits", default: Limits(), suite: suite, merge: .deepMerge)
        try suite.setUnchecked(["rate": 5], forKey: "limits")
        suite.register(defaults: ["limits": ["burst": "many"]])
        #expect(Defaults[limits] == Limits(rate: 5, burst: 1))
        try await suite.read(sources: DictionaryDefaultValueSource(["limits": ["burst": 7]], name: "fleet"))
        #expect(Defaults[limits] == Limits(rate: 5, burst: 7))
        #expect(suite.value(forKey: "limits") == ["rate": 5, "burst": 7])
        #expect(
            suite.explain(forKey: "limits").map(\.outcome.description) == [
                "is combined with the others", "is combined with the others",
                "refused: burst: expected Int, found a string", "is combined with the others",
            ])
        Defaults[limits].rate = 6
        #expect(try suite.storedValues() == ["limits": ["rate": 6]])
    }

    @Test func `a validation across keys is asked about what is below a refused value`() throws {
        let low = Defaults.Key<Int>("low", default: 0, suite: suite)
        suite.addValidation("low is small") { $0[low] < 10 }
        suite.addArguments(["--low", "many"])
        try suite.setTransient("a word", forKey: "other")
        #expect(throws: DefaultsError.self) { try suite.set(low, to: 11) }
        #expect(Defaults[low] == 0)
    }

    @Test func `a change in place begins with what is below a refused value that is not stored`() throws {
        try suite.setTransient("x", forKey: "count")
        let count = Defaults.Key<[Int]>("count", default: [], suite: suite)
        try suite.set(count, to: [1])
        Defaults[count].append(2)
        #expect(try suite.storedValues() == ["count": [1, 2]])
    }

    @Test
    func `by name, the key of another suite's declared type decides too, and an undeclared name takes all`()
        throws
    {
        try suite.setUnchecked("x", forKey: "port")
        suite.register(defaults: ["port": 1])
        #expect(suite.value(forKey: "port") == "x")
        Defaults.declare(Defaults.Key<Int>("port", default: 8080, suite: .inMemory()), in: suite)
        #expect(suite.value(forKey: "port") == 1 && suite.integer(forKey: "port") == 1)
    }
}
