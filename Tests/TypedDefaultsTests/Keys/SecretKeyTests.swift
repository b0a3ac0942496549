import TestSupport
import Testing
import TypedDefaults
import TypedDefaultsCompatibility

/// What is told of a secret key's value that cannot be used, and of another key's.
@Suite(.ownThread) struct SecretKeyTests {
    /// A type and a codec that put the value into their errors, as carelessly written ones do.
    private struct Careless: Codable, Sendable {
        var text: String

        init(text: String) { self.text = text }
        init(from decoder: any Decoder) throws {
            let text = try decoder.singleValueContainer().decode(String.self)
            throw Told(description: "\(text) is not fine")
        }
        func encode(to encoder: any Encoder) throws { throw Told(description: "\(text) stays here") }
    }

    private struct Told: Error, CustomStringConvertible { let description: String }

    private static let codec = DefaultsCodec<String>(
        encode: { Array("sk-live-123 \($0)".utf8) },
        decode: { throw Told(description: String(decoding: $0, as: UTF8.self)) })

    /// All that a suite tells of a key: failures, problems, explanation, and what reading and importing throw.
    private func everything(
        of key: Defaults.Key<some Sendable>, in suite: DefaultsSuite, _ failures: FailureRecorder
    ) -> [String] {
        _ = Defaults[key]
        let thrown = refusal { _ = try suite.value(key) }
        let refused = suite.explain(forKey: key.name).compactMap { entry in
            if case .refused(let error) = entry.outcome { error } else { nil }
        }
        return failures.all.map(\.description) + refused.map(\.description)
            + suite.problems().map { "\($0) \($0.reason)" } + [thrown?.description ?? "nothing was thrown"]
    }

    @Test func `a setting of a secret key's name tells as little`() throws {
        try withSettingsFile(#"{"tokens": {"sk-live-123": "x"}}"#) { suite, _, _ in
            _ = Defaults.Key<[String: Int]>("tokens", default: [:], suite: suite, secret: true)
            let container = SettingsContainer(suite: suite)
            container.register {
                SettingConfiguration.userDefault("tokens", default: .local([String: Int]()))
            }
            let error = refusal { _ = try container.value("tokens", as: [String: Int].self) }
            #expect(error?.code == .typeMismatch)
            #expect(error?.description.contains("sk-live") == false)
        }
    }

    @Test func `a name inside a secret value is told nowhere`() throws {
        try withSettingsFile(#"{"tokens": {"sk-live-123": "x"}}"#) { suite, failures, _ in
            let tokens = Defaults.Key<[String: Int]>("tokens", default: [:], suite: suite, secret: true)
            suite.addArguments(["--tokens", #"{"sk-live-123": "x"}"#])
            let texts = everything(of: tokens, in: suite, failures)
            #expect(texts.count == 7)
            #expect(texts.filter { $0.contains("sk-live-123") } == [])
            #expect(texts.allSatisfy { $0.contains("expected Dictionary<String, Int>; no more is told") })
        }
    }

    @Test(arguments: [false, true])
    func `a name with one secret key tells as little through another one, and through a property`(
        _ isSecretFirst: Bool
    ) throws {
        try withSettingsFile(#"{"tokens": {"sk-live-123": "x"}}"#) { suite, failures, _ in
            let keys = [isSecretFirst, !isSecretFirst].map { isSecret in
                Defaults.Key<[String: Int]>("tokens", default: ["kept": 1], suite: suite, secret: isSecret)
            }
            suite.addArguments(["--tokens", #"{"sk-live-123": "x"}"#])
            let property: [String: Int]? = Defaults(suite: suite).get(key: "tokens")
            #expect(property == nil)
            let texts = keys.flatMap { everything(of: $0, in: suite, failures) }
            #expect(texts.count >= 14)
            #expect(texts.filter { $0.contains("sk-live-123") } == [])
            for key in keys {
                let schema = try Defaults.schema(of: [key])
                #expect("\(schema)".contains("kept") == false)
            }
        }
    }

    @Test func `a setting tells as little of what is set once a key of its name is secret`() throws {
        let suite = DefaultsSuite.inMemory()
        let container = SettingsContainer(suite: suite)
        container.register { SettingConfiguration.userDefault("tokens", default: .local([String: Int]())) }
        _ = Defaults.Key<[String: Int]>("tokens", default: [:], suite: suite, secret: true)
        let error = refusal { try container.set("tokens", to: ["sk-live-123": "x"]) }
        #expect(error?.code == .typeMismatch)
        #expect(error?.description.contains("sk-live-123") == false)
    }

    @Test func `what a secret value's own type or codec says of it is told nowhere`() throws {
        try withSettingsFile(#"{"one": "sk-live-123", "two": "sk-live-123"}"#) { suite, failures, _ in
            let one = Defaults.Key<Careless>(
                "one", default: Careless(text: ""), suite: suite, secret: true)
            let two = Defaults.Key<String>(
                "two", default: "", suite: suite, codec: SecretKeyTests.codec, secret: true)
            let texts =
                everything(of: one, in: suite, failures) + everything(of: two, in: suite, failures) + [
                    refusal { try suite.set(one, to: Careless(text: "sk-live-123")) }?.description ?? "none",
                    refusal { try suite.set(two, to: "sk-live-123") }?.description ?? "none",
                ]
            #expect(texts.filter { $0.contains("sk-live-123") } == [])
            #expect(texts.filter { !$0.contains("no more is told, since the key is secret") } == [])
        }
    }

    @Test(arguments: ["old", "new"])
    func `a migration tells nothing of a value whose key is declared secret`(_ secret: String) throws {
        try withSettingsFile(#"{"old": {"sk-live-123": "x"}}"#) { suite, _, _ in
            _ = Defaults.Key<[String: Int]>(secret, default: [:], suite: suite, secret: true)
            let step = DefaultsMigration.transform("count", from: "old", as: [String: Int].self, to: "new") {
                $0
            }
            let error = refusal { try suite.migrate([step]) }
            #expect(error?.code == .typeMismatch)
            #expect(error?.description.contains("sk-live-123") == false)
        }
    }

    @Test func `of a key that is not secret the member in the way is named, and its value is not`() throws {
        try withSettingsFile(#"{"ports": {"web": "hunter2"}}"#) { suite, _, _ in
            let ports = Defaults.Key<[String: Int]>("ports", default: [:], suite: suite)
            let error = refusal { _ = try suite.value(ports) }
            #expect(error?.underlyingDescription == "web: expected Int, found a string")
        }
    }
}
