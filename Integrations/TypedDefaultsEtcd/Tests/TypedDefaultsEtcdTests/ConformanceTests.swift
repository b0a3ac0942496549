/// The rules of every source of default values.
import DefaultValueSourceConformance
import Testing
import TypedDefaults

@testable import TypedDefaultsEtcd

@Suite(.needsEtcd, .serialized, .timeLimit(.minutes(2))) struct ConformanceTests {
    @Test func `the source keeps the rules of sources`() async throws {
        let server = try await EtcdServer.alone()
        try await server.transaction([("/app/a", "1"), ("/app/b", "[2]")])
        let conformance = SourceConformance { EtcdDefaultValueSource.test(server) }
        try await conformance.check()
        try await conformance.checkChanges { try await server.put("/app/a", "2") }
    }

    @Test func `a source that nobody answers throws`() async throws {
        let place = try EtcdServer.Place()
        let nobody = EtcdServer(place, in: try TestFolder())
        try await SourceConformance { EtcdDefaultValueSource.test(nobody) }.checkFailure()
    }

    @Test func `reading once takes the layer and leaves no connection`() async throws {
        let server = try await EtcdServer.alone()
        try await server.transaction([("/app/a", "1"), ("/app/locked/b", "1")])
        let suite = DefaultsSuite.inMemory()
        try await suite.read(sources: EtcdDefaultValueSource.test(server, takesLocked: true))
        #expect(suite.dictionaryRepresentation() == ["a": 1, "b": 1])
        #expect(suite.domain(forKey: "b") == .managed)
        #expect(try await eventually { try server.connections() == 0 })
    }
}
