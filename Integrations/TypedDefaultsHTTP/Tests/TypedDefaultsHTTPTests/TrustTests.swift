/// Servers over TLS.
import AsyncHTTPClient
import Foundation
import NIOSSL
import Testing
import TypedDefaults
import TypedDefaultsHTTP

@Suite(.timeLimit(.minutes(30)), .openssl) struct TrustTests {
    /// What `openssl s_server -HTTP` sends as it is.
    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 8\r\nConnection: close\r\n\r\n{\"a\": 1}"

    @Test(arguments: ["localhost", "127.0.0.1"])
    func `a server whose certificate nobody signed is a failure, and supplies nothing`(host: String)
        async throws
    {
        let suite = DefaultsSuite.inMemory()
        let server = try TLSServer(Self.answer)
        let source = HTTPDefaultValueSource(url: "https://\(host):\(server.port)/d.json")
        let error = await #expect(throws: DefaultsError.self) { try await suite.read(sources: source) }
        #expect(error?.code == .sourceFailed)
        #expect(error?.underlyingDescription?.contains("CERTIFICATE_VERIFY_FAILED") == true)
        #expect(suite.dictionaryRepresentation() == [:])
    }

    @Test func `a client that trusts the certificate reads it, under the name that is in it alone`()
        async throws
    {
        let server = try TLSServer(Self.answer)
        var configuration = HTTPClient.Configuration()
        configuration.tlsConfiguration = .makeClientConfiguration()
        configuration.tlsConfiguration?.trustRoots = .file(server.certificate)
        let client = HTTPDefaultValueSource.Client(configuration)
        let suite = DefaultsSuite.inMemory()
        try await suite.read(
            sources: HTTPDefaultValueSource(url: "https://localhost:\(server.port)/d.json", client: client))
        #expect(suite.dictionaryRepresentation() == ["a": 1])
        let other = HTTPDefaultValueSource(url: "https://127.0.0.1:\(server.port)/d.json", client: client)
        await #expect(throws: DefaultsError.self) { try await suite.read(sources: other) }
    }
}
