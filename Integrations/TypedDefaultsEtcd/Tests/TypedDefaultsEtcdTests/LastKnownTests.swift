/// The layer on disk.
import Foundation
import Testing
import TypedDefaults

@testable import TypedDefaultsEtcd

@Suite(.needsEtcd, .serialized, .timeLimit(.minutes(2))) struct LastKnownTests {
    private let folder: TestFolder
    private let kept: DefaultsSuite

    init() throws {
        folder = try TestFolder()
        kept = try DefaultsSuite("kept", in: folder.path)
    }

    /// Follows a server until its values are on disk, and ends both.
    private func keep(_ server: EtcdServer, _ values: [String: DefaultsValue], count: Int) async throws {
        let follower = Follower(EtcdDefaultValueSource.test(server, takesLocked: true, lastKnown: kept))
        #expect(await follower.reaches(values))
        #expect(try await eventually { kept.value(forKey: "layer")?["count"]?.int == count })
        follower.following.invalidate()
        server.kill()
    }

    @Test
    func `a start without a server begins with the last known layer, and one step leads to the new one`()
        async throws
    {
        let server = try await EtcdServer.alone()
        try await server.transaction([("/app/a", "1"), ("/app/b", "1"), ("/app/locked/l", "1")])
        try await keep(server, ["a": 1, "b": 1, "l": 1], count: 3)
        let follower = Follower(EtcdDefaultValueSource.test(server, takesLocked: true, lastKnown: kept))
        #expect(await follower.reaches(["a": 1, "b": 1, "l": 1]))
        #expect(
            follower.explain("a").first?.contains("at \(server.endpoint) /app/, revision 2, stale, loaded ")
                == true)
        #expect(follower.suite.domain(forKey: "l") == .managed)
        try await server.start()
        try await server.transaction([("/app/a", "2"), ("/app/b", "2"), ("/app/locked/l", "2")])
        #expect(await follower.reaches(["a": 2, "b": 2, "l": 2]))
        #expect(follower.states.all == [[:], ["a": 1, "b": 1, "l": 1], ["a": 2, "b": 2, "l": 2]])
    }

    @Test func `the age goes on from when the layer was kept`() async throws {
        let server = try await EtcdServer.alone()
        try await server.put("/app/a", "1")
        try await keep(server, ["a": 1], count: 1)
        let then = DefaultsNumber(Int64((Date().timeIntervalSince1970 - 7_205) * 1_000))
        let head = try #require(kept.value(forKey: "layer")?.object)
        let older = head.map { $0.key == "milliseconds" ? (key: $0.key, value: .number(then)) : $0 }
        try kept.set(.object(DefaultsObject(older)), forKey: "layer")
        let follower = Follower(EtcdDefaultValueSource.test(server, lastKnown: kept))
        #expect(await follower.reaches(["a": 1]))
        #expect(follower.explain("a").first?.contains("stale, loaded 72") == true)
    }

    @Test func `a server that takes its time does not keep a start waiting`() async throws {
        let server = try await EtcdServer.alone()
        try await server.put("/app/a", "1")
        let follower = Follower(EtcdDefaultValueSource.test(server, lastKnown: kept))
        #expect(await follower.reaches(["a": 1]))
        #expect(try await eventually { kept.value(forKey: "layer")?["count"]?.int == 1 })
        follower.following.invalidate()
        server.pause()
        let source = EtcdDefaultValueSource.test(server, lastKnown: kept) { timing in
            (timing.grace, timing.answer) = (.milliseconds(100), .seconds(60))
        }
        let later = Follower(source)
        #expect(await later.reaches(["a": 1]))
        #expect(later.explain("a").first?.contains("stale") == true)
        #expect(later.failures.all == [])
        server.goOn()
        #expect(try await eventually { later.explain("a").first?.contains("stale") == false })
    }

    @Test func `a damaged file is told, does no harm, and is replaced`() async throws {
        let server = try await EtcdServer.alone()
        try await server.put("/app/a", "1")
        let path = folder.path + "/kept/settings.json"
        try FileManager.default.createDirectory(
            atPath: folder.path + "/kept", withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        try Data(#"{"layer": {"cluster": "1", "v/a": ]"#.utf8).write(to: URL(filePath: path))
        kept.onFailure = { _ in }
        server.kill()
        let follower = Follower(EtcdDefaultValueSource.test(server, lastKnown: kept))
        #expect(await follower.hears(path))
        #expect(follower.suite.value(forKey: "a") == nil)
        try await server.start()
        #expect(await follower.reaches(["a": 1]))
        #expect(try await eventually { kept.value(forKey: "layer")?["count"]?.int == 1 })
        #expect(kept.value(forKey: "v/a") == 1)
    }

    @Test func `a layer with a value missing is told and not used`() async throws {
        let server = try await EtcdServer.alone()
        try await server.transaction([("/app/a", "1"), ("/app/b", "1")])
        try await keep(server, ["a": 1, "b": 1], count: 2)
        try kept.removeValue(forKey: "v/b")
        let follower = Follower(EtcdDefaultValueSource.test(server, lastKnown: kept))
        #expect(await follower.hears("the last known layer is not used: values are missing"))
        #expect(follower.states.all == [[:]])
    }
}

/// What may take the place of what.
@Suite(.timeLimit(.minutes(2))) struct LastKnownOrderTests {
    private let suite = DefaultsSuite.inMemory()
    private let layer: LastKnownLayer

    init() throws { layer = LastKnownLayer(suite, of: try EtcdPrefix("/app")) }

    private func keep(
        _ values: [String: DefaultsValue], cluster: UInt64 = 1, revision: Int64,
        changes: (all: LastKnownLayer.Changes, since: LastKnownLayer.Stamp)? = nil,
        replacing stamp: LastKnownLayer.Stamp? = nil
    ) async -> DefaultsError? {
        let contents = LastKnownLayer.Contents(
            cluster: cluster, revision: revision, endpoint: "here", layer: DefaultsLayer(values),
            count: values.count)
        return await layer.keep(contents, changes: changes, replacing: stamp)
    }

    @Test func `an older revision of the same cluster takes nothing back`() async throws {
        #expect(await keep(["a": 2], revision: 2) == nil)
        #expect(await keep(["a": 1, "b": 1], revision: 1) == nil)
        #expect(try layer.read()?.layer.values == ["a": 2])
        #expect(try layer.read()?.revision == 2)
    }

    @Test
    func `an older revision applies that was listed when the newer one was already kept`() async throws {
        #expect(await keep(["a": 2], revision: 2) == nil)
        let seen = layer.stamp()
        #expect(await keep(["a": 1], revision: 1, replacing: seen) == nil)
        #expect(try layer.read()?.layer.values == ["a": 1])
    }

    @Test func `an older listing does not replace what came after it began`() async throws {
        #expect(await keep(["a": 1], revision: 1) == nil)
        let seen = layer.stamp()
        #expect(await keep(["a": 3], revision: 3) == nil)
        #expect(await keep(["a": 2], revision: 2, replacing: seen) == nil)
        #expect(try layer.read()?.layer.values == ["a": 3])
    }

    private func changes(_ key: String, _ value: DefaultsValue?) -> LastKnownLayer.Changes {
        var changes = LastKnownLayer.Changes()
        changes.note(value, key, isLocked: false)
        return changes
    }

    @Test func `a change is written, and nothing else is looked at`() async throws {
        #expect(await keep(["a": 1, "b": 1, "c": 1], revision: 1) == nil)
        try suite.set("touched", forKey: "v/b")
        var changes = changes("a", 2)
        changes.add(self.changes("c", nil))
        #expect(await keep(["a": 2, "b": 1], revision: 2, changes: (changes, layer.stamp())) == nil)
        #expect(try layer.read()?.layer.values == ["a": 2, "b": "touched"])
        #expect(try layer.read()?.revision == 2)
    }

    @Test func `a change of a state that is not the one kept any more brings the whole layer`() async throws {
        #expect(await keep(["a": 1], revision: 1) == nil)
        let seen = layer.stamp()
        #expect(await keep(["a": 1, "b": 1, "old": 1], revision: 2) == nil)
        #expect(await keep(["a": 3, "b": 1], revision: 3, changes: (changes("a", 3), seen)) == nil)
        #expect(try layer.read()?.layer.values == ["a": 3, "b": 1])
    }

    @Test func `another cluster's lower revision applies`() async throws {
        #expect(await keep(["a": 2], revision: 2) == nil)
        #expect(await keep(["a": 1], cluster: 2, revision: 1) == nil)
        #expect(try layer.read()?.layer.values == ["a": 1])
    }

    @Test(arguments: ["layer", "v/x", "l/x"])
    func `a setting of any name comes back`(name: String) async throws {
        #expect(await keep([name: ["deep": [1, nil]]], revision: 1) == nil)
        #expect(try layer.read()?.layer.values == [name: ["deep": [1, nil]]])
    }
}
