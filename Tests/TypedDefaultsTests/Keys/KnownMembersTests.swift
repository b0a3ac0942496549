/// A set of a whole value changes the members that differ from what the process knows, and leaves alone what others have
/// changed meanwhile.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing
@testable import TypedDefaults

private struct Part: Codable, Equatable, Sendable { var a = 0, b = 0 }

@Suite(.ownThread) struct KnownMembersTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite
    private let part: Defaults.Key<Part>

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("{\"part\": {\"a\": 1, \"b\": 1, \"c\": 1}}\n", to: "settings/settings.json")
        suite = try folder.suite()
        part = Defaults.Key("part", default: Part(a: 7, b: 8), suite: suite)
    }

    /// A person edits the file.
    private func edit(_ members: String) throws { try folder.saveByRename("{\"part\": \(members)}\n") }

    private var stored: DefaultsValue? { get throws { try suite.storedValues()["part"] } }

    @Test func `what another one has changed, and this process has not seen, stays (F25)`() throws {
        #expect(suite[part] == Part(a: 1, b: 1))
        try edit("{\"a\": 1, \"b\": 9, \"c\": 9}")
        try suite.set(part, to: Part(a: 2, b: 1))
        #expect(try stored == ["a": 2, "b": 9, "c": 9])
        try edit("{\"a\": 2, \"b\": 10, \"c\": 9}")
        try suite.set(part, to: Part(a: 3, b: 1))
        #expect(try stored == ["a": 3, "b": 10, "c": 9])
        // From here on it is seen.
        #expect(suite[part] == Part(a: 3, b: 10))
        try suite.set(part, to: Part(a: 3, b: 1))
        #expect(try stored == ["a": 3, "b": 1, "c": 9])
    }

    @Test func `a value that is set again is set as a whole (F25)`() throws {
        for _ in 0..<2 {
            try suite.set(part, to: Part(a: 2, b: 1))
            #expect(try stored == ["a": 2, "b": 1, "c": 1])
            try edit("{\"a\": 2, \"b\": 9, \"c\": 1}")
        }
        try suite.set(part, to: Part(a: 3, b: 1))
        #expect(try stored == ["a": 3, "b": 9, "c": 1])
        try suite.set(part, to: Part(a: 3, b: 1))
        #expect(try stored == ["a": 3, "b": 1, "c": 1])
    }

    @Test func `a process that knows nothing sets all members of its type (F25)`() throws {
        try suite.set(part, to: Part(a: 2, b: 8))
        #expect(try stored == ["a": 2, "b": 8, "c": 1])
    }

    /// The ways to learn what is stored.
    enum Reading: CaseIterable, Sendable {
        case subscriptOfSuite, defaults, value, untyped, snapshot, transaction, transactionUntyped, modify,
            observer, initial
    }

    private func read(_ way: Reading) throws -> Part {
        switch way {
        case .subscriptOfSuite: return suite[part]
        case .defaults: return Defaults[part]
        case .value: return try suite.value(part)
        case .untyped: return Part(a: 1, b: suite.value(forKey: "part")?.object?["b"]?.int ?? 0)
        case .snapshot: return suite.snapshot()[part]
        case .transaction: return try suite.withTransaction { $0[part] }
        case .transactionUntyped:
            return Part(
                a: 1, b: try suite.withTransaction { $0[key: "part"]?.object?["b"]?.int ?? 0 })
        case .modify: return try suite.modify(part) { $0 }
        case .observer, .initial:
            let heard = Recorder<Part>()
            let observation = suite.observe(part, options: [.initial, .new]) { heard.append($0.newValue) }
            defer { observation.invalidate() }
            if way == .observer {
                try edit("{\"a\": 1, \"b\": 10, \"c\": 1}")
                #expect(eventually { heard.all.last?.b == 10 })
            }
            return try #require(heard.all.last)
        }
    }

    @Test(arguments: Reading.allCases)
    func `what a program has read, in whatever way, it may change back (F25)`(_ way: Reading) throws {
        try suite.set(part, to: Part(a: 1, b: 2))
        try edit("{\"a\": 1, \"b\": 9, \"c\": 1}")
        #expect(try read(way) == Part(a: 1, b: way == .observer ? 10 : 9))
        try suite.set(part, to: Part(a: 3, b: 2))
        #expect(try stored == ["a": 3, "b": 2, "c": 1])
    }

    /// The ways to change what is stored.
    enum Writing: CaseIterable, Sendable {
        case inPlace, modify, transaction, untyped, transactionUntyped, reset, removal, otherType
    }

    private struct Other: Codable, Equatable, Sendable { var b = 0 }

    private func write(_ way: Writing) throws {
        switch way {
        case .inPlace: suite[part].b = 5
        case .modify: try suite.modify(part) { $0.b = 5 }
        case .transaction: try suite.withTransaction { $0[part] = Part(a: 1, b: 5) }
        case .untyped: try suite.set(["a": 1, "b": 5, "c": 1], forKey: "part")
        case .transactionUntyped:
            try suite.withTransaction { $0[key: "part"] = ["a": 1, "b": 5, "c": 1] }
        case .reset: try suite.reset(part)
        case .removal: try suite.removeValue(forKey: "part")
        case .otherType: try suite.set(Defaults.Key("part", default: Other(), suite: suite), to: Other(b: 5))
        }
    }

    @Test(arguments: Writing.allCases)
    func `what a program has written, in whatever way, a set changes back (F25)`(_ way: Writing) throws {
        try suite.set(part, to: Part(a: 1, b: 2))
        try write(way)
        try suite.set(part, to: Part(a: 3, b: 2))
        let isRemoved = way == .reset || way == .removal
        #expect(try stored == (isRemoved ? ["a": 3, "b": 2] : ["a": 3, "b": 2, "c": 1]))
    }

    @Test func `what a transaction did not store is not taken for known (F25)`() throws {
        struct Stop: Error {}
        try suite.set(part, to: Part(a: 1, b: 2))
        #expect(throws: Stop.self) {
            try suite.withTransaction { transaction in
                transaction[part] = Part(a: 1, b: 5)
                #expect(suite[part] == Part(a: 1, b: 5))
                throw Stop()
            }
        }
        try suite.set(part, to: Part(a: 3, b: 5))
        #expect(try stored == ["a": 3, "b": 5, "c": 1])
    }

    @Test func `several sets in one transaction add up, and each is of the whole (F25)`() throws {
        try suite.set(part, to: Part(a: 1, b: 2))
        try suite.withTransaction { transaction in
            try suite.set(part, to: Part(a: 3, b: 2))
            transaction[part].b = 4
            try suite.set(part, to: Part(a: 5, b: 4))
        }
        #expect(try stored == ["a": 5, "b": 4, "c": 1])
    }

    @Test func `a member set while somebody removes the key is completed by the default (F25)`() throws {
        #expect(try suite.context.store().checkpointer.hold())
        #expect(suite[part] == Part(a: 1, b: 1))
        try suite.set(part, to: Part(a: 2, b: 1))
        try Data("{}\n".utf8).write(to: URL(filePath: folder.settingsPath()), options: .atomic)
        #expect(try eventually { try stored == ["a": 2] })
        #expect(suite[part] == Part(a: 2, b: 8))
        try suite.checkpoint()
        let text = try folder.read("settings/settings.json")
        #expect(text.filter { !$0.isWhitespace } == #"{"part":{"a":2}}"#)
    }

    @Test func `threads of one process see their own sets, whatever others read meanwhile (F25)`() throws {
        let done = Recorder<Void>()
        withThreads(3) { [suite, part] number in
            if number == 0 {
                defer { done.append(()) }
                for count in 1...300 {
                    // Equal members are named again, because this process knows others.
                    Defaults[part] = Part(a: count, b: count % 2)
                    #expect(suite[part] == Part(a: count, b: count % 2))
                }
            } else {
                while done.all.isEmpty { _ = number == 1 ? suite[part] : suite.snapshot()[part] }
            }
        }
    }
}
