/// A suite that follows one etcd.
import Testing
@_spi(TypedDefaults) import DefaultsStore
import TypedDefaults

@testable import TypedDefaultsEtcd

@Suite(.needsEtcd, .serialized, .timeLimit(.minutes(2))) struct FollowingTests {
    @Test func `keys below the prefix become settings, values are JSON or bare words`() async throws {
        let server = try await EtcdServer.alone()
        try await server.transaction([
            ("/app/volume", "0.5"), ("/app/theme", "dark"), ("/app/server.url", #""\"https://a\"""#),
            ("/app/window/size", "[800,600]"), ("/apps/volume", "9"), ("/app", "9"), ("/ap/x", "9"),
        ])
        let follower = Follower(EtcdDefaultValueSource.test(server))
        #expect(
            await follower.reaches([
                "volume": 0.5, "theme": "dark", "server.url": "https://a", "window/size": [800, 600],
            ]))
        #expect(follower.failures.all == [])
    }

    @Test func `a change and a deletion are heard, and what a person stored wins`() async throws {
        let server = try await EtcdServer.alone()
        try await server.transaction([("/app/a", "1"), ("/app/b", "1")])
        let follower = Follower(EtcdDefaultValueSource.test(server))
        #expect(await follower.reaches(["a": 1, "b": 1]))
        try follower.suite.set(5, forKey: "b")
        try await server.transaction([("/app/a", "2"), ("/app/b", "2")])
        #expect(await follower.reaches(["a": 2, "b": 5]))
        try await server.delete("/app/a")
        #expect(await follower.reaches(["b": 5]))
        try follower.suite.removeValue(forKey: "b")
        #expect(await follower.reaches(["b": 2]))
    }

    @Test func `observers never see half of a transaction`() async throws {
        let server = try await EtcdServer.alone()
        try await server.transaction([("/app/a", "0"), ("/app/z", "0"), ("/app/locked/l", "0")])
        let follower = Follower(EtcdDefaultValueSource.test(server, takesLocked: true))
        #expect(await follower.reaches(["a": 0, "z": 0, "l": 0]))
        for round in 1...20 {
            let value = "\(round)"
            try await server.transaction([("/app/a", value), ("/app/z", value), ("/app/locked/l", value)])
        }
        #expect(await follower.reaches(["a": 20, "z": 20, "l": 20]))
        #expect(follower.states.all.dropFirst().allSatisfy { $0["a"] == $0["z"] && $0["a"] == $0["l"] })
    }

    @Test
    func `a value that is no text is reported with its key, and applies once it is fixed`()
        async throws
    {
        let server = try await EtcdServer.alone()
        try await server.put("/app/bad", bytes: [0x31, 0xff])
        try await server.put("/app/good", "1")
        let follower = Follower(EtcdDefaultValueSource.test(server))
        #expect(await follower.reaches(["good": 1]))
        #expect(await follower.failures.wait(for: 1))
        #expect(
            follower.failures.all == [
                DefaultsError(
                    .sourceFailed, suite: "in memory", key: "/app/bad",
                    underlyingDescription: #""etcd /app": its value is not UTF-8; the key is left out"#)
            ])
        try await server.put("/app/bad", "2")
        #expect(await follower.reaches(["good": 1, "bad": 2]))
    }

    @Test func `ten thousand keys are listed at one revision while they change`() async throws {
        let server = try await EtcdServer.alone()
        for batch in 0..<10 {
            try await server.transaction((0..<1_000).map { ("/app/k\(batch * 1_000 + $0)", "\(batch)") })
        }
        try await server.transaction([("/app/a", "0"), ("/app/z", "0")])
        let writing = Task {
            for round in 1...30 {
                try await server.transaction([("/app/a", "\(round)"), ("/app/z", "\(round)")])
            }
        }
        let follower = Follower(EtcdDefaultValueSource.test(server) { $0.page = 100 })
        #expect(await follower.states.wait { $0.last?.count == 10_002 })
        try await writing.value
        #expect(await follower.reaches(30, forKey: "a"))
        #expect(follower.states.all.allSatisfy { $0["a"] == $0["z"] })
        #expect(follower.suite.value(forKey: "k9999") == 9)
    }

    @Test func `of many keys the changed one's observer hears once, and no other hears anything`()
        async
        throws
    {
        let server = try await EtcdServer.alone()
        for batch in 0..<10 {
            try await server.transaction((0..<1_000).map { ("/app/k\(batch * 1_000 + $0)", "0") })
        }
        let follower = Follower(EtcdDefaultValueSource.test(server))
        #expect(await follower.states.wait { $0.last?.count == 10_000 })
        let heard = Recorder<String>()
        let observations = (0..<10_000).map { number in
            follower.suite.observe(forKey: "k\(number)", options: [.new]) { change in
                heard.append("\(change.key) \(change.newValue ?? .null)")
            }
        }
        for value in 1...5 {
            try await server.put("/app/k7", "\(value)")
            #expect(await heard.wait { $0.last == "k7 \(value)" })
        }
        try await server.delete("/app/k8")
        #expect(await heard.wait { $0.last == "k8 null" })
        try await server.put("/app/k9", "1")
        #expect(await heard.wait { $0.last == "k9 1" })
        #expect(heard.all == (1...5).map { "k7 \($0)" } + ["k8 null", "k9 1"])
        for observation in observations { observation.invalidate() }
    }

    @Test func `a page that is too large for one message is asked for in smaller ones`() async throws {
        let server = try await EtcdServer.alone()
        let large = String(repeating: "x", count: 30_000)
        try await server.transaction((0..<40).map { ("/app/k\($0)", large) })
        let follower = Follower(EtcdDefaultValueSource.test(server) { $0.message = 1 << 18 })
        #expect(await follower.states.wait { $0.last?.count == 40 })
        #expect(follower.failures.all == [])
    }

    @Test func `a page over four mebibytes is listed, also after a restart`() async throws {
        let server = try await EtcdServer.alone()
        let large = String(repeating: "x", count: 100_000)
        for part in 0..<20 { try await server.transaction((0..<10).map { ("/app/k\(part)-\($0)", large) }) }
        for _ in 0..<2 {
            let follower = Follower(EtcdDefaultValueSource.test(server))
            #expect(await follower.states.wait { $0.last?.count == 200 })
            #expect(follower.failures.all == [])
        }
    }

    @Test func `a watch that begins behind a compaction leads to one new listing`() async throws {
        let server = try await EtcdServer.alone()
        try await server.transaction([("/app/a", "1"), ("/app/b", "1")])
        let listings = Recorder<Int>()
        let source = EtcdDefaultValueSource.test(server) { timing in
            timing.listed = {
                listings.append(1)
                guard listings.all.count == 1 else { return }
                do {
                    try await server.put("/app/a", "2")
                    try await server.delete("/app/b")
                    try await server.put("/app/c", "3")
                    try await server.compact()
                } catch {
                    Issue.record(error)
                }
            }
        }
        let follower = Follower(source)
        #expect(await follower.reaches(["a": 2, "c": 3]))
        #expect(follower.states.all == [[:], ["a": 1, "b": 1], ["a": 2, "c": 3]])
        #expect(await listings.wait(for: 2))
        #expect(follower.failures.all == [])
        try await server.put("/app/c", "4")
        #expect(await follower.reaches(["a": 2, "c": 4]))
    }

    @Test func `a backlog that comes in fragments is taken in whole transactions`() async throws {
        let server = try await EtcdServer.alone()
        try await server.transaction([("/app/a", "0"), ("/app/z", "0")])
        let padding = String(repeating: "x", count: 150_000)
        let source = EtcdDefaultValueSource.test(server) { timing in
            timing.listed = {
                do {
                    for round in 1...20 {
                        try await server.transaction([
                            ("/app/a", "\(round)\(padding)"), ("/app/z", "\(round)\(padding)"),
                        ])
                    }
                } catch {
                    Issue.record(error)
                }
            }
        }
        let follower = Follower(source)
        #expect(await follower.reaches(.string("20" + padding), forKey: "a"))
        #expect(follower.states.all.dropFirst().allSatisfy { $0["a"] == $0["z"] })
    }

    @Test func `explain names endpoint, prefix, revision and age`() async throws {
        let server = try await EtcdServer.alone()
        try await server.put("/app/a", "1")
        let follower = Follower(EtcdDefaultValueSource.test(server))
        #expect(await follower.reaches(["a": 1]))
        let place = "\(server.endpoint) /app/, revision \(try await server.revision())"
        let explained = try #require(follower.explain("a").first)
        #expect(follower.explain("a").count == 1)
        #expect(explained.hasPrefix("registered: 1 (source etcd /app at \(place), loaded "))
        #expect(try explained.contains(Regex("loaded [0-9]+ s ago\\): applies$")))
    }

    @Test func `an invalidated following leaves no connection`() async throws {
        let server = try await EtcdServer.alone()
        try await server.put("/app/a", "1")
        let follower = Follower(EtcdDefaultValueSource.test(server))
        #expect(await follower.reaches(["a": 1]))
        #expect(try server.connections() == 1)
        follower.following.invalidate()
        #expect(try await eventually { try server.connections() == 0 })
    }
}
