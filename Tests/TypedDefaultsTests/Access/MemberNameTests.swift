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
        #expect(suite.origin(ofKey: "limits") == .arguments)
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
            suite.explain(key: "limits").prefix(2).map(\.description) == [
                "arguments: many words (argument 1, --limits.name): is combined with the others",
                "environment: 4 (variable THERMO_LIMITS_BURST_SIZE): is combined with the others",
            ])
        #expect(suite.explain(key: "limits").last?.outcome == .combined)
        #expect(Defaults[key] == Limits(name: "many words", burst: Limits.Burst(size: 4)))
    }

    @Test func `a member's text that does not fit is reported, listed and passed over`() {
        let key = Defaults.Key<Limits>(
            "limits", default: Limits(), suite: suite,
            validate: .where { $0.perMinute < 100 })
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
        let printed = suite.explain(key: "limits").map { "\($0)" } + failures.all.map { "\($0)" }
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
            problems.map { "\($0.domain ?? "") \($0.line ?? 0) \($0.key ?? "-"): \($0.reason)" } == [
                #"stored 3 prot: no declared key has this name; the nearest is "port""#,
                #"stored 4 limits.perMinute: nothing takes it in a file; write it as a member of "limits""#,
                #"stored 5 server: nothing takes it in a file; write "server.port" as one name"#,
                #"managed 1 tokn: no declared key has this name; the nearest is "token""#,
                "environment 0 -: nothing takes the variable THERMO_LIMITS_BRUST_SIZE; "
                    + "the nearest that is taken is THERMO_LIMITS_BURST_SIZE",
                "environment 0 -: nothing takes the variable THERMO_PROT; the nearest that is taken is THERMO_PORT",
            ])
        try suite.validate()
    }
}
