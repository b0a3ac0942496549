/// A server that asks who is there.
import Testing
import TypedDefaults

@testable import TypedDefaultsEtcd

@Suite(.needsEtcd, .serialized, .timeLimit(.minutes(2))) struct CredentialsTests {
    private static let root = "root:secret"
    private static let player = EtcdCredentials(user: "player", password: "open")

    /// A server that lets `player` read `/app/` and nobody else anything.
    private static func guarded(_ arguments: [String] = []) async throws -> EtcdServer {
        let server = try await EtcdServer.alone(arguments)
        try await server.put("/app/a", "1")
        for command in [
            ["user", "add", root], ["user", "grant-role", "root", "root"], ["role", "add", "reader"],
            ["role", "grant-permission", "--prefix=true", "reader", "read", "/app/"],
            ["user", "add", "player:open"], ["user", "grant-role", "player", "reader"], ["auth", "enable"],
        ] {
            if command == ["user", "grant-role", "root", "root"] {
                try await server.control(["role", "add", "root"])
            }
            try await server.control(command)
        }
        return server
    }

    @Test func `the right credentials are taken`() async throws {
        let server = try await CredentialsTests.guarded()
        let follower = Follower(EtcdDefaultValueSource.test(server, credentials: CredentialsTests.player))
        #expect(await follower.reaches(["a": 1]))
        try await server.put("/app/a", "2", user: CredentialsTests.root)
        #expect(await follower.reaches(["a": 2]))
        #expect(follower.failures.all == [])
    }

    @Test func `credentials that nobody asked for do no harm`() async throws {
        let server = try await EtcdServer.alone()
        try await server.put("/app/a", "1")
        let follower = Follower(EtcdDefaultValueSource.test(server, credentials: CredentialsTests.player))
        #expect(await follower.reaches(["a": 1]))
        #expect(follower.failures.all == [])
    }

    @Test(arguments: [
        (EtcdCredentials(user: "player", password: "wrong"), "the server refuses the credentials"),
        (EtcdCredentials(user: "nobody", password: "open"), "the server refuses the credentials"),
        (nil, "the server asks for credentials, and none are given"),
    ])
    func `wrong credentials are told as such, without the password, and tried rarely`(
        credentials: EtcdCredentials?, reason: String
    ) async throws {
        let server = try await CredentialsTests.guarded()
        let attempts = Recorder<ContinuousClock.Instant>()
        let source = EtcdDefaultValueSource.test(server, credentials: credentials) { timing in
            timing.longestPause = .seconds(2)
            timing.connecting = { _ in attempts.append(.now) }
        }
        let follower = Follower(source)
        #expect(await follower.hears(reason))
        #expect(await attempts.wait(for: 2))
        #expect(attempts.all[1] - attempts.all[0] >= .seconds(1))
        #expect(follower.failures.all.count == 1)
        #expect(follower.failures.all.allSatisfy { $0.path == server.endpoint && !"\($0)".contains("wrong") })
    }

    @Test func `a prefix that the user may not read is told as such`() async throws {
        let server = try await CredentialsTests.guarded()
        let source = EtcdDefaultValueSource(
            endpoints: [server.endpoint], prefix: "/other", credentials: CredentialsTests.player,
            lastKnown: .inMemory())
        let follower = Follower(source)
        #expect(await follower.hears("the server refuses: etcdserver: permission denied"))
    }

    @Test func `a token that has run out is replaced by a new one`() async throws {
        let server = try await CredentialsTests.guarded(["--auth-token-ttl", "1"])
        let listings = Recorder<Int>()
        let source = EtcdDefaultValueSource.test(server, credentials: CredentialsTests.player) { timing in
            timing.listed = {
                listings.append(1)
                guard listings.all.count == 1 else { return }
                await CredentialsTests.waitForExpiry(server)
            }
        }
        let follower = Follower(source)
        #expect(await follower.reaches(["a": 1]))
        #expect(await listings.wait(for: 2))
        try await server.put("/app/a", "2", user: CredentialsTests.root)
        #expect(await follower.reaches(["a": 2]))
        #expect(follower.failures.all.allSatisfy { "\($0)".contains("invalid auth token") })
    }

    /// Waits until the server has forgotten a token made now, and so every earlier one too.
    private static func waitForExpiry(_ server: EtcdServer) async {
        let begin = ContinuousClock.now
        // etcd looks for tokens to forget once a second.
        do { _ = try await eventually { ContinuousClock.now - begin > .seconds(3) } } catch {
            Issue.record(error)
        }
    }
}
