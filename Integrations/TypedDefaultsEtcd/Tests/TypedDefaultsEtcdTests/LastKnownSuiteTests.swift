/// What a suite has that the last known layer is kept in.
import Foundation
import LocalEtcd
import Testing
import TypedDefaults

@testable import TypedDefaultsEtcd

@Suite(.timeLimit(.minutes(2))) struct LastKnownSuiteTests {
    private let suite = DefaultsSuite.inMemory()
    private let layer: LastKnownLayer

    init() throws { layer = LastKnownLayer(suite, of: try EtcdPrefix("/app")) }

    private func contents(
        _ values: [String: DefaultsValue], locked: [String: DefaultsValue] = [:], revision: Int64 = 1
    ) -> LastKnownLayer.Contents {
        LastKnownLayer.Contents(
            cluster: 1, revision: revision, endpoint: "here",
            layer: DefaultsLayer(values, locked: locked), count: values.count + locked.count)
    }

    /// The suite's members as it tells them apart: by their bytes.
    private func keys() throws -> [[UInt8]] {
        try suite.storedObject().map { Array($0.key.utf8) }.filter { $0 != Array("layer".utf8) }
            .sorted { $0.lexicographicallyPrecedes($1) }
    }

    @Test(arguments: [
        (Int64.min, false), (-Int64.max, false), (-1, true), (.max, true),
    ]) func `a time that cannot be counted from is damage, and one to come is now`(
        time: Int64, isUsed: Bool
    ) async throws {
        #expect(await layer.keep(contents(["a": 1])) == nil)
        let head = try #require(suite.value(forKey: "layer")?.object)
        let other = head.map {
            $0.key == "milliseconds" ? (key: $0.key, value: .number(DefaultsNumber(time))) : $0
        }
        try suite.set(.object(DefaultsObject(other)), forKey: "layer")
        if isUsed {
            let age = try #require(try layer.read()?.age)
            #expect(time < 0 ? age > .zero : age == .zero)
        } else {
            let reason = "the last known layer is not used: its head is not what was written"
            #expect(throws: DefaultsError.sourceFailed(reason, path: suite.path)) {
                try layer.read()
            }
        }
    }

    @Test(arguments: ["\u{301}", "\u{301}x", "\u{200d}x", "\u{fe0f}", "\u{301}/y", "x\u{301}"])
    func `a name that begins with what joins the character before it comes back`(name: String) async throws {
        #expect(await layer.keep(contents([name: 1, "a": 2], locked: [name: 3])) == nil)
        let read = try #require(try layer.read())
        #expect(read.layer == DefaultsLayer([name: 1, "a": 2], locked: [name: 3]))
        #expect(await layer.keep(contents(["a": 2], revision: 2)) == nil)
        #expect(try keys() == [Array("v/a".utf8)])
    }

    @Test func `a name takes the place of one that is the same text in other bytes`() async throws {
        let (composed, decomposed) = ("\u{e9}", "e\u{301}")
        #expect(await layer.keep(contents([composed: 1])) == nil)
        #expect(await layer.keep(contents([decomposed: 1], revision: 2)) == nil)
        #expect(try keys() == [Array("v/\(decomposed)".utf8)])
        #expect(await layer.keep(contents([composed: 2], revision: 3)) == nil)
        #expect(try keys() == [Array("v/\(composed)".utf8)])
        #expect(try layer.read()?.layer == DefaultsLayer([composed: 2]))
    }

    @Test func `what else is in the suite stays`() async throws {
        let others: [String: DefaultsValue] = [
            "$migrations": ["first"], "$schema": "settings.schema.json", "theme": "dark", "v": 1, "vx": 2,
            "l\u{301}/x": 3, "layers": 4,
        ]
        for (key, value) in others { try suite.set(value, forKey: key) }
        #expect(await layer.keep(contents(["a": 1, "b": 1], locked: ["c": 1])) == nil)
        #expect(await layer.keep(contents(["a": 1], revision: 2)) == nil)
        #expect(try layer.read()?.layer == DefaultsLayer(["a": 1]))
        var stored = try suite.storedValues()
        stored["layer"] = nil
        #expect(stored == others.merging(["v/a": 1]) { $1 })
    }

    @Test func `a file that is damaged again and again leaves three copies`() async throws {
        let folder = try TestFolder()
        let kept = try DefaultsSuite("kept", in: folder.path)
        let layer = LastKnownLayer(kept, of: try EtcdPrefix("/app"))
        let path = try #require(kept.path)
        kept.onFailure = { _ in }
        #expect(await layer.keep(contents(["a": 0])) == nil)
        try kept.synchronize()
        for round in 1...6 {
            try Data(#"{"layer": {"round": \#(round), "v/a": ]"#.utf8).write(to: URL(filePath: path))
            let next = contents(["a": .number(DefaultsNumber(round))], revision: Int64(round))
            #expect(await layer.keep(next) == nil)
            try kept.synchronize()
        }
        #expect(try layer.read()?.layer == DefaultsLayer(["a": 6]))
        #expect(kept.inspectFiles().filter { $0.category == "damagedCopy" }.count == 3)
    }

    @Test func `another prefix's layer is neither used nor replaced`() async throws {
        let other = LastKnownLayer(suite, of: try EtcdPrefix("/other"))
        #expect(await layer.keep(contents(["a": 1], revision: 5)) == nil)
        let reason = "the suite keeps the last known layer of /app/; that of /other/ needs another suite"
        let refusal = DefaultsError.sourceFailed(reason, path: suite.path)
        #expect(throws: refusal) { try other.read() }
        // Whether it would be newer or not.
        #expect(await other.keep(contents(["a": 2], revision: 1)) == refusal)
        #expect(await other.keep(contents(["a": 2], revision: 9)) == refusal)
        #expect(try layer.read()?.layer == DefaultsLayer(["a": 1]))
        try suite.removeAll()
        #expect(await other.keep(contents(["a": 2], revision: 1)) == nil)
        #expect(try other.read()?.layer == DefaultsLayer(["a": 2]))
    }

    @Test func `a source does not start with another prefix's layer, and says so`() async throws {
        #expect(await layer.keep(contents(["a": 1])) == nil)
        let nobody = "http://\(try FreePorts.address())"
        let source = EtcdDefaultValueSource(endpoints: [nobody], prefix: "/other", lastKnown: suite)
        let follower = Follower(source)
        #expect(await follower.hears("that of /other/ needs another suite"))
        #expect(follower.states.all == [[:]])
        let own = Follower(EtcdDefaultValueSource(endpoints: [nobody], prefix: "/app", lastKnown: suite))
        #expect(await own.reaches(["a": 1]))
    }

    @Test func `the same prefix is one however it is written`() async throws {
        #expect(await layer.keep(contents(["a": 1])) == nil)
        let same = LastKnownLayer(suite, of: try EtcdPrefix("/app/"))
        #expect(try same.read()?.layer == DefaultsLayer(["a": 1]))
        #expect(await same.keep(contents(["a": 2], revision: 2)) == nil)
    }
}
