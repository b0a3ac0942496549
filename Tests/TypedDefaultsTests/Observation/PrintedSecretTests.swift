/// What is printed and dumped of whatever has a setting's value.
import Synchronization
import TestSupport
import Testing
import TypedDefaults
import TypedDefaultsCompatibility

@Suite(.ownThread) struct PrintedSecretTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite
    private let token: Defaults.Key<String>

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
        suite.onFailure = { _ in }
        token = Defaults.Key<String>("token", default: "hunter2 none", suite: suite, secret: true)
    }

    /// Everything that a program can print of a value without naming its members: with `print` and `debugPrint`, alone
    /// and in a list, and with `dump`.
    private func everything(of value: Any) -> String {
        var text = "\(value)\n\([value])\n\(String(reflecting: value))\n"
        dump(value, to: &text)
        return text
    }

    /// Whether a text has a secret, as it is or as the numbers of its bytes.
    private func tells(_ text: String) -> Bool {
        let numbers = text.split { !$0.isNumber }.joined(separator: " ")
        return text.contains("hunter2")
            || numbers.contains("hunter2".utf8.map { "\($0)" }.joined(separator: " "))
    }

    @Test func `the test finds a secret where one is printed`() {
        #expect(tells(everything(of: ["hunter2"])))
        #expect(tells(everything(of: Array("hunter2".utf8))))
        #expect(!tells(everything(of: token)))
    }

    @Test func `a change of a secret key keeps both values and prints neither`() throws {
        let typed = Recorder<Defaults.KeyChange<String>>()
        let untyped = Recorder<DefaultsChange>()
        let whole = Recorder<[DefaultsChange]>()
        let watched = Recorder<Defaults.KeyChange<String?>>()
        let observations = [
            Defaults.observe(token) { typed.append($0) },
            suite.observe(forKey: "token") { untyped.append($0) },
            suite.observeAll { whole.append($0) },
            Defaults(suite: suite).watch(\.token, id: "w", options: [.initial]) { watched.append($1) },
        ]
        Defaults[token] = "hunter2 a"
        #expect(typed.all.map(\.newValue) == ["hunter2 none", "hunter2 a"])
        #expect(untyped.all.map(\.newValue) == ["hunter2 none", "hunter2 a"])
        #expect(watched.all.map(\.newValue) == [nil, "hunter2 a"])
        #expect(typed.all.allSatisfy(\.isSecret) && untyped.all.allSatisfy(\.isSecret))
        #expect(whole.all.joined().allSatisfy(\.isSecret) && watched.all.allSatisfy(\.isSecret))
        let texts =
            typed.all.map(everything) + untyped.all.map(everything) + whole.all.map(everything)
            + watched.all.map(everything)
        #expect(texts.count == 8)
        #expect(texts.filter(tells) == [])
        #expect(texts.allSatisfy { $0.contains("(secret)") })
        for observation in observations { observation.invalidate() }
    }

    @Test func `a change of another key prints its values`() throws {
        let name = Defaults.Key<String>("name", default: "a", suite: suite)
        let typed = Recorder<Defaults.KeyChange<String>>()
        let untyped = Recorder<DefaultsChange>()
        let observations = [
            Defaults.observe(name, options: []) { typed.append($0) },
            suite.observe(forKey: "name", options: [.new, .old]) { untyped.append($0) },
        ]
        Defaults[name] = "b"
        #expect(
            typed.all.map { "\($0)" } == [
                #"KeyChange<String>(oldValue: "a", newValue: "b", isInitial: false, cause: this process, "#
                    + "isSecret: false)"
            ])
        #expect(
            untyped.all.map { "\($0)" } == [
                #"DefaultsChange(key: "name", oldValue: Optional("a"), newValue: Optional("b"), "#
                    + "isInitial: false, cause: this process, isSecret: false)"
            ])
        for observation in observations { observation.invalidate() }
    }

    @Test func `a change heard before its key was declared secret is one of a plain key`() throws {
        let pin = Defaults.Key<Int>("pin", default: 0, suite: suite)
        let heard = Recorder<Bool>()
        let observation = Defaults.observe(pin, options: []) { heard.append($0.isSecret) }
        Defaults[pin] = 1
        _ = Defaults.Key<Int>("pin", default: 0, suite: suite, secret: true)
        Defaults[pin] = 2
        #expect(heard.all == [false, true])
        observation.invalidate()
    }

    @Test func `nothing that leads to a secret prints it`() throws {
        try suite.set(token, to: "hunter2 stored")
        suite.addArguments(["--token", "hunter2 argument"])
        suite.addEnvironment(prefix: "", in: ["TOKEN": "hunter2 variable"])
        try suite.setTransient(token, to: "hunter2 transient")
        suite.register(defaults: ["token": "hunter2 registered"])
        let layer = DefaultsLayer(["token": "hunter2 source"], locked: ["other": "hunter2 locked"])
        let dictionary = DictionaryDefaultValueSource(["token": "hunter2 source"])
        suite.context.setLayer("source", values: ["token": "hunter2 source"], location: nil)
        let container = SettingsContainer(suite: suite)
        container.register { userDefault("token", default: .local("hunter2 local")) }
        _ = Defaults[token]
        let observation = Defaults.observe(token) { _ in }
        let property = Default(token)
        let things: [Any] = [
            suite, suite.snapshot(), token, token as Defaults.AnyKey, Defaults(suite: suite), property,
            property.projectedValue, Setting<String>("token", container: container), container,
            observation, suite.explain(forKey: "token"), suite.problems(), suite.declaredKeys,
            SettingConfiguration("token", default: .local("hunter2 local")),
            layer, DefaultsLayerUpdate(layer: layer), dictionary, suite.follow(dictionary),
        ]
        #expect(things.map(everything).filter(tells) == [])
        observation.invalidate()
    }
}

extension Defaults {
    /// A property of the secret key's name.
    fileprivate var token: String? { get { get() } }
}
