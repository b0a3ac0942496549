/// Servers over TLS that nobody this machine trusts has vouched for.
import DefaultsStore
import Foundation
import TestSupport
import Testing
import TypedDefaults
import TypedDefaultsFoundation

@Suite(.ownThread, .timeLimit(.minutes(60)), .openssl) struct RemoteTrustTests {
    private let suite = DefaultsSuite.inMemory()

    @Test(arguments: ["localhost", "127.0.0.1"])
    func `a server whose certificate nobody signed is a failure, and supplies nothing`(host: String)
        async throws
    {
        let server = try TLSServer(#"{"a": 1}"#)
        // The server is in order, so what is refused is its certificate.
        #expect(try server.answerToOneWhoTrusts().contains(#"{"a": 1}"#))
        let address = try #require(URL(string: "https://\(host):\(server.port)/d.json"))
        let error = await #expect(throws: DefaultsError.self) {
            try await suite.read(sources: JSONDefaultValueSource(url: address))
        }
        #expect(error?.code == .sourceFailed)
        #expect(error?.underlyingDescription?.contains("certificate") == true)
        #expect(suite.dictionaryRepresentation() == [:])
    }
}
