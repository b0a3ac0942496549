/// Providers of configuration as sources of default values.
import Configuration
import DefaultValueSourceConformance
import Foundation
import Testing
@_spi(TypedDefaults) import DefaultsStore
import TypedDefaults
import TypedDefaultsConfiguration

private enum Theme: String, Codable, CaseIterable, Sendable { case light, dark }
private enum Level: Int, Codable, CaseIterable, Sendable { case low = 1, high }
private struct Tag: RawRepresentable, Codable, Equatable, Sendable { var rawValue: String }
private struct Size: Codable, Equatable, Sendable { var width = 1, height = 1 }

@Suite(.timeLimit(.minutes(5))) struct SourceTests {
    private let suite = DefaultsSuite.inMemory()
    private let volume: Defaults.Key<Double>
    private let port: Defaults.Key<Int>
    private let theme: Defaults.Key<Theme>
    private let tags: Defaults.Key<[String]>

    init() {
        volume = Defaults.Key("volume", default: 0.5, suite: suite)
        port = Defaults.Key("http.port", default: 80, suite: suite)
        theme = Defaults.Key("theme", default: .light, suite: suite)
        tags = Defaults.Key("tags", default: [], suite: suite)
    }

    private var keys: [Defaults.AnyKey] { [volume, port, theme, tags] }

    private static let environment = [
        "VOLUME": "0.25", "HTTP_PORT": "8080", "THEME": "dark", "TAGS": "a,b", "HOME": "/root",
    ]
    private static let json =
        #"{"volume": 0.25, "http": {"port": 8080}, "theme": "dark", "tags": ["a", "b"]}"#
    private static let memory: [AbsoluteConfigKey: ConfigValue] = [
        "volume": 0.25, "http.port": 8080, "theme": "dark",
        "tags": ConfigValue(.stringArray(["a", "b"]), isSecret: false),
    ]

    private static func jsonProvider(_ text: String) async throws -> FileProvider<JSONSnapshot> {
        let folder = try TestFolder()
        try folder.save(text)
        let place = InMemoryProvider(values: ["filePath": ConfigValue(.string(folder.file), isSecret: false)])
        return try await FileProvider(config: ConfigReader(provider: place))
    }

    private static let expected: [String: DefaultsValue] = [
        "volume": 0.25, "http.port": 8080, "theme": "dark", "tags": ["a", "b"],
    ]

    @Test func `a source is printed with its keys, and with nothing of what its provider has`() {
        let provider = EnvironmentVariablesProvider(environmentVariables: [
            "VOLUME": "hunter2", "HOME": "hunter3",
        ])
        let source = ConfigurationDefaultValueSource(provider, keys: volume)
        var text = "\(source) \([source]) \(String(reflecting: source)) "
        dump(source, to: &text)
        #expect(text.contains("volume") && !text.contains("hunter"))
    }

    @Test func `sources of the environment, of JSON and of memory keep the rules of sources`() async throws {
        let providers: [any ConfigProvider] = [
            EnvironmentVariablesProvider(environmentVariables: SourceTests.environment),
            try await SourceTests.jsonProvider(SourceTests.json),
            InMemoryProvider(name: "test", values: SourceTests.memory),
            MutableInMemoryProvider(name: "test", initialValues: SourceTests.memory),
        ]
        for provider in providers {
            let source = ConfigurationDefaultValueSource(provider, keys: keys)
            #expect(source.name == provider.providerName)
            #expect(try await source.defaultValues() == SourceTests.expected)
            try await SourceConformance { source }.check()
        }
    }

    @Test func `a change of a provider keeps the rules of sources`() async throws {
        let provider = MutableInMemoryProvider(initialValues: SourceTests.memory)
        let source = ConfigurationDefaultValueSource(provider, keys: keys)
        try await SourceConformance { source }.checkChanges {
            provider.setValue("somewhere", forKey: "not.a.key")
            provider.setValue(0.75, forKey: "volume")
        }
    }

    @Test func `a source that cannot be had throws each time`() async throws {
        let providers: [any ConfigProvider] = [
            BrokenProvider(fault: .throwing), BrokenProvider(fault: .mistyped),
            EnvironmentVariablesProvider(environmentVariables: ["HTTP_PORT": "eighty"]),
        ]
        for provider in providers {
            let source = ConfigurationDefaultValueSource(provider, keys: keys)
            try await SourceConformance { source }.checkFailure()
        }
        let silent = ConfigurationDefaultValueSource(
            BrokenProvider(fault: .hanging), keys: keys, patience: .milliseconds(50))
        try await SourceConformance { silent }.checkFailure()
    }

    /// A key, and a text from the environment, a JSON text, and what is stored for either.
    @Test func `each type of key is asked for as what the provider can have it as`() async throws {
        func key<Value: Codable & Sendable>(_ name: String, _ value: Value) -> Defaults.AnyKey {
            Defaults.Key<Value>(name, default: value, suite: suite)
        }
        func nothing<Value: Codable & Sendable>(_ name: String, _ type: Value.Type) -> Defaults.AnyKey {
            Defaults.Key<Value?>(name, suite: suite)
        }
        let table: [(Defaults.AnyKey, environment: String, json: String, stored: DefaultsValue)] = [
            (key("a", false), "yes", "true", true),
            (key("b", 1), "-3", "-3", -3),
            (key("c", UInt8(1)), "255", "255", 255),
            (key("d", 0.5), "1e3", "1000", 1000),
            (key("e", Float(1)), "0.1", "0.1", 0.1),
            (key("f", ""), "007", #""007""#, "007"),
            (key("g", Theme.light), "dark", #""dark""#, "dark"),
            (key("h", Level.low), "2", "2", 2),
            (nothing("i", Theme.self), "dark", #""dark""#, "dark"),
            (nothing("j", Int.self), "7", "7", 7),
            (key("k", Data()), "bWFnaWM=", #""bWFnaWM=""#, "bWFnaWM="),
            (key("l", [UInt8]()), "AQI=", "[1, 2]", [1, 2]),
            (key("m", [Data()]), "AQI=,Aw==", #"["AQI=", "Aw=="]"#, ["AQI=", "Aw=="]),
            (key("n", [[UInt8]]()), "AQI=,Aw==", #"["AQI=", "Aw=="]"#, [[1, 2], [3]]),
            (key("o", [Int]()), "1, 2", "[1, 2]", [1, 2]),
            (key("p", [Double]()), "1,0.5", "[1, 0.5]", [1, 0.5]),
            (key("q", [Bool]()), "true,no", "[true, false]", [true, false]),
            (key("r", [Theme]()), "dark,light", #"["dark", "light"]"#, ["dark", "light"]),
            (key("s", Set<String>()), "x", #"["x"]"#, ["x"]),
            (
                key("t", Date(timeIntervalSince1970: 0)), "2025-01-02T03:04:05Z", #""2025-01-02T03:04:05Z""#,
                "2025-01-02T03:04:05Z"
            ),
            (key("pause", Duration.zero), "1m30s", #""1m30s""#, "1m30s"),
            (key("wait", Duration.zero), "90", #""90""#, "90"),
            (nothing("u", URL.self), "https://example.com", #""https://example.com""#, "https://example.com"),
            (
                nothing("v", UUID.self), "E621E1F8-C36C-495A-93FC-0C247A3E6E5F",
                #""E621E1F8-C36C-495A-93FC-0C247A3E6E5F""#, "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
            ),
            (key("w", Tag(rawValue: "a")), "blue", #""blue""#, "blue"),
            (nothing("x", Tag.self), "blue", #""blue""#, "blue"),
            (
                key("y", Size()), #"{"width": 2, "height": 3}"#, #""{\"width\": 2, \"height\": 3}""#,
                ["width": 2, "height": 3]
            ),
            (key("z", ["a": 1]), #"{"b": 2}"#, #""{\"b\": 2}""#, ["b": 2]),
        ]
        let environment = EnvironmentVariablesProvider(
            environmentVariables: Dictionary(
                uniqueKeysWithValues: table.map { ($0.0.name.uppercased(), $0.environment) }))
        let json = try await SourceTests.jsonProvider(
            "{" + table.map { "\"\($0.0.name)\": \($0.json)" }.joined(separator: ", ") + "}")
        for row in table {
            for provider in [environment, json] as [any ConfigProvider] {
                let source = ConfigurationDefaultValueSource(provider, keys: row.0)
                let layer = await Result { try await source.defaultValues() }
                #expect(throws: Never.self, "\(row.0.name) of \(provider.providerName)") { try layer.get() }
                #expect(
                    try layer.get() == [row.0.name: row.stored], "\(row.0.name) of \(provider.providerName)")
            }
            try await suite.read(sources: ConfigurationDefaultValueSource(environment, keys: row.0))
            #expect(suite.problems() == [])
        }
    }

    @Test func `bytes become what the key stores bytes as`() async throws {
        let (data, bytes) = (
            Defaults.Key<Data>("data", default: Data(), suite: suite),
            Defaults.Key<[UInt8]>("bytes", default: [], suite: suite)
        )
        let provider = InMemoryProvider(values: [
            "data": ConfigValue(.bytes([1, 255]), isSecret: false),
            "bytes": ConfigValue(.bytes([1, 255]), isSecret: false),
        ])
        try await suite.read(sources: ConfigurationDefaultValueSource(provider, keys: data, bytes))
        #expect(suite[data] == Data([1, 255]))
        #expect(suite[bytes] == [1, 255])
    }

    @Test func `a suite follows a provider below what is stored, and explain names it`() async throws {
        let provider = MutableInMemoryProvider(name: "fleet", initialValues: ["volume": 0.25])
        let follower = Follower(
            ConfigurationDefaultValueSource(provider, keys: volume, port), in: suite)
        await follower.layers.wait { $0.last?["volume"] == 0.25 }
        #expect(suite[volume] == 0.25)
        #expect(suite[port] == 80)
        #expect(
            suite.explain(forKey: "volume").map(\.description).first
                == "registered: 0.25 (source MutableInMemoryProvider[fleet], loaded 0 s ago): applies")
        provider.setValue(0.75, forKey: "volume")
        await follower.layers.wait { $0.last?["volume"] == 0.75 }
        provider.setValue(nil, forKey: "volume")
        await follower.layers.wait { $0.last?["volume"] == 0.5 }
        try suite.set(volume, to: 1)
        provider.setValue(8080, forKey: "http.port")
        await follower.layers.wait { $0.last?["http.port"] == 8080 }
        #expect(suite[volume] == 1)
        #expect(follower.failures.all == [])
    }

    @Test func `a bad value is reported by key without the value, and the last good layer stays as a whole`()
        async throws
    {
        let provider = MutableInMemoryProvider(name: "p", initialValues: ["volume": 0.25, "http.port": 8080])
        let follower = Follower(
            ConfigurationDefaultValueSource(provider, keys: volume, port), in: suite)
        await follower.layers.wait { $0.last?["volume"] == 0.25 }
        provider.setValue("hunter2", forKey: "http.port")
        await follower.failures.wait { !$0.isEmpty }
        provider.setValue(0.75, forKey: "volume")
        #expect(suite[volume] == 0.25)
        #expect(suite[port] == 8080)
        provider.setValue(8081, forKey: "http.port")
        await follower.layers.wait { $0.last?["http.port"] == 8081 }
        #expect(suite[volume] == 0.75)
        #expect(
            follower.failures.all == [
                DefaultsError(
                    .sourceFailed, suite: "in memory", key: "http.port",
                    underlyingDescription:
                        "\"MutableInMemoryProvider[p]\": it cannot be had as int (ConfigError)")
            ])
    }

    @Test func `a provider that throws, says nothing or gives another type is told as what it does`()
        async throws
    {
        func failure(_ fault: BrokenProvider.Fault) async throws -> String? {
            let source = ConfigurationDefaultValueSource(
                BrokenProvider(fault: fault), keys: port, patience: .milliseconds(20))
            let error = await #expect(throws: DefaultsError.self) {
                try await DefaultsSuite.inMemory().read(sources: source)
            }
            #expect(error?.code == .sourceFailed)
            return error?.underlyingDescription
        }
        #expect(try await failure(.throwing) == "\"broken\": the provider has thrown Refusal")
        #expect(
            try await failure(.hanging)
                == "\"broken\": the provider has given nothing within 0.02 seconds, and is still waited for")
        #expect(
            try await failure(.mistyped) == "\"broken\": what was given is no int that the key could have")
    }

    @Test func `a provider that has said nothing is taken when it does`() async throws {
        let provider = BrokenProvider(fault: .late)
        let follower = Follower(
            ConfigurationDefaultValueSource(provider, keys: port, patience: .milliseconds(20)), in: suite)
        await follower.failures.wait { !$0.isEmpty }
        provider.begun.append(true)
        await follower.layers.wait { $0.last?["http.port"] == 8080 }
    }

    @Test func `a provider's secret is not taken for a key that is not secret`() async throws {
        let provider = InMemoryProvider(
            name: "vault", values: ["token": ConfigValue(.string("hunter2"), isSecret: true)])
        let open = Defaults.Key<String>("token", default: "", suite: suite)
        let error = await #expect(throws: DefaultsError.self) {
            try await ConfigurationDefaultValueSource(provider, keys: open).defaultValues()
        }
        #expect(error?.key == "token")
        #expect("\(try #require(error))".contains("declare the key with secret: true"))
        #expect(!"\(try #require(error))".contains("hunter2"))

        let token = Defaults.Key<String>("token", default: "", suite: suite, secret: true)
        try await suite.read(sources: ConfigurationDefaultValueSource(provider, keys: token))
        #expect(suite[token] == "hunter2")
        #expect(!suite.explain(forKey: "token").map(\.description).joined().contains("hunter2"))
    }

    @Test func `a suite's own values are not its defaults`() async throws {
        let provider = DefaultsConfigProvider(suite)
        let error = await #expect(throws: DefaultsError.self) {
            try await suite.read(sources: ConfigurationDefaultValueSource(provider, keys: volume))
        }
        #expect(error?.code == .sourceFailed && error?.key == "volume")
        // Another suite's are.
        let other = DefaultsSuite.inMemory()
        try other.set(0.75, forKey: "volume")
        try await suite.read(
            sources: ConfigurationDefaultValueSource(DefaultsConfigProvider(other), keys: volume))
        #expect(suite[volume] == 0.75)
    }
}

extension Result where Failure == any Error, Success: Sendable {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
