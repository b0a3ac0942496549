/// A suite as a provider of configuration.
import Configuration
import ConfigurationTesting
import Foundation
import Testing
@_spi(TypedDefaults) import DefaultsStore
import TypedDefaults
import TypedDefaultsConfiguration

@Suite(.timeLimit(.minutes(5))) struct ProviderTests {
    private let suite = DefaultsSuite.inMemory()
    private var provider: DefaultsConfigProvider { DefaultsConfigProvider(suite) }

    /// The values that swift-configuration's own test wants, by names with dots.
    private static let wanted: [(String, DefaultsValue)] = [
        ("string", "Hello"), ("other.string", "Other Hello"), ("int", 42), ("other.int", 24),
        ("double", 3.14), ("other.double", 2.72), ("bool", true), ("other.bool", false),
        ("bytes", "bWFnaWM="), ("other.bytes", "bWFnaWMy"),
        ("stringy.array", ["Hello", "World"]), ("other.stringy.array", ["Hello", "Swift"]),
        ("inty.array", [42, 24]), ("other.inty.array", [16, 32]),
        ("doubly.array", [3.14, 2.72]), ("other.doubly.array", [0.9, 1.8]),
        ("booly.array", [true, false]), ("other.booly.array", [false, true, true]),
        ("byteChunky.array", ["bWFnaWM=", "bWFnaWMy"]),
        ("other.byteChunky.array", ["bWFnaWM=", "bWFnaWMy", "bWFnaWM="]),
    ]

    @Test func `swift-configuration's own test of providers passes with names with dots`() async throws {
        for (key, value) in ProviderTests.wanted { try suite.set(value, forKey: key) }
        try await ProviderCompatTest(provider: provider).runTest()
    }

    @Test func `swift-configuration's own test of providers passes with nested objects in a file`()
        async throws
    {
        let folder = try TestFolder()
        try folder.save(
            """
            {
              "string": "Hello", "int": 42, "double": 3.14, "bool": true, "bytes": "bWFnaWM=",
              "stringy": {"array": ["Hello", "World"]}, "inty": {"array": [42, 24]},
              "doubly": {"array": [3.14, 2.72]}, "booly": {"array": [true, false]},
              "byteChunky": {"array": ["bWFnaWM=", "bWFnaWMy"]},
              "other": {
                "string": "Other Hello", "int": 24, "double": 2.72, "bool": false, "bytes": "bWFnaWMy",
                "stringy": {"array": ["Hello", "Swift"]}, "inty.array": [16, 32],
                "doubly": {"array": [0.9, 1.8]}, "booly.array": [false, true, true],
                "byteChunky": {"array": ["bWFnaWM=", "bWFnaWMy", "bWFnaWM="]}
              }
            }
            """)
        try await ProviderCompatTest(provider: DefaultsConfigProvider(try folder.suite())).runTest()
    }

    struct Limits: Codable, Sendable { var perMinute = 60, burst = 10 }

    @Test func `a reader and a declared key agree about members, whatever else has the name`() throws {
        let suite = DefaultsSuite.inMemory()
        let limits = Defaults.Key<Limits>("limits", default: Limits(), suite: suite)
        let reader = ConfigReader(provider: DefaultsConfigProvider(suite))
        func agree(_ burst: Int) -> Bool {
            reader.int(forKey: "limits.burst") == burst && Defaults[limits].burst == burst
                && reader.int(forKey: "limits.perMinute") == Defaults[limits].perMinute
        }
        #expect(agree(10))
        try suite.set(7, forKey: "limits.burst")
        #expect(agree(10) && suite.problems().map(\.key) == ["limits.burst"])
        try suite.set(["burst": 8], forKey: "limits")
        #expect(agree(8))
        suite.addEnvironment(prefix: "THERMO_", in: ["THERMO_LIMITS_BURST": "3"])
        #expect(agree(3))
        suite.addArguments(["thermo", "--limits.burst", "4"])
        #expect(agree(4))
        suite.addArguments(["thermo", "--limits", #"{"burst": 5}"#])
        #expect(agree(4))
    }

    @Test func `what an administrator has locked in one spelling is not undone in another`() async throws {
        let folder = try TestFolder()
        try folder.save(#"{"http.port": 3, "tls": {"port": 4}, "http.host": "mine"}"#)
        let suite = try folder.suite()
        let managed = try #require(suite.path).replacing("settings.json", with: "managed.json")
        try Data(#"{"http": {"port": 80}, "tls.port": 443}"#.utf8).write(to: URL(filePath: managed))
        try suite.setManagedFile(managed)
        suite.addArguments(["--http.port", "2"])
        let reader = ConfigReader(provider: DefaultsConfigProvider(suite))
        #expect(reader.int(forKey: "http.port") == 80)
        #expect(reader.int(forKey: "tls.port") == 443)
        #expect(reader.string(forKey: "http.host") == "mine")
    }

    /// A stored value, and what it is as each type that it can be read as.
    static let readings: [(DefaultsValue, [ConfigContent])] = [
        ("light", [.string("light")]),
        ("bWFnaWM=", [.string("bWFnaWM="), .bytes(Array("magic".utf8))]),
        ("", [.string(""), .bytes([])]),
        ("NaN!", [.string("NaN!")]),
        ("-Infinity", [.string("-Infinity"), .double(-.infinity)]),
        (8080, [.int(8080), .double(8080)]),
        (.number(DefaultsNumber("8080.0") ?? DefaultsNumber(0)), [.int(8080), .double(8080)]),
        (0.5, [.double(0.5)]),
        (.number(DefaultsNumber("9223372036854775808") ?? DefaultsNumber(0)), [.double(0x1p63)]),
        (.number(DefaultsNumber("1e999") ?? DefaultsNumber(0)), []),
        (true, [.bool(true)]),
        (
            [],
            [
                .bytes([]), .stringArray([]), .intArray([]), .doubleArray([]), .boolArray([]),
                .byteChunkArray([]),
            ]
        ),
        (["a", "!"], [.stringArray(["a", "!"])]),
        (["bWFnaWM="], [.stringArray(["bWFnaWM="]), .byteChunkArray([Array("magic".utf8)])]),
        ([1, 255], [.bytes([1, 255]), .intArray([1, 255]), .doubleArray([1, 255])]),
        ([1, 256], [.intArray([1, 256]), .doubleArray([1, 256])]),
        ([1, 0.5], [.doubleArray([1, 0.5])]),
        ([true], [.boolArray([true])]),
        ([[1], [2, 3]], [.byteChunkArray([[1], [2, 3]])]),
        ([true, 1], []), (["a", nil], []), ([[true]], []), (["a": 1], []),
    ]

    @Test(arguments: readings)
    func `a value is had as the types it is of, and as any other it throws`(
        _ value: DefaultsValue, _ contents: [ConfigContent]
    ) throws {
        try suite.set(["setting": value], forKey: "nested")
        var read: [ConfigContent] = []
        for type in ConfigType.all {
            do {
                let found = try provider.value(forKey: ["nested", "setting"], type: type).value
                read.append(try #require(found, "a value is there, so it is not nil").content)
            } catch let error as DefaultsError {
                #expect(error.code == .typeMismatch && error.key == "nested.setting")
                #expect(error.underlyingDescription?.hasSuffix("was asked for as \(type)") == true)
            }
        }
        #expect(read == contents)
    }

    @Test func `an error of another type says what the value is, and not the value`() throws {
        try suite.set("hunter2", forKey: "http.port")
        let error = #expect(throws: DefaultsError.self) {
            try ConfigReader(provider: provider).requiredInt(forKey: "http.port")
        }
        #expect(
            error
                == DefaultsError(
                    .typeMismatch, suite: "in memory", key: "http.port",
                    underlyingDescription: "it is a string, and was asked for as int"))
    }

    @Test func `the longest name counts, then members of objects, then nothing`() throws {
        func found(_ key: AbsoluteConfigKey) throws -> Int? {
            let result = try provider.value(forKey: key, type: .int)
            #expect(result.encodedKey == key.components.joined(separator: "."))
            guard case .int(let number) = result.value?.content else { return nil }
            return number
        }
        #expect(try found("a.b.c") == nil)
        try suite.set(["b": ["c": 1], "b.c": 2], forKey: "a")
        #expect(try found("a.b.c") == 2)
        try suite.set(["c": 3, "d": nil], forKey: "a.b")
        #expect(try found("a.b.c") == 3)
        try suite.set(4, forKey: "a.b.c")
        #expect(try found("a.b.c") == 4)
        #expect(try found(["a.b", "c"]) == 4)
        #expect(try found("a.b.d") == nil)
        #expect(try found("a.b.c.d") == nil)
        #expect(try found([]) == nil)
        // What a shorter name has inside applies where the longer one is no object.
        try suite.set(["x": ["y": 5]], forKey: "m")
        try suite.set(6, forKey: "m.x")
        #expect(try found("m.x.y") == 5)
    }

    @Test func `null is no value`() throws {
        try suite.set(nil, forKey: "none")
        #expect(try provider.value(forKey: "none", type: .string).value == nil)
    }

    @Test func `every domain counts, and a declared key's default`() throws {
        let port = Defaults.Key<Int>("http.port", default: 80, suite: suite)
        let reader = ConfigReader(provider: provider)
        #expect(reader.int(forKey: "http.port") == 80)
        try suite.set(port, to: 8080)
        #expect(reader.scoped(to: "http").int(forKey: "port") == 8080)
        suite.addEnvironment(prefix: "APP_", in: ["APP_HTTP_PORT": "8081"])
        #expect(reader.int(forKey: "http.port") == 8081)
        suite.addArguments(["app", "--http.port", "8082"])
        #expect(reader.int(forKey: "http.port") == 8082)
        #expect(suite[port] == 8082)
    }

    @Test func `a secret key's value is secret, with its members, and also where another object has it`()
        throws
    {
        _ = Defaults.Key<DefaultsValue>("db", default: [:], suite: suite, secret: true)
        _ = Defaults.Key<String>("http.token", default: "", suite: suite, secret: true)
        try suite.withTransaction { tx in
            tx[key: "db"] = ["password": "hunter2"]
            tx[key: "http"] = ["name": "web"]
        }
        func isSecret(_ key: AbsoluteConfigKey) throws -> Bool? {
            try provider.value(forKey: key, type: .string).value?.isSecret
        }
        #expect(try isSecret("db.password") == true)
        #expect(try isSecret("http.token") == true)
        #expect(try isSecret("http.name") == false)
        let password = try provider.snapshot().value(forKey: "db.password", type: .string)
        #expect("\(try #require(password.value))" == "[string: <REDACTED>]")
        #expect("\(provider)" == "DefaultsConfigProvider[in memory]")
    }

    @Test func `a snapshot stays as it is`() throws {
        try suite.withTransaction { tx in
            tx[key: "http"] = ["host": "a"]
            tx[key: "http.port"] = 1
        }
        let snapshot = provider.snapshot()
        try suite.withTransaction { tx in
            tx[key: "http"] = ["host": "b", "port": 2]
            tx.removeValue(forKey: "http.port")
        }
        func content(_ key: AbsoluteConfigKey, _ type: ConfigType) throws -> ConfigContent? {
            try snapshot.value(forKey: key, type: type).value?.content
        }
        #expect(try content("http.host", .string) == .string("a"))
        #expect(try content("http.port", .int) == .int(1))
        #expect(snapshot.providerName == provider.providerName)
    }

    @Test func `fetching throws where the settings cannot be read, and getting has the last good ones`()
        async throws
    {
        let folder = try TestFolder()
        let suite = try folder.suite()
        suite.onFailure = { _ in }
        try folder.save(#"{"volume": 1}"#)
        let provider = DefaultsConfigProvider(suite)
        #expect(try await provider.fetchValue(forKey: "volume", type: .int).value?.content == .int(1))
        try folder.save(#"{"volume": 2"#)
        let error = await #expect(throws: DefaultsError.self) {
            try await provider.fetchValue(forKey: "volume", type: .int)
        }
        #expect(error?.code == .malformedFile)
        #expect(try provider.value(forKey: "volume", type: .int).value?.content == .int(1))
    }
}

extension ConfigType {
    static let all: [ConfigType] = [
        .string, .int, .double, .bool, .bytes, .stringArray, .intArray, .doubleArray, .boolArray,
        .byteChunkArray,
    ]
}
