/// What a container takes as settings, and what it refuses.
import DefaultsStore
import TestSupport
import Testing
import TypedDefaults
import TypedDefaultsCompatibility

private enum SettingKey: String, CaseIterable {
    case serverTimeout = "server.timeout"
    case serverUrl = "server.url"
    case serverRetries = "server.retries"
}

/// A value that cannot be written as JSON.
private struct Unencodable: Codable, Sendable {
    struct Refusal: Error {}
    func encode(to encoder: any Encoder) throws { throw Refusal() }
}

@Suite(.ownThread) struct RegistrationTests {
    private let suite = DefaultsSuite.inMemory()
    private let container: SettingsContainer

    init() { container = SettingsContainer(suite: suite) }

    @Test func `keys are strings or cases of a string enum, and both name the same setting`() throws {
        container.register {
            readonly(SettingKey.serverTimeout, default: .local(30.0))
            readonly("server.retries", default: .local(5))
        }
        #expect(try container.value("server.timeout", as: Double.self) == 30)
        #expect(try container.value(SettingKey.serverRetries, as: Int.self) == 5)
    }

    @Test func `each kind is a function, a static member and a configuration`() throws {
        container.register {
            transient("a", releaseLocked: true, default: .local(1))
            SettingConfiguration.transient("b", releaseLocked: true, default: .local(1))
            SettingConfiguration("c", persistence: .transient, releaseLocked: true, default: .local(1))
            SettingConfiguration(SettingKey.serverUrl, default: .local("http://localhost"))
            SettingConfiguration.readonly(SettingKey.serverTimeout)
            SettingConfiguration.userDefault(SettingKey.serverRetries, default: .local(5))
        }
        for key in ["a", "b", "c"] { try container.set(key, to: 2) }
        #expect(["a", "b", "c"].map { suite.domain(forKey: $0) } == [.transient, .transient, .transient])
        #expect(
            container.registeredKeys == ["a", "b", "c", "server.retries", "server.timeout", "server.url"])
    }

    @Test(arguments: [true, false])
    func `a block may hold conditions, loops and lists`(_ isBeta: Bool) {
        let shared: [SettingConfiguration] = [.readonly("first"), .readonly("second")]
        container.register {
            shared
            if isBeta { readonly("beta") }
            if isBeta { readonly("new") } else { readonly("old") }
            for key in SettingKey.allCases { userDefault(key) }
        }
        let always = ["first", "second", "server.retries", "server.timeout", "server.url"]
        #expect(container.registeredKeys == (always + (isBeta ? ["beta", "new"] : ["old"])).sorted())
    }

    @Test func `a key is registered once, and nothing else of a refused block is`() throws {
        try container.enter([.readonly("a")])
        let twice = DefaultsError(.alreadyRegistered, suite: "in memory", key: "a")
        #expect(throws: twice) { try container.enter([.readonly("b"), .userDefault("a")]) }
        #expect(throws: DefaultsError(.alreadyRegistered, suite: "in memory", key: "c")) {
            try container.enter([.readonly("c"), .readonly("c")])
        }
        #expect(container.registeredKeys == ["a"])
    }

    @Test func `many settings are registered one call at a time`() throws {
        for number in 0..<4_000 { try container.enter([.transient("setting \(number)")]) }
        #expect(container.registeredKeys.count == 4_000)
        #expect(throws: DefaultsError(.alreadyRegistered, suite: "in memory", key: "setting 7")) {
            try container.enter([.transient("setting 7")])
        }
    }

    @Test func `an empty key and a default that cannot be written are refused`() {
        #expect(throws: DefaultsError.self) { try container.enter([.readonly("")]) }
        do throws(DefaultsError) {
            try container.enter([.readonly("a"), .readonly("b", default: .local(Unencodable()))])
            Issue.record("it was registered")
        } catch {
            #expect(error.code == .encodingFailed)
            #expect(error.key == "b")
        }
        #expect(container.registeredKeys == [])
    }

    @Test func `two containers on one suite have settings of their own and share values`() throws {
        let other = SettingsContainer(suite: suite)
        container.register { userDefault("volume", default: .local(1)) }
        other.register { userDefault("volume", default: .local(1)) }
        try container.set("volume", to: 11)
        #expect(try other.value("volume", as: Int.self) == 11)
        #expect(other.suite == suite)
    }

    @Test func `a local default is the suite's default for the key, typed and untyped`() {
        container.register { userDefault("volume", default: .local(0.5)) }
        #expect(suite.double(forKey: "volume") == 0.5)
        #expect(suite.declaredKeys.map(\.typeName) == ["Double"])
    }

    @Test func `two declarations of different types for one key are reported`() {
        let failures = FailureRecorder(suite)
        let key = Defaults.Key<String>("volume", default: "", suite: suite)
        container.register { userDefault("volume", default: .local(0.5)) }
        #expect(failures.codes == [.conflictingKeys])
        withExtendedLifetime(key) {}
    }
}
