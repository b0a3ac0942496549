import TestSupport
import Testing
import TypedDefaults

/// Members of a key's object under names of their own, and names that nothing takes.
@Suite(.timeLimit(.minutes(60)), .ownThread) struct MemberNameTests {
    struct Limits: Codable, Sendable, Hashable {
        struct Burst: Codable, Sendable, Hashable {
            var size = 10
            var isOn = false
        }

        var perMinute = 60
        var name = "none"
        var burst = Burst()
        var nickname: String?
    }

    private let folder: TemporaryFolder
    private let suite: DefaultsSuite
    private let failures: FailureRecorder

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
        failures = FailureRecorder(suite)
    }

    private func limits(merge: DefaultsMerge = .replace) -> Defaults.Key<Limits> {
        Defaults.Key<Limits>("limits", default: Limits(), suite: suite, merge: merge)
    }

    @Test(arguments: [DefaultsMerge.replace, .deepMerge], [false, true])
    func `a variable and an argument set a member on top of what the domains below say`(
        _ merge: DefaultsMerge, _ isDeclaredFirst: Bool
    ) throws {
        let early = isDeclaredFirst ? limits(merge: merge) : nil
        suite.addEnvironment(
            prefix: "THERMO_",
            in: [
                "THERMO_LIMITS_PER_MINUTE": "3", "THERMO_LIMITS_BURST_SIZE": "4",
                "THERMO_LIMITS_NICKNAME": "5",
            ])
        suite.addArguments(["thermo", "--limits.burst.isOn", "yes", "--limits.burst.size=7"])
        let key = early ?? limits(merge: merge)
        var wanted = Limits(perMinute: 3, burst: Limits.Burst(size: 7, isOn: true), nickname: "5")
        #expect(Defaults[key] == wanted)
        suite.register(defaults: [
            "limits": ["perMinute": 1, "name": "low", "burst": ["size": 1, "isOn": false], "nickname": "n"]
        ])
        wanted.name = "low"
        #expect(Defaults[key] == wanted)
        try suite.set(
            ["perMinute": 1, "name": "mine", "burst": ["size": 1, "isOn": false]], forKey: "limits")
        wanted.name = "mine"
        #expect(Defaults[key] == wanted)
        #expect(suite.value(forKey: "limits")?["name"] == "mine")
        #expect(suite.snapshot()[key] == wanted)
        #expect(suite.domain(forKey: "limits") == .arguments)
        try folder.write(
            #"{"limits": {"perMinute": 9, "name": "a", "burst": {"size": 9, "isOn": false}}}"#,
            to: "managed/managed.json")
        try suite.setManagedFile(folder.path + "/managed/managed.json")
        #expect(Defaults[key] == Limits(perMinute: 9, name: "a", burst: Limits.Burst(size: 9)))
        #expect(failures.all == [])
    }

    @Test func `the explanation names each member's place, and the default that it is laid over`() {
        let key = limits()
        suite.addEnvironment(prefix: "THERMO_", in: ["THERMO_LIMITS_BURST_SIZE": "4"])
        suite.addArguments(["thermo", "--limits.name", "many words"])
        #expect(
            suite.explain(forKey: "limits").prefix(2).map(\.description) == [
                "arguments: many words (argument 1, --limits.name): is combined with the others",
                "environment: 4 (variable THERMO_LIMITS_BURST_SIZE): is combined with the others",
            ])
        #expect(suite.explain(forKey: "limits").last?.outcome == .combined)
        #expect(Defaults[key] == Limits(name: "many words", burst: Limits.Burst(size: 4)))
    }

    @Test func `a member's text that does not fit is reported, listed and passed over`() {
        let key = Defaults.Key<Limits>(
            "limits", default: Limits(), suite: suite,
            validation: .where { $0.perMinute < 100 })
        suite.addEnvironment(
            prefix: "THERMO_", in: ["THERMO_LIMITS_BURST_SIZE": "many", "THERMO_LIMITS_PER_MINUTE": "100"])
        suite.addArguments(["thermo", "--limits.name", "n"])
        #expect(Defaults[key] == Limits(name: "n"))
        #expect(failures.codes == [.typeMismatch, .invalidValue])
        #expect(
            failures.all.first?.underlyingDescription
                == "the variable THERMO_LIMITS_BURST_SIZE cannot be used: burst.size: expected Int, found a string"
        )
        #expect(suite.problems().map(\.code) == [.invalidValue, .typeMismatch])
    }

    @Test func `a name that is a key of its own is no member, whenever it is declared`() throws {
        let key = limits()
        suite.addArguments(["thermo", "--limits.name", "x", "--limits.perMinute", "5"])
        #expect(Defaults[key] == Limits(perMinute: 5, name: "x"))
        let name = Defaults.Key<String>("limits.name", default: "own", suite: suite)
        #expect(Defaults[name] == "x" && Defaults[key] == Limits(perMinute: 5))
    }

    @Test func `an observer hears of a member that comes later`() throws {
        let key = limits()
        let heard = Recorder<Int>()
        let observation = Defaults.observe(key, options: []) { heard.append($0.newValue.perMinute) }
        suite.addEnvironment(prefix: "THERMO_", in: ["THERMO_LIMITS_PER_MINUTE": "3"])
        try suite.set(key, to: Limits(perMinute: 4))
        try suite.set(key, to: Limits(perMinute: 4, name: "b"))
        suite.addEnvironment(prefix: "THERMO_", in: ["THERMO_LIMITS_PER_MINUTE": "5"])
        #expect(heard.all == [3, 3, 5])
        observation.invalidate()
    }

    @Test func `a secret's member is printed nowhere`() {
        let key = Defaults.Key<Limits>("limits", default: Limits(), suite: suite, secret: true)
        suite.addEnvironment(
            prefix: "THERMO_", in: ["THERMO_LIMITS_NAME": "hunter2", "THERMO_LIMITS_BURST_SIZE": "hunter2"])
        #expect(Defaults[key].name == "hunter2")
        let printed = suite.explain(forKey: "limits").map { "\($0)" } + failures.all.map { "\($0)" }
        #expect(!printed.isEmpty && printed.allSatisfy { !$0.contains("hunter2") })
    }

    @Test func `a path gives what the key gives, whatever else has the name`() throws {
        let key = limits()
        let port = Defaults.Key<Int>("server.port", default: 8080, suite: suite)
        try folder.write(
            #"{"limits.perMinute": 1, "server": {"port": 2}, "other": {"a.b": 3}, "limits": {"name": "x"}}"#,
            to: "settings/settings.json")
        suite.addEnvironment(prefix: "THERMO_", in: ["THERMO_LIMITS_BURST_SIZE": "4"])
        func at(_ path: String...) -> DefaultsValue? { suite.snapshot().value(atPath: path) }
        #expect(at("limits", "perMinute") == 60 && Defaults[key].perMinute == 60)
        #expect(at("limits", "burst", "size") == 4 && Defaults[key].burst.size == 4)
        #expect(at("limits", "name") == "x" && Defaults[key].name == "x")
        #expect(at("server", "port") == 8080 && Defaults[port] == 8080)
        #expect(at("other", "a", "b") == 3 && at("other", "a") == nil && at("nothing", "there") == nil)
    }

    private func manage(_ text: String) throws {
        try folder.write(text, to: "managed/managed.json")
        try suite.setManagedFile(folder.path + "/managed/managed.json")
    }

    @Test(arguments: [DefaultsMerge.replace, .deepMerge], [false, true])
    func `a source's file sets a member and a key by the other spelling, below what is stored`(
        _ merge: DefaultsMerge, _ isDeclaredFirst: Bool
    ) async throws {
        func port() -> Defaults.Key<Int> { Defaults.Key<Int>("server.tls.port", default: 1, suite: suite) }
        let early = isDeclaredFirst ? (limits(merge: merge), port()) : nil
        try await suite.read(
            sources: ScriptedSource(
                "low", ["limits": ["perMinute": 1, "name": "low"], "server.tls.port": 2]),
            ScriptedSource(
                "high",
                [
                    "limits.perMinute": 7, "limits.burst": ["size": 8, "isOn": true], "limits.burst.size": 9,
                    "limits.unknown": 1, "server": ["tls": ["port": 443]],
                ]))
        let (key, portKey) = early ?? (limits(merge: merge), port())
        var wanted = Limits(perMinute: 7, name: "low", burst: Limits.Burst(size: 9, isOn: true))
        #expect(Defaults[key] == wanted && Defaults[portKey] == 443)
        #expect(suite.snapshot()[key] == wanted && suite.dictionaryRepresentation()["server.tls.port"] == 443)
        #expect(suite.snapshot().value(atPath: ["limits", "burst", "size"]) == 9)
        #expect(suite.snapshot().value(atPath: ["server", "tls", "port"]) == 443)
        #expect(suite.domain(forKey: "limits") == .registered)
        try suite.set(portKey, to: 3)
        #expect(Defaults[portKey] == 3)
        try suite.reset(portKey)
        #expect(Defaults[portKey] == 443)
        guard merge == .replace else { return }
        wanted.name = "mine"
        wanted.perMinute = 2
        try suite.set(key, to: wanted)
        #expect(Defaults[key] == wanted)
        #expect(failures.all == [])
    }

    @Test func `a file that has the name itself has no other spelling of it`() async throws {
        let (key, port) = (limits(), Defaults.Key<Int>("server.port", default: 1, suite: suite))
        try await suite.read(
            sources: ScriptedSource(
                "s",
                [
                    "limits.perMinute": 7, "limits": ["perMinute": 1], "server": ["port": 3],
                    "server.port": 2,
                ]))
        #expect(Defaults[key].perMinute == 1 && Defaults[port] == 2)
        try manage(#"{"limits.perMinute": 7, "limits": {"perMinute": 5}, "limits.brust": 1}"#)
        #expect(Defaults[key].perMinute == 5)
        #expect(
            suite.problems().map(\.reason) == [
                #""limits" has no such member; the nearest is "limits.burst""#,
                #"the same file has "limits", which applies"#,
            ])
    }

    @Test func `an administrator's member is laid over the user's value, and locks the key`() throws {
        let (key, port) = (limits(), Defaults.Key<Int>("server.port", default: 1, suite: suite))
        try suite.set(key, to: Limits(perMinute: 5, name: "mine"))
        try suite.set(port, to: 2)
        let heard = Recorder<Limits>()
        let observation = Defaults.observe(key, options: []) { heard.append($0.newValue) }
        try manage(
            """
            {
              "limits.perMinute": 7,
              "server": {"port": 443}
            }
            """)
        let wanted = Limits(perMinute: 7, name: "mine")
        #expect(heard.all == [wanted] && Defaults[key] == wanted && Defaults[port] == 443)
        suite.addArguments(["thermo", "--limits.perMinute", "8", "--server.port", "9"])
        #expect(Defaults[key] == wanted && Defaults[port] == 443)
        let error = #expect(throws: DefaultsError.self) { try suite.set(key, to: Limits()) }
        #expect(error?.code == .locked && error?.path == folder.path + "/managed/managed.json")
        #expect(throws: DefaultsError.self) { try suite.set(port, to: 1) }
        let path = folder.path + "/managed/managed.json"
        #expect(
            suite.explain(forKey: "limits").first?.description
                == "managed: 7 (\(path):2:23): is combined with the others")
        #expect(
            suite.explain(forKey: "server.port").first?.description == "managed: 443 (\(path):3:13): applies")
        #expect(suite.problems() == [])
        try suite.setManagedFile(nil)
        #expect(Defaults[key] == Limits(perMinute: 8, name: "mine") && Defaults[port] == 9)
        #expect(failures.all == [])
        observation.invalidate()
    }

    @Test
    func
        `what an administrator's file has under another spelling hides no lock where settings cannot be read`()
        throws
    {
        let port = Defaults.Key<Int>("server.port", default: 1, suite: suite)
        try manage(#"{"server": {"port": 443}}"#)
        try folder.write("{ not JSON", to: "settings/settings.json")
        #expect(Defaults[port] == 443)
    }

    @Test func `a member of another type, or of what is no object, is passed over`() async throws {
        let key = limits()
        let whole = Defaults.Key<Int>("plain", default: 3, suite: suite)
        try await suite.read(
            sources: ScriptedSource("s", ["limits.perMinute": "many", "limits.name": "n", "plain.a": 1]))
        #expect(Defaults[key] == Limits(name: "n") && Defaults[whole] == 3)
        #expect(failures.codes == [.typeMismatch])
    }

    @Test func `an object that is a key of its own has no other key's value, whenever it is declared`()
        async throws
    {
        let port = Defaults.Key<Int>("server.port", default: 1, suite: suite)
        try await suite.read(sources: ScriptedSource("s", ["server": ["port": 3]]))
        #expect(Defaults[port] == 3)
        let server = Defaults.Key<[String: Int]>("server", default: [:], suite: suite)
        #expect(Defaults[server] == ["port": 3] && Defaults[port] == 1)
    }

    @Test func `a folder of values sets members, and what is secret there stays so`() async throws {
        let key = limits()
        try folder.write("7\n", to: "config/limits.perMinute")
        try folder.write("hunter2", to: "config/limits.name")
        try await suite.read(
            sources: FilesDefaultValueSource(folder: folder.path + "/config", isSecret: true))
        #expect(Defaults[key] == Limits(perMinute: 7, name: "hunter2"))
        #expect(suite.isSecret(forKey: "limits"))
        #expect(suite.explain(forKey: "limits").allSatisfy { !"\($0)".contains("hunter2") })
    }

    @Test func `a default that reads the suite is asked while its administrator's file is read`() throws {
        let other = Defaults.Key<Int>("other", default: 1, suite: suite)
        let key = Defaults.Key<Limits>("limits", default: Limits(perMinute: Defaults[other]), suite: suite)
        Defaults.declare(key)
        try manage(#"{"limits.name": "n"}"#)
        #expect(Defaults[key] == Limits(perMinute: 1, name: "n"))
    }

    @Test func `names that nothing takes are problems, with the nearest`() throws {
        suite.addEnvironment(
            prefix: "THERMO_",
            in: ["THERMO_PROT": "1", "THERMO_LIMITS_BRUST_SIZE": "4", "THERMO_PORT": "5", "OTHER": "6"])
        try folder.write(
            """
            {
              "$schema": "x",
              "prot": 1,
              "limits.perMinute": 3,
              "server": {"port": 3}
            }
            """, to: "settings/settings.json")
        try folder.write(#"{"tokn": "hunter2"}"#, to: "managed/managed.json")
        try suite.setManagedFile(folder.path + "/managed/managed.json")
        #expect(suite.problems() == [])
        Defaults.declare(
            limits(), Defaults.Key<Int>("port", default: 80, suite: suite),
            Defaults.Key<Int>("server.port", default: 80, suite: suite),
            Defaults.Key<String>("token", default: "", suite: suite, secret: true))
        let problems = suite.problems()
        #expect(problems.allSatisfy { $0.code == .unregisteredKey && $0.text == nil })
        #expect(
            problems.map { "\($0.domain?.description ?? "") \($0.line ?? 0) \($0.key ?? "-"): \($0.reason)" }
                == [
                    #"stored 3 prot: no declared key has this name; the nearest is "port""#,
                    #"stored 4 limits.perMinute: nothing takes it in the settings file; write it as a member of "limits""#,
                    #"stored 5 server: nothing takes it in the settings file; write "server.port" as one name"#,
                    #"managed 1 tokn: no declared key has this name; the nearest is "token""#,
                    "environment 0 -: nothing takes the variable THERMO_LIMITS_BRUST_SIZE; "
                        + "the nearest that is taken is THERMO_LIMITS_BURST_SIZE",
                    "environment 0 -: nothing takes the variable THERMO_PROT; the nearest that is taken is THERMO_PORT",
                ])
        try suite.validate()
    }
}
