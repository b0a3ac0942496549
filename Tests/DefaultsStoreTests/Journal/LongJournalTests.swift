/// A journal that somebody made long: it is read as far as its records go, and no further, and kept without being copied.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread) struct LongJournalTests {
    private let folder: TemporaryFolder
    private let name = "settings/.settings.json.journal"
    private var path: String { "\(folder.path)/\(name)" }

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("{\n  \"a\": 1\n}\n", to: "settings/settings.json")
    }

    private let header = JournalHeader(generation: 1)

    private func record(_ generation: UInt64, _ value: DefaultsValue, forKey key: String) -> [UInt8] {
        JournalRecord(
            generation: generation, changes: [StoredChange(StoredValue(value), forKey: KeyName(key))]
        )
        .line(header.nonce)
    }

    /// A journal with one record and something behind it.
    private func write(_ tail: [UInt8]) throws -> Int {
        let bytes = header.bytes + record(2, 2, forKey: "b")
        try folder.write(bytes + tail, to: name)
        return bytes.count
    }

    private func kept() throws -> [String] { try folder.damagedCopies() }

    private func size(of name: String) throws -> Int? {
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(name)")
        return (attributes[.size] as? NSNumber)?.intValue
    }

    @Test(arguments: [[], Array("a note\n".utf8)])
    func `a terabyte behind the records costs no memory, and is kept as it is by the next write (F12)`(
        tail: [UInt8]
    ) throws {
        _ = try write(tail)
        #expect(truncate(path, 1 << 40) == 0)
        let suite = try folder.suite()
        let plan = FaultInjection()
        try FaultInjection.$current.withValue(plan) {
            #expect(try suite.storedValues() == ["a": 1, "b": 2])
            #expect(
                suite.inspectFiles().contains {
                    $0.category == "journal" && $0.reason.contains("do not count")
                })
            try suite.set(3, forKey: "c")
        }
        #expect(plan.calls.count { $0 == "pread" } < 30)
        try suite.checkpoint()
        #expect(try folder.foreignReading() == ["a": 1, "b": 2, "c": 3])
        #expect(try kept() == ["settings.json.damaged-1"])
        #expect(try size(of: "settings/settings.json.damaged-1") == 1 << 40)
        #expect(try suite.storedValues() == ["a": 1, "b": 2, "c": 3])
    }

    @Test func `a checkpoint too keeps a terabyte behind the records (F12)`() throws {
        _ = try write([])
        #expect(truncate(path, 1 << 40) == 0)
        let suite = try folder.suite()
        #expect(suite.value(forKey: "b") == 2)
        try suite.checkpoint()
        #expect(try folder.foreignReading() == ["a": 1, "b": 2])
        #expect(try kept() == ["settings.json.damaged-1"])
        try suite.set(3, forKey: "c")
        try suite.synchronize()
        #expect(try suite.storedValues() == ["a": 1, "b": 2, "c": 3])
        #expect(try folder.foreignReading() == ["a": 1, "b": 2, "c": 3])
    }

    @Test(arguments: ["write", "checkpoint"])
    func `who died between keeping a journal and giving its name to another has stopped nobody`(
        _ next: String
    ) throws {
        let end = try write(Array("a note\n".utf8))
        #expect(truncate(path, 2 << 20) == 0)
        // One was kept before, and has been seen to.
        #expect(link(path, "\(folder.path)/settings/settings.json.damaged-2") == 0)
        let suite = try folder.suite()
        #expect(suite.value(forKey: "b") == 2)
        if next == "write" { try suite.set(3, forKey: "c") } else { try suite.checkpoint() }
        try suite.set(4, forKey: "d")
        try suite.checkpoint()
        let expected: NSDictionary =
            next == "write" ? ["a": 1, "b": 2, "c": 3, "d": 4] : ["a": 1, "b": 2, "d": 4]
        #expect(try folder.foreignReading() == expected)
        #expect(try kept() == ["settings.json.damaged-2"])
        let copy = try Data(contentsOf: URL(filePath: "\(folder.path)/settings/settings.json.damaged-2"))
        #expect(copy.count == 2 << 20 && copy[end..<end + 7] == Data("a note\n".utf8))
    }

    @Test(arguments: ["write", "checkpoint"])
    func `a journal with a second name elsewhere is not written into (F10)`(_ next: String) throws {
        _ = try write([])
        let other = folder.path + "/other"
        #expect(link(path, other) == 0)
        let before = try Data(contentsOf: URL(filePath: other))
        let suite = try folder.suite()
        #expect(suite.value(forKey: "b") == 2)
        let code = refusal {
            if next == "write" { try suite.set(3, forKey: "c") } else { try suite.checkpoint() }
        }?.code
        #expect(code == .insecureDirectory)
        #expect(try Data(contentsOf: URL(filePath: other)) == before)
        // Nor is the settings file replaced in vain, again and again.
        let settings = try Data(contentsOf: URL(filePath: folder.settingsPath()))
        #expect(settings == Data("{\n  \"a\": 1\n}\n".utf8))
        #expect(suite.value(forKey: "b") == 2)
    }

    /// 16 MiB, or twice the settings file, if that is more.
    @Test(arguments: [(0, 16), (9, 18)])
    func `where no checkpoint can be made, writes end before the journal is too long`(
        inFile mebibytes: Int, bound: Int
    ) throws {
        let other = String(repeating: "o", count: mebibytes << 20)
        try folder.write("{\"other\": \"\(other)\"}", to: "settings/settings.json")
        let suite = try folder.heldSuite()
        let long = String(repeating: "x", count: 1 << 20)
        func write(_ number: Int) throws { try suite.set(.string("\(long)\(number)"), forKey: "a") }
        let plan = FaultInjection(.init("renameat2", errno: EACCES, lasts: true))
        var count = 0
        let error = FaultInjection.$current.withValue(plan) {
            refusal {
                while count < 100 {
                    try write(count)
                    count += 1
                }
            }
        }
        #expect(error?.code == .readOnly)
        #expect((bound...bound + 1).contains(count))
        #expect(try size(of: name).map { $0 >> 20 } == count)
        #expect(try suite.storedValues()["a"] == .string("\(long)\(count - 1)"))
        try write(count)
        #expect(try size(of: name).map { $0 >> 20 } == 1)
    }

    @Test func `a terabyte without a header is kept (F3)`() throws {
        try folder.write("a diary\n", to: name)
        #expect(truncate(path, 1 << 40) == 0)
        let suite = try folder.suite()
        #expect(try suite.storedValues() == ["a": 1])
        try suite.set(3, forKey: "c")
        try suite.checkpoint()
        #expect(try folder.foreignReading() == ["a": 1, "c": 3])
        #expect(try kept() == ["settings.json.damaged-1"])
    }

    @Test(arguments: [true, false])
    func `a long line that is torn, or long zeros, are cut and not kept (F12)`(isZeros: Bool) throws {
        let long = record(3, .string(String(repeating: "x", count: 3 << 20)), forKey: "c")
        let end = try write(isZeros ? [UInt8](repeating: 0, count: 3 << 20) : Array(long.dropLast(7)))
        let suite = try folder.suite()
        #expect(try suite.storedValues() == ["a": 1, "b": 2])
        try suite.set(4, forKey: "d")
        #expect(try size(of: name).map { $0 < end + 200 } == true)
        try suite.checkpoint()
        #expect(try folder.foreignReading() == ["a": 1, "b": 2, "d": 4])
        #expect(try kept() == [])
    }

    @Test func `megabytes that others wrote behind the records are kept with the journal (F12)`() throws {
        let diary = Array(String(repeating: "a diary is a journal too\n", count: 100_000).utf8)
        let end = try write(diary)
        let suite = try folder.suite()
        #expect(try suite.storedValues() == ["a": 1, "b": 2])
        try suite.set(4, forKey: "d")
        try suite.checkpoint()
        #expect(try folder.foreignReading() == ["a": 1, "b": 2, "d": 4])
        #expect(try kept() == ["settings.json.damaged-1"])
        #expect(try folder.bytes(of: "settings/settings.json.damaged-1").dropFirst(end).elementsEqual(diary))
    }

    @Test func `records of more than a piece are all read`() throws {
        let long = (0..<40).flatMap {
            record(
                3 + UInt64($0), .string(String(repeating: "x", count: 100_000 * ($0 % 7))), forKey: "k\($0)")
        }
        _ = try write(long)
        let values = try folder.suite().storedValues()
        #expect(values.count == 42)
        #expect(values["k6"] == .string(String(repeating: "x", count: 600_000)))
    }

    @Test
    func
        `where the new journal cannot be written, the old one keeps its one name and the next write succeeds`()
        throws
    {
        _ = try write(Array(String(repeating: "a diary is a journal too\n", count: 100_000).utf8))
        let suite = try folder.suite()
        #expect(suite.value(forKey: "b") == 2)
        FaultInjection.$current.withValue(FaultInjection(.init("pwrite", errno: ENOSPC))) {
            #expect(refusal { try suite.set(4, forKey: "d") }?.code == .diskFull)
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.referenceCount] as? NSNumber)?.intValue == 1)
        try suite.set(4, forKey: "d")
        #expect(try suite.storedValues() == ["a": 1, "b": 2, "d": 4])
        #expect(try kept() == ["settings.json.damaged-1"])
    }
}
