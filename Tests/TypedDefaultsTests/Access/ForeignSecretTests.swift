/// Changes in place of values that come from another domain than the stored one.
import TestSupport
import Testing
import TypedDefaults
import TypedDefaultsCompatibility

/// A way in which a program is given a value that its settings file does not have.
private enum Giver: String, CaseIterable, CustomTestStringConvertible {
    case argument, variable, transient, source

    var testDescription: String { rawValue }

    func give(_ value: DefaultsValue, forKey key: String, in suite: DefaultsSuite) throws {
        switch self {
        case .argument: suite.addArguments(["--\(key)", "\(value)"])
        case .variable: suite.addEnvironment(prefix: "", in: [key: "\(value)"])
        case .transient: try suite.setTransient(value, forKey: key)
        case .source:
            suite.context.setLayer("source", values: LayerValues([key: value]), location: nil)
        }
    }
}

/// A way to change a value in place.
private enum Way: String, CaseIterable, CustomTestStringConvertible {
    case subscripted, ofSuite, modify, modifyOfSuite, transaction, wrapper, container, setting

    var testDescription: String { rawValue }

    /// Adds one to a number, and returns what was thrown.
    func add(to key: Defaults.Key<Int>, in suite: DefaultsSuite) -> DefaultsError? {
        switch self {
        case .subscripted: Defaults[key] += 1
        case .ofSuite: suite[key] += 1
        case .modify: Defaults.modify(key) { $0 += 1 }
        case .modifyOfSuite: return refusal { try suite.modify(key) { $0 += 1 } }
        case .transaction: return refusal { try suite.withTransaction { tx in tx[key] += 1 } }
        case .wrapper:
            let holder = Default(key)
            holder.wrappedValue += 1
        case .container:
            let container = SettingsContainer(suite: suite)
            container.register { userDefault(key.name, default: .local(key.defaultValue)) }
            container[key.name] += 1
        case .setting:
            let container = SettingsContainer(suite: suite)
            container.register { userDefault(key.name, default: .local(key.defaultValue)) }
            let setting = Setting<Int>(key.name, container: container)
            setting.wrappedValue += 1
        }
        return nil
    }
}

/// An address and the secret that belongs to it.
private struct Account: Codable, Hashable, Sendable {
    var url = "none"
    var token = "none"
}

@Suite(.ownThread) struct ForeignSecretTests {
    @Test(arguments: Giver.allCases, Way.allCases)
    private func `a change in place stores no secret that came from elsewhere, and is told`(
        _ giver: Giver, _ way: Way
    ) throws {
        let suite = DefaultsSuite.inMemory()
        let failures = FailureRecorder(suite)
        let pin = Defaults.Key<Int>("pin", default: 1, suite: suite, secret: true)
        try giver.give(4_711, forKey: "pin", in: suite)
        let thrown = way.add(to: pin, in: suite)
        try #expect(suite.storedValues() == [:])
        #expect(suite[pin] == 4_711)
        let told = [thrown].compactMap(\.self) + failures.all
        #expect(told.map(\.code) == [.wouldStoreSecret])
        #expect(told.allSatisfy { $0.key == "pin" && !$0.description.contains("4711") })
    }

    @Test(arguments: Giver.allCases, Way.allCases)
    private func `a change in place of any other key begins with what is read, and stores the result`(
        _ giver: Giver, _ way: Way
    ) throws {
        let suite = DefaultsSuite.inMemory()
        let failures = FailureRecorder(suite)
        let size = Defaults.Key<Int>("size", default: 1, suite: suite)
        if giver != .source { Defaults[size] = 10 }
        try giver.give(5, forKey: "size", in: suite)
        #expect(way.add(to: size, in: suite) == nil)
        try #expect(suite.storedValues() == ["size": 6])
        #expect(failures.all == [])
    }

    @Test(arguments: Way.allCases)
    private func `a stored secret, and one that is the key's default, is changed in place`(_ way: Way) throws
    {
        let suite = DefaultsSuite.inMemory()
        let failures = FailureRecorder(suite)
        let pin = Defaults.Key<Int>("pin", default: 1, suite: suite, secret: true)
        let other = Defaults.Key<Int>("other", default: 0, suite: suite)
        suite.addArguments(["--other", "5"])
        #expect(way.add(to: pin, in: suite) == nil)
        try #expect(suite.storedValues() == ["pin": 2])
        suite.context.setLayer("source", values: ["pin": 9], location: nil)
        #expect(way.add(to: pin, in: suite) == nil)
        try #expect(suite.storedValues() == ["pin": 3])
        #expect(failures.all == [])
        withExtendedLifetime(other) {}
    }

    @Test func `a member changed beside a secret from a variable leaves the file without it`() throws {
        try withSettingsFile("{}") { suite, failures, folder in
            let account = Defaults.Key<Account>("account", default: Account(), suite: suite, secret: true)
            suite.addEnvironment(
                prefix: "APP_", in: ["APP_ACCOUNT": #"{"url": "a", "token": "hunter2"}"#])
            Defaults[account].url = "b"
            #expect(failures.all.map(\.underlyingDescription) == ["it comes from the variable APP_ACCOUNT"])
            try suite.checkpoint()
            try #expect(folder.settings() == "{}")
            Defaults[account] = Account(url: "b", token: "chosen")
            try #expect(suite.storedValues()["account"]?["token"] == "chosen")
            #expect(failures.codes == [.wouldStoreSecret])
        }
    }

    @Test func `a part of a combined secret that came from elsewhere is not stored either`() throws {
        let suite = DefaultsSuite.inMemory()
        let failures = FailureRecorder(suite)
        let account = Defaults.Key<Account>(
            "account", default: Account(), suite: suite, secret: true, merge: .deepMerge)
        try suite.set(["url": "a"], forKey: "account")
        suite.addEnvironment(prefix: "", in: ["account": #"{"token": "hunter2"}"#])
        Defaults[account].url = "b"
        try #expect(suite.storedValues() == ["account": ["url": "a"]])
        #expect(failures.codes == [.wouldStoreSecret])
    }

    @Test(arguments: Place.allCases)
    func `a change in place that leaves a secret as it was is no failure`(_ place: Place) throws {
        try place.withSuite { suite in
            let pin = Defaults.Key<Int>("pin", default: 1, suite: suite, secret: true)
            suite.addArguments(["--pin", "5"])
            Defaults[pin] += 0
            try suite.modify(pin) { $0 += 0 }
            try suite.withTransaction { tx in tx[pin] += 0 }
            try #expect(suite.storedValues() == [:])
        }
    }

    @Test func `a body that takes the foreign value away stores nothing of it`() throws {
        let suite = DefaultsSuite.inMemory()
        let failures = FailureRecorder(suite)
        let pin = Defaults.Key<Int>("pin", default: 1, suite: suite, secret: true)
        try suite.setTransient(pin, to: 4_711)
        try Defaults.modify(pin) { pin throws in
            try suite.removeTransient(forKey: "pin")
            pin += 1
        }
        try #expect(suite.storedValues() == [:])
        #expect(failures.codes == [.wouldStoreSecret])
    }

    @Test func `a refused change makes its transaction fail as a whole`() throws {
        let suite = DefaultsSuite.inMemory()
        let pin = Defaults.Key<Int>("pin", default: 1, suite: suite, secret: true)
        let size = Defaults.Key<Int>("size", default: 1, suite: suite)
        suite.addArguments(["--pin", "5"])
        let error = refusal {
            try suite.withTransaction { tx in
                tx[size] = 2
                tx[pin] += 1
            }
        }
        #expect(error?.code == .wouldStoreSecret)
        try #expect(suite.storedValues() == [:])
        try suite.withTransaction { tx in tx[pin] = 6 }
        try #expect(suite.storedValues() == ["pin": 6])
    }

    @Test func `a key that is secret by another declaration of its name is guarded too`() throws {
        let suite = DefaultsSuite.inMemory()
        let failures = FailureRecorder(suite)
        let plain = Defaults.Key<Int>("pin", default: 1, suite: suite)
        _ = Defaults.Key<Int>("pin", default: 1, suite: suite, secret: true)
        suite.addArguments(["--pin", "5"])
        Defaults[plain] += 1
        try #expect(suite.storedValues() == [:])
        #expect(failures.codes == [.wouldStoreSecret])
    }

    @Test func `an administrator's secret is locked, whatever changes it`() throws {
        try withSettingsFile("{}") { suite, failures, folder in
            let pin = Defaults.Key<Int>("pin", default: 1, suite: suite, secret: true)
            try folder.write(#"{"pin": 5}"#, to: "managed/managed.json")
            try suite.setManagedFile(folder.path + "/managed/managed.json")
            Defaults[pin] += 1
            #expect(refusal { try suite.modify(pin) { $0 += 1 } }?.code == .locked)
            #expect(failures.codes == [.locked])
            try #expect(suite.storedValues() == [:])
        }
    }

    @Test func `a transient setting is changed in place without a file, so its secret may be foreign`() throws
    {
        let suite = DefaultsSuite.inMemory()
        let failures = FailureRecorder(suite)
        _ = Defaults.Key<Int>("pin", default: 1, suite: suite, secret: true)
        let container = SettingsContainer(suite: suite)
        container.register { transient("pin", default: .local(0)) }
        suite.context.setLayer("source", values: ["pin": 5], location: nil)
        container["pin"] += 1
        let pin: Int = container["pin"]
        #expect(pin == 6)
        try #expect(suite.storedValues() == [:])
        #expect(failures.all == [])
    }

    @Test func `a container's change in place that leaves a value as it was sets nothing`() throws {
        let suite = DefaultsSuite.inMemory()
        let container = SettingsContainer(suite: suite)
        container.register {
            userDefault("list", default: .local([1, 2]))
            userDefault("name")
        }
        func change<Value>(_ value: inout Value, _ body: (inout Value) -> Void) { body(&value) }
        change(&container["list"]) { (list: inout [Int]) in list.removeAll { $0 > 5 } }
        change(&container["name"]) { (name: inout String?) in name?.append("!") }
        try #expect(suite.storedValues() == [:])
        change(&container["list"]) { (list: inout [Int]) in list.append(3) }
        try #expect(suite.storedValues() == ["list": [1, 2, 3]])
    }

    @Test func `an empty variable is none for a secret key, and an empty text for another`() {
        let suite = DefaultsSuite.inMemory()
        let failures = FailureRecorder(suite)
        suite.addEnvironment(prefix: "APP_", in: ["APP_TOKEN": "", "APP_NAME": ""])
        let token = Defaults.Key<String>("token", default: "none", suite: suite, secret: true)
        let name = Defaults.Key<String>("name", default: "none", suite: suite)
        #expect((Defaults[token], Defaults[name]) == ("none", ""))
        #expect(suite.string(forKey: "token") == "none")
        #expect(suite.explain(forKey: "token").map(\.domain) == [.registered])
        suite.addEnvironment(prefix: "APP_", in: ["APP_TOKEN": "t"])
        #expect(Defaults[token] == "t")
        suite.addEnvironment(prefix: "APP_", in: ["APP_TOKEN": ""])
        #expect(Defaults[token] == "none")
        #expect(failures.all == [])
    }

    @Test func `an empty variable of a key that becomes secret applies no more`() {
        let suite = DefaultsSuite.inMemory()
        suite.addEnvironment(prefix: "", in: ["TOKEN": ""])
        let token = Defaults.Key<String>("token", default: "none", suite: suite)
        #expect(Defaults[token] == "")
        _ = Defaults.Key<String>("token", default: "none", suite: suite, secret: true)
        #expect(Defaults[token] == "none")
    }
}
