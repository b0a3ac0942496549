/// What a program names: endpoints, prefix, credentials.
import Testing
import TypedDefaults

@testable import TypedDefaultsEtcd

struct EndpointTests {
    @Test(arguments: [
        ("http://127.0.0.1:2379", "http://127.0.0.1:2379"),
        ("https://Etcd.Example", "https://etcd.example:2379"),
        ("localhost:1", "http://localhost:1"), ("http://[::1]:5/", "http://[::1]:5"),
        ("HTTPS://[fe80::1]", "https://[fe80::1]:2379"),
    ])
    func `an endpoint is a scheme, a host and a port`(text: String, shown: String) throws {
        #expect(try EtcdEndpoint(text, isSecure: false).description == shown)
    }

    @Test(arguments: [
        "", "http://", "ftp://a:1", "http://a:0", "http://a:65536", "http://a:x", "http://a/b",
        "http://[::1]x",
        "http://user:word@a:1", "http://a:1?b", "http://user:word@\u{301}a:1", "http://a\u{600}/b",
    ])
    func `anything else is refused, without a password in the error`(text: String) {
        #expect {
            try EtcdEndpoint(text, isSecure: false)
        } throws: { !"\($0)".contains("word") && ($0 as? DefaultsError)?.code == .sourceFailed }
    }

    @Test(arguments: [
        ("localhost", true), ("127.1.2.3", true), ("[::1]", true), ("10.0.0.1", false),
        ("127.0.0.1.example", false),
    ])
    func `only this machine is spoken to in plain text`(host: String, isAllowed: Bool) async {
        let source = EtcdDefaultValueSource(
            endpoints: ["http://\(host):1"], prefix: "/app", lastKnown: .inMemory())
        let failures = await source.layerUpdates().first { _ in true }?.failures ?? []
        #expect(failures.contains { "\($0)".contains("only https") } == !isAllowed)
    }

    @Test func `another machine is spoken to in plain text where the program says so`() throws {
        let settings = try FollowSettings(
            endpoints: ["http://10.0.0.1:1"], prefix: "/app", credentials: nil, tls: nil, takesLocked: false,
            allowsPlainText: true)
        #expect(settings.endpoints.map(\.description) == ["http://10.0.0.1:1"])
    }

    @Test(arguments: [
        (["http://localhost:1"], "", "the prefix is empty"), ([], "/app", "no endpoint is named"),
        (["http://a/b"], "/app", "an endpoint is a host and a port, nothing else"),
    ])
    func `what cannot be followed is told once`(endpoints: [String], prefix: String, reason: String) async {
        let follower = Follower(
            EtcdDefaultValueSource(endpoints: endpoints, prefix: prefix, lastKnown: .inMemory()))
        #expect(await follower.hears(reason))
        #expect(follower.failures.all.count == 1)
    }

    @Test func `a path is completed, and ends before its sibling`() throws {
        let prefix = try EtcdPrefix("/a/b")
        #expect(try prefix == EtcdPrefix("/a/b/"))
        #expect(String(decoding: prefix.end, as: UTF8.self) == "/a/b0")
        // One character with its slash.
        #expect(try EtcdPrefix("/a\u{600}").start == EtcdPrefix("/a\u{600}/").start)
        #expect(String(decoding: prefix.name(of: Array("/a/b/c/d".utf8)), as: UTF8.self) == "c/d")
    }

    @Test func `credentials print no password`() {
        let credentials = EtcdCredentials(user: "player", password: "secret")
        var dumped = ""
        dump(credentials, to: &dumped)
        #expect(!(dumped + "\(credentials)" + String(reflecting: credentials)).contains("secret"))
    }

    @Test func `the last known layer's suite is another one for another cluster, prefix or user`() {
        let names = [
            LastKnownLayer.suiteName(["a", "b"], "/app", nil),
            LastKnownLayer.suiteName(["b", "a"], "/app", nil),
            LastKnownLayer.suiteName(["a"], "/app", nil), LastKnownLayer.suiteName(["a", "b"], "/apps", nil),
            LastKnownLayer.suiteName(["a", "b"], "/app", "player"),
        ]
        #expect(names[0] == names[1])
        #expect(Set(names).count == 4)
        #expect(names[0].hasPrefix("etcd-app-"))
    }

    @Test func `pauses grow to their limit, each by chance within its bounds, and begin again`() {
        var backOff = BackOff(shortest: .milliseconds(100), longest: .milliseconds(400))
        let pauses = (0..<4).map { _ in backOff.pause() / .milliseconds(1) }
        for (pause, middle) in zip(pauses, [100.0, 200, 400, 400]) {
            #expect((middle / 2...middle * 1.5).contains(pause))
        }
        backOff.reset()
        #expect(backOff.pause() <= .milliseconds(150))
        #expect(Set((0..<20).map { _ in backOff.longPause() }).count > 1)
    }
}
