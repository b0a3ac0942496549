/// Keys below `locked/`.
import Testing
@_spi(TypedDefaults) import DefaultsStore
import TypedDefaults

@testable import TypedDefaultsEtcd

@Suite(.needsEtcd, .serialized, .timeLimit(.minutes(2))) struct LockedTests {
    @Test func `locked keys are managed where the machine takes them`() async throws {
        let server = try await EtcdServer.alone()
        try await server.transaction([("/app/a", "1"), ("/app/locked/a", "2"), ("/app/locked/b", "2")])
        let suite = DefaultsSuite.inMemory()
        try suite.set(9, forKey: "a")
        let follower = Follower(EtcdDefaultValueSource.test(server, takesLocked: true), suite: suite)
        #expect(await follower.reaches(["a": 2, "b": 2]))
        #expect(suite.domain(forKey: "a") == .managed)
        let place = "\(server.endpoint) /app/, revision 2"
        #expect(throws: DefaultsError(.locked, suite: "in memory", key: "a", path: place)) {
            try suite.set(3, forKey: "a")
        }
        try await server.delete("/app/locked/a")
        #expect(await follower.reaches(["a": 9, "b": 2]))
        try suite.set(3, forKey: "a")
        #expect(suite.value(forKey: "a") == 3)
    }

    @Test func `locked keys are nothing where the machine does not take them`() async throws {
        let server = try await EtcdServer.alone()
        try await server.transaction([("/app/a", "1"), ("/app/locked/a", "2"), ("/app/locked/b", "2")])
        try await server.put("/app/locked/bad", bytes: [0xff])
        let follower = Follower(EtcdDefaultValueSource.test(server))
        #expect(await follower.reaches(["a": 1]))
        try await server.put("/app/locked/a", "3")
        try await server.put("/app/c", "1")
        #expect(await follower.reaches(["a": 1, "c": 1]))
        #expect(follower.states.all == [[:], ["a": 1], ["a": 1, "c": 1]])
        #expect(follower.failures.all == [])
    }
}
