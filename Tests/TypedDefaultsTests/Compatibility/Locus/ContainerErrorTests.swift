/// What a container refuses, and how it says so.
import DefaultsStore
import Foundation
import TestSupport
import Testing
import TypedDefaults
import TypedDefaultsCompatibility

@Suite(.ownThread) struct ContainerErrorTests {
    private let suite = DefaultsSuite.inMemory()
    private let container: SettingsContainer

    init() {
        container = SettingsContainer(suite: suite, isRelease: false)
        container.register(settings: ContainerErrorTests.settings)
    }

    @SettingsBuilder private static func settings() -> [SettingConfiguration] {
        readonly("server.timeout", default: .local(30.0))
        transient("server.maxRetries", releaseLocked: true, default: .local(5))
        userDefault("server.name", releaseLocked: true, default: .local("a"))
        userDefault("server.url")
    }

    @Test(arguments: [
        ("server.timeuot", "server.timeout"), ("server.maxretries", "server.maxRetries"),
        ("serverurl", "server.url"), ("server.uri", "server.url"), ("Server.Name", "server.name"),
        ("", "server.url"),
    ])
    func `a mistyped key is refused with the nearest registered one`(_ key: String, _ nearest: String) {
        let error = DefaultsError(
            .unregisteredKey, suite: "in memory", key: key,
            underlyingDescription: "the nearest registered key is \"\(nearest)\"")
        #expect(throws: error) { try container.value(key, as: String.self) }
        #expect(throws: error) { try container.set(key, to: 1) }
        #expect(throws: error) { try container.reset(key) }
    }

    @Test func `a container without settings says that it has none`() {
        let error = DefaultsError(
            .unregisteredKey, suite: "in memory", key: "a", underlyingDescription: "no key is registered")
        #expect(throws: error) { try SettingsContainer(suite: suite).value("a", as: Int.self) }
    }

    @Test(arguments: [true, false])
    func `a readonly setting is locked in every build`(_ isRelease: Bool) {
        let container = SettingsContainer(suite: .inMemory(), isRelease: isRelease)
        container.register(settings: ContainerErrorTests.settings)
        let error = DefaultsError(
            .locked, suite: "in memory", key: "server.timeout",
            underlyingDescription: "it is registered as readonly")
        #expect(throws: error) { try container.set("server.timeout", to: 1.0) }
        #expect(throws: error) { try container.reset("server.timeout") }
    }

    @Test(arguments: ["server.maxRetries", "server.name"])
    func `a setting that is locked in release builds can be set in debug builds alone`(_ key: String) throws {
        let suite = DefaultsSuite.inMemory()
        let release = SettingsContainer(suite: suite, isRelease: true)
        release.register(settings: ContainerErrorTests.settings)
        let error = DefaultsError(
            .locked, suite: "in memory", key: key,
            underlyingDescription: "it is registered as locked in release builds")
        #expect(throws: error) { try release.set(key, to: "9") }
        #expect(suite.domain(forKey: key) == .registered)

        let before = container.suite.explain(forKey: key).count
        if key == "server.name" { try container.set(key, to: "9") } else { try container.set(key, to: 9) }
        #expect(container.suite.explain(forKey: key).count == before + 1)
    }

    @Test func `the container of a debug build, as tests are, does not lock for release`() throws {
        let container = SettingsContainer(suite: suite)
        container.register(settings: ContainerErrorTests.settings)
        try container.set("server.maxRetries", to: 9)
        #expect(try container.value("server.maxRetries", as: Int.self) == 9)
    }

    @Test func `an administrator's key is locked, whatever the container says`() throws {
        let folder = try TemporaryFolder()
        try folder.write(#"{ "server.name": "managed" }"#, to: "managed.json")
        try suite.setManagedFile(folder.path + "/managed.json")
        do throws(DefaultsError) {
            try container.set("server.name", to: "b")
            Issue.record("it was set")
        } catch {
            #expect(error.code == .locked)
        }
        container["server.name"] = "b"
        #expect(container["server.name"] as String == "managed")
    }

    @Test func `a value of another type is refused by both verbs, and the old one stays`() throws {
        try container.set("server.maxRetries", to: 6)
        for body in [
            { _ = try container.value("server.maxRetries", as: String.self) },
            { try container.set("server.maxRetries", to: "many") },
            { try container.set("server.maxRetries", to: 0.5) },
        ] as [() throws -> Void] {
            let error = #expect(throws: DefaultsError.self) { try body() }
            #expect(error?.code == .typeMismatch)
            #expect(error?.key == "server.maxRetries")
        }
        #expect(try container.value("server.maxRetries", as: Int.self) == 6)
    }

    @Test func `a setting whose default is to come from a source has no value before`() async throws {
        let error = DefaultsError(
            .missingDefault, suite: "in memory", key: "server.url",
            underlyingDescription: "no source has supplied its default yet, and it has no local one")
        #expect(throws: error) { try container.value("server.url", as: URL.self) }
        let source = DictionaryDefaultValueSource(["server.url": "http://localhost"])
        try await container.read(sources: source)
        #expect(try container.value("server.url", as: URL.self) == URL(string: "http://localhost"))
    }

    @Test func `a stored value that does not decode is thrown, and served as the default by the subscript`()
        throws
    {
        let failures = FailureRecorder(suite)
        try suite.setUnchecked(["not": "a text"], forKey: "server.name")
        #expect(throws: DefaultsError.self) { try container.value("server.name", as: String.self) }
        #expect(failures.codes == [])
        #expect(container["server.name"] as String == "a")
        #expect(failures.codes == [.typeMismatch])
        #expect(try suite.storedValues() == ["server.name": ["not": "a text"]])
    }

    @Test func `a stored value that does not decode is served as the registered default first`() throws {
        let failures = FailureRecorder(suite)
        suite.register(defaults: ["server.name": "b"])
        try suite.setUnchecked(["not": "a text"], forKey: "server.name")
        #expect(container["server.name"] as String == "b")
        #expect(failures.codes == [.typeMismatch])
    }

    @Test func `a source's value that does not decode is served as the local default`() async throws {
        let failures = FailureRecorder(suite)
        try await container.read(sources: DictionaryDefaultValueSource(["server.timeout": "long"]))
        #expect(container["server.timeout"] as Double == 30)
        #expect(failures.codes == [.typeMismatch])
    }
}
