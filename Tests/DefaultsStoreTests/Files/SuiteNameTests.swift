/// From names of suites to folders: each in its own, none outside its place.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.ownThread) struct SuiteNameTests {
    @Test(arguments: [
        ("../..", "%2E.%2F.."), ("/", "%2F"), (".", "%2E"), ("..", "%2E."), (".hidden", "%2Ehidden"),
        ("a/b", "a%2Fb"), ("%2E", "%252E"), ("con", "con"), ("CON", "CON"), ("a.", "a."), ("a ", "a%20"),
        (" a", "%20a"), ("a\nb", "a%0Ab"), ("\u{E9}", "%C3%A9"), ("e\u{301}", "e%CC%81"),
        ("🦄", "%F0%9F%A6%84"), ("a.b-c_D9", "a.b-c_D9"), ("~", "%7E"), ("\\", "%5C"),
    ])
    func `a name becomes one plain component of a path`(name: String, folder: String) throws {
        #expect(try SuiteName.folder(for: name) == folder)
    }

    @Test(arguments: [
        "", "\0", "a\0b", String(repeating: "a", count: 201), String(repeating: "é", count: 34),
    ])
    func `a name that cannot be a folder's is refused`(name: String) {
        #expect(refusal { _ = try DefaultsSuite(name, in: "/nowhere") }?.code == .invalidSuiteName)
    }

    @Test(arguments: ["", "/a\0b"])
    func `a folder's path that names none is refused, and not taken for another folder`(path: String) {
        #expect(refusal { _ = try DefaultsSuite("a", in: path) }?.code == .invalidSuiteName)
    }

    @Test(arguments: [String(repeating: "a", count: 200), String(repeating: "é", count: 33)])
    func `a name of 200 bytes when encoded is taken`(name: String) throws {
        #expect(try SuiteName.folder(for: name).utf8.count <= 200)
    }

    @Test func `the folder's name tells the suite's name, so distinct names never meet`() throws {
        var random = SeededNumbers(seed: 7)
        let alphabet: [Character] = [
            "a", "A", ".", "/", "%", "2", "E", " ", "\u{E9}", "\u{301}", "e", "🦄", "~", "\u{7F}",
        ]
        for _ in 0..<2_000 {
            let name = String(
                (0..<Int.random(in: 1...12, using: &random)).map { _ in
                    alphabet.randomElement(using: &random) ?? "a"
                })
            let folder = try SuiteName.folder(for: name)
            let decoded = try #require(folder.removingPercentEncoding)
            try #require(Array(decoded.utf8) == Array(name.utf8))
            try #require(!folder.hasPrefix(".") && !folder.contains("/"))
        }
    }

    @Test(arguments: ["../..", "/", ".", "..", ".hidden", "a/../../b", "🦄", "a\\..\\b"])
    func `a suite of a hostile name stays in its place`(name: String) throws {
        let outer = try TemporaryFolder()
        let suite = try DefaultsSuite(name, in: outer.path + "/place")
        try suite.set(1, forKey: "a")
        let inside = try outer.names(in: "place")
        #expect(try outer.names(in: "") == ["place"])
        #expect(inside == [try SuiteName.folder(for: name)])
        #expect(try outer.names(in: "place/\(inside[0])").contains("settings.json"))
    }

    @Test func `composed and decomposed letters name two suites`() throws {
        let folder = try TemporaryFolder()
        let composed = try folder.suite("\u{E9}")
        let decomposed = try folder.suite("e\u{301}")
        try composed.set(1, forKey: "a")
        #expect(decomposed.value(forKey: "a") == nil)
        #expect(composed != decomposed)
    }

    @Test(arguments: ["", "/", "a/", "/a/.", ".", "..", "/a/..", "a\0b"])
    func `a path that names no file is refused`(path: String) {
        #expect(refusal { _ = try DefaultsSuite(file: path) }?.code == .invalidSuiteName)
    }

    @Test
    func `a file may have the longest name that leaves room for the copies beside it, and no longer one`()
        throws
    {
        let folder = try TemporaryFolder()
        func path(_ length: Int) -> String { folder.path + "/" + String(repeating: "n", count: length) }
        #expect(refusal { _ = try DefaultsSuite(file: path(241)) }?.code == .invalidSuiteName)
        let suite = try DefaultsSuite(file: path(240))
        let most = SuiteLocation(path: path(240), allowsInsecureDirectory: false)?.damaged(10_000)
        #expect(most?.utf8.count == 254)
        try Data("oops".utf8).write(to: URL(filePath: path(240)))
        _ = try suite.repairFiles()
        try suite.set(1, forKey: "a")
        try suite.checkpoint()
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).contains {
                $0.hasSuffix(".damaged-1")
            })
    }
}
