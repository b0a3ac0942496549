/// Paths that are easily taken for others.
import Foundation
import TestSupport
import Testing
@testable import DefaultsStore

@Suite(.ownThread) struct OddPlaceTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `two spellings of one letter are two files`() throws {
        let names = ["\u{e9}.json", "e\u{301}.json"]
        let suites = try names.map { try DefaultsSuite(file: "\(folder.path)/\($0)") }
        #expect(suites[0] != suites[1])
        for (number, suite) in suites.enumerated() {
            try suite.set(.number(DefaultsNumber(number)), forKey: "a")
        }
        for suite in suites { try suite.checkpoint() }
        #expect(suites.map { $0.value(forKey: "a") } == [0, 1])
        let found = Set(try folder.names(in: "").map { Array($0.utf8) })
        #expect(names.allSatisfy { found.contains(Array($0.utf8)) })
    }

    @Test func `a link to a name that is not UTF-8 is an error, and nothing is made in its place`() throws {
        let target = Array("\(folder.path)/t".utf8CString.dropLast()) + [CChar(bitPattern: 0xFF), 0]
        let path = "\(folder.path)/s.json"
        try #require(symlink(target, path) == 0)
        let suite = try DefaultsSuite(file: path)
        let error = refusal { try suite.set(1, forKey: "a") }
        #expect(error?.systemError?.errno == EILSEQ)
        #expect(refusal { _ = try suite.storedValues() } != nil)
        #expect(try folder.names(in: "") == ["s.json"])
    }

    @Test func `a folder copied by links is read, and not written until the copy is gone`() throws {
        let suite = try folder.suite()
        try suite.set(1, forKey: "a")
        try suite.checkpoint()
        try suite.set(2, forKey: "a")
        let copy = "\(folder.path)/copy"
        try #require(link("\(folder.path)/settings/.settings.json.lock", copy) == 0)
        let peer = try Peer.opening(in: folder)
        #expect(try peer.ask("get a") == "2")
        #expect(try peer.ask("set a 3") == "error insecureDirectory")
        try #require(unlink(copy) == 0)
        #expect(try peer.ask("set a 3") == "ok")
        #expect(try suite.storedValues()["a"] == 3)
    }

    @Test func `a program's name that is too long for a folder is cut, and no two become one`() throws {
        let long = ["a", "b"].map { String(repeating: "n", count: 250) + $0 }
        let wide = String(repeating: "漢", count: 23)
        let cut = (long + [wide]).map(SuiteName.fitting)
        #expect(Set(cut).count == 3)
        for name in cut { #expect(try SuiteName.folder(for: name).utf8.count <= 200) }
        for name in ["player", String(repeating: "n", count: 198)] {
            #expect(SuiteName.fitting(name) == name)
        }
    }
}

/// Files in which names stand twice, any number of times.
@Suite(.ownThread) struct RepeatedNameTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// With a look-up for each member this took a day at the largest size of a file.
    @Test func `names with escapes among many that repeat them are counted once, the last of each`() throws {
        let blanks = String(repeating: " ", count: 400_000)
        let many = String(repeating: "\"a\":1,", count: 100_000)
        try folder.write("{\(many)\"b\":3,\"\\u0061\"\(blanks):2}", to: "settings/settings.json")
        let suite = try folder.suite()
        _ = FailureRecorder(suite)
        #expect(try suite.storedValues() == ["a": 2, "b": 3])
        try suite.set(4, forKey: "c")
        try suite.removeValue(forKey: "a")
        #expect(try suite.storedValues() == ["b": 3, "c": 4])
    }

    @Test func `of many repeated names a hundred are told, and once`() throws {
        func text(_ value: Int) -> String {
            let members = (0..<2_000).flatMap { ["\"k\($0)\": 1", "\"k\($0)\": \(value)"] }
            return "{" + members.joined(separator: ", ") + "}"
        }
        try folder.write(text(2), to: "settings/settings.json")
        let suite = try folder.suite()
        let failures = FailureRecorder(suite)
        #expect(try suite.storedValues().count == 2_000)
        #expect(failures.codes.count == 100)
        try folder.write(text(3), to: "settings/settings.json")
        #expect(try eventually { try suite.storedValues()["k7"] == 3 })
        #expect(failures.codes.count == 100)
    }
}
