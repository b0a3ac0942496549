/// What keys and answers of etcd mean, without a server.
import EtcdMessages
import SwiftProtobuf
import Testing
import TypedDefaults

@testable import TypedDefaultsEtcd

struct KeySpaceTests {
    private static func entry(_ key: String, _ value: String) throws -> EtcdEntry {
        EtcdEntry(key: Array(key.utf8), value: Array(value.utf8), in: try EtcdPrefix("/app"))
    }

    @Test(
        arguments: [
            ("1.50", 1.5), ("true", true), ("null", .null), ("\"text\"", "text"),
            ("{\"a\": [1]}", ["a": [1]]),
            ("dark", "dark"), ("", ""), ("10.0.0.1", "10.0.0.1"), ("{broken", "{broken"),
            ("two words", "two words"),
        ] as [(String, DefaultsValue)])
    func `a value is JSON, else a bare word`(text: String, value: DefaultsValue) throws {
        #expect(try KeySpaceTests.entry("/app/k", text) == .value("k", value))
    }

    @Test func `an array nested as deep as a file takes is a value, a deeper one a word`() throws {
        let (fits, deeper) = (128, 129)
        func text(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(try KeySpaceTests.entry("/app/k", text(fits)) == .value("k", DefaultsValue(json: text(fits))))
        #expect(try KeySpaceTests.entry("/app/k", text(deeper)) == .value("k", .string(text(deeper))))
    }

    @Test(arguments: [
        ("/app/a", "a", false), ("/app/a/b.c", "a/b.c", false), ("/app/locked/a", "a", true),
        ("/app/lockeda", "lockeda", false), ("/app/locked", "locked", false),
        ("/app/\u{301}a", "\u{301}a", false), ("/app/locked/\u{301}a", "\u{301}a", true),
    ])
    func `a name is what stands behind the prefix`(key: String, name: String, isLocked: Bool) throws {
        #expect(try KeySpaceTests.entry(key, "1") == (isLocked ? .locked(name, 1) : .value(name, 1)))
    }

    @Test(arguments: [
        (Array("/app/".utf8), [UInt8](), "nothing stands behind the prefix; the key is left out", "/app/"),
        (
            Array("/app/locked/".utf8), [], "nothing stands behind the prefix; the key is left out",
            "/app/locked/"
        ),
        (
            Array("/app/".utf8) + [0xff, 0x25], [], "its name is not UTF-8; the key is left out",
            "/app/%FF%25"
        ),
        (Array("/app/a".utf8), [0xc3], "its value is not UTF-8; the key is left out", "/app/a"),
    ])
    func `what is no setting is refused with its key`(
        key: [UInt8], value: [UInt8], reason: String, shown: String
    ) throws {
        let entry = EtcdEntry(key: key, value: value, in: try EtcdPrefix("/app"))
        guard case .refused(let error, _) = entry else {
            Issue.record("it is \(entry)")
            return
        }
        #expect(error == DefaultsError.sourceFailed(reason, key: shown))
    }

    /// Not an argument of the test above: the log names each, and this one would be a line of eight megabytes.
    @Test func `a value that is too long is refused with its key`() throws {
        let value = [UInt8](repeating: 0x31, count: 2_097_153)
        let entry = EtcdEntry(key: Array("/app/a".utf8), value: value, in: try EtcdPrefix("/app"))
        guard case .refused(let error, _) = entry else {
            Issue.record("it is a setting of \(value.count) bytes")
            return
        }
        let reason = "its value has 2097153 bytes; the key is left out"
        #expect(error == DefaultsError.sourceFailed(reason, key: "/app/a"))
    }

    private static func pair(_ key: String, _ value: String, _ revision: Int64) -> Etcdserverpb_KeyValue {
        .with { pair in
            pair.key = .init(key.utf8)
            pair.value = .init(value.utf8)
            pair.modRevision = revision
        }
    }

    private static func event(
        _ kind: Etcdserverpb_Event.Kind, _ key: String, _ value: String, _ revision: Int64
    ) -> Etcdserverpb_Event {
        .with { event in
            event.kind = kind
            event.kv = pair(key, value, revision)
        }
    }

    private static func space(_ pairs: [Etcdserverpb_KeyValue]) throws -> KeySpace {
        KeySpace(EtcdListing(cluster: 1, revision: 5, pairs: pairs), prefix: try EtcdPrefix("/app"))
    }

    @Test func `changes are applied in their order, and none that the listing has already`() throws {
        var space = try KeySpaceTests.space([KeySpaceTests.pair("/app/a", "1", 4)])
        let isOldNews = space.apply([KeySpaceTests.event(.put, "/app/a", "0", 3)])
        #expect(!isOldNews)
        let isNews = space.apply([
            KeySpaceTests.event(.put, "/app/b", "2", 6), KeySpaceTests.event(.delete, "/app/a", "", 6),
            KeySpaceTests.event(.put, "/app/b", "3", 7),
        ])
        #expect(isNews)
        #expect(space.layer == DefaultsLayer(["b": 3]))
        #expect(space.revision == 7)
    }

    @Test(arguments: [["e\u{301}", "\u{e9}"], ["\u{e9}", "e\u{301}"]])
    func `of two keys that are one text to Swift the first in bytes counts, and the other is told`(
        names: [String]
    ) throws {
        let space = try KeySpaceTests.space(
            names.enumerated().map { KeySpaceTests.pair("/app/\($1)", "\"\($1.utf8.count)\"", Int64($0)) })
        #expect(space.layer.values == ["e\u{301}": "3"])
        #expect(space.refusals.map { Array(($0.error.key ?? "").utf8) } == [Array("/app/\u{e9}".utf8)])
    }

    /// Keys of all kinds, few enough that they meet.
    private static let keys: [[UInt8]] =
        ["a", "b", "e\u{301}", "\u{e9}", "K", "\u{212a}", "locked/a", "locked/e\u{301}", "locked/\u{e9}", ""]
        .map { Array("/app/\($0)".utf8) } + [Array("/app/".utf8) + [0xff]]

    @Test(arguments: 1...20)
    func `any batches lead to what a listing of the same keys leads to, and tell what they changed`(
        seed: UInt64
    ) throws {
        var random = SeededNumbers(seed: seed)
        var (space, model) = (try KeySpaceTests.space([]), [[UInt8]: Etcdserverpb_KeyValue]())
        var kept: [[UInt8]: DefaultsValue] = [:]
        for revision in Int64(6)..<60 {
            let events = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                Etcdserverpb_Event.with { event in
                    event.kind = Bool.random(using: &random) ? .put : .delete
                    event.kv.key = .init(KeySpaceTests.keys.randomElement(using: &random) ?? [])
                    event.kv.modRevision = revision
                    event.kv.value =
                        [.init([0xff]), .init("1".utf8), .init("dark".utf8)]
                        .randomElement(using: &random) ?? .init("".utf8)
                }
            }
            for event in events { model[Array(event.kv.key)] = event.kind == .put ? event.kv : nil }
            let isNews = space.apply(events)
            #expect(isNews)
            for (key, value) in space.takeChanges().stored { kept[Array(key.utf8)] = value }
            let listed = try KeySpaceTests.space(Array(model.values))
            #expect(space.layer == listed.layer)
            #expect(space.refusals == listed.refusals)
            #expect(space.count == listed.count)
            #expect(kept == KeySpaceTests.kept(listed.layer))
        }
    }

    private static func kept(_ layer: DefaultsLayer) -> [[UInt8]: DefaultsValue] {
        let pairs =
            layer.values.map { (Array(("v/" + $0.key).utf8), $0.value) }
            + layer.locked.map { (Array(("l/" + $0.key).utf8), $0.value) }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    private static func answer(
        _ events: [Etcdserverpb_Event], fragment: Bool = false,
        _ change: (inout Etcdserverpb_WatchResponse) -> Void = { _ in }
    ) -> Etcdserverpb_WatchResponse {
        .with { response in
            response.header.clusterID = 1
            response.events = events
            response.fragment = fragment
            change(&response)
        }
    }

    @Test func `fragments are one batch`() throws {
        var watch = EtcdWatch(cluster: 1)
        let (first, second) = (
            KeySpaceTests.event(.put, "/app/a", "1", 6), KeySpaceTests.event(.put, "/app/b", "1", 6)
        )
        guard case .nothing = try watch.take(KeySpaceTests.answer([first], fragment: true)),
            case .batch(let events) = try watch.take(KeySpaceTests.answer([second]))
        else {
            Issue.record("the fragments were not joined")
            return
        }
        #expect(events == [first, second])
        guard case .nothing = try watch.take(KeySpaceTests.answer([])) else {
            Issue.record("a batch came twice")
            return
        }
    }

    @Test func `a batch without an end is given up, and what is not below the prefix is no setting`() throws {
        var watch = EtcdWatch(cluster: 1, most: EtcdBounds(bytes: 1_000, keys: 100))
        let large = KeySpaceTests.answer(
            [KeySpaceTests.event(.put, "/app/a", String(repeating: "x", count: 600), 6)], fragment: true)
        _ = try watch.take(large)
        #expect(throws: EtcdFault(.unreachable, "what is changed at once has more than 1000 bytes")) {
            try watch.take(large)
        }
        var space = try KeySpaceTests.space([KeySpaceTests.pair("/app/a", "1", 4)])
        _ = space.apply([
            KeySpaceTests.event(.put, "/other/locked/x", "1", 6), KeySpaceTests.event(.put, "/ap", "1", 6),
            KeySpaceTests.event(.put, "/app/b", "22", 6),
        ])
        #expect(space.layer == DefaultsLayer(["a": 1, "b": 22]))
        #expect(space.size.bytes == 33 && space.size.keys == 4)
        _ = space.apply([
            KeySpaceTests.event(.delete, "/app/b", "", 7), KeySpaceTests.event(.delete, "/ap", "", 7),
        ])
        #expect(space.size.bytes == 22 && space.size.keys == 2)
    }

    @Test func `a byte-order mark and a line end are no part of a value`() throws {
        #expect(try KeySpaceTests.entry("/app/k", "\u{FEFF}dark\r\n") == .value("k", "dark"))
        #expect(try KeySpaceTests.entry("/app/k", "\n") == .value("k", ""))
    }

    @Test func `a cancelled watch says why, or is compacted`() throws {
        var watch = EtcdWatch(cluster: 1)
        guard
            case .compacted = try watch.take(
                KeySpaceTests.answer([]) {
                    $0.canceled = true
                    $0.compactRevision = 9
                })
        else {
            Issue.record("it is not compacted")
            return
        }
        #expect(throws: EtcdFault(.refused, "the server refuses: etcdserver: permission denied")) {
            try watch.take(
                KeySpaceTests.answer([]) {
                    $0.canceled = true
                    $0.cancelReason = "etcdserver: permission denied"
                })
        }
        #expect(throws: EtcdFault(.unreachable, "the endpoint has become another cluster's")) {
            try watch.take(KeySpaceTests.answer([]) { $0.header.clusterID = 2 })
        }
    }
}
