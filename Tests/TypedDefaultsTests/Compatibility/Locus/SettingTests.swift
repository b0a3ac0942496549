/// `@Setting`: a container's setting as a property.
import Foundation
import TestSupport
import Testing
import TypedDefaults
import TypedDefaultsCompatibility

private enum SettingKey: String {
    case serverUrl = "server.url"
}

private let container = SettingsContainer(suite: .inMemory())

private struct Client {
    @Setting(SettingKey.serverUrl, container: container) var serverUrl: URL
    @Setting("server.retries", container: container) var retries: Int
    @Setting("server.name", container: container) var name: String?
}

@Suite(.ownThread) struct SettingTests {
    @Test func `a property reads and writes its setting, also one registered after it was made`() async throws
    {
        let client = Client()
        container.register {
            userDefault(SettingKey.serverUrl)
            transient("server.retries", default: .local(5))
            userDefault("server.name")
        }
        let source = DictionaryDefaultValueSource([SettingKey.serverUrl.rawValue: "http://localhost"])
        try await container.read(sources: source)
        #expect(client.serverUrl == URL(string: "http://localhost"))

        client.retries += 1
        #expect(try container.value("server.retries", as: Int.self) == 6)

        client.name = "main"
        #expect(client.name == "main")
        client.name = nil
        #expect(client.name == nil)
        #expect(try container.suite.storedValues() == [:])
    }
}
