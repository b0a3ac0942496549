/// Sources that read a file, once.
import Foundation
import Libc
import TestSupport
import Testing
import TypedDefaults
import TypedDefaultsCompatibility

@Suite(.ownThread, .timeLimit(.minutes(60))) struct FileSourceTests {
    /// The two sources of one file.
    enum Kind: String, CaseIterable, Sendable {
        case json, plist

        func source(_ path: String) -> any DefaultValueSource {
            switch self {
            case .json: JSONDefaultValueSource(path: path)
            case .plist: PropertyListDefaultValueSource(path: path)
            }
        }

        /// A file of one member `a`.
        func text(_ number: Int) -> String {
            switch self {
            case .json: "{\"a\": \(number)} // a comment"
            case .plist: "<plist><dict><key>a</key><integer>\(number)</integer></dict></plist>"
            }
        }
    }

    private let suite = DefaultsSuite.inMemory()
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path + "/defaults"
    }

    /// The error of a source over the test's path, which has to name it.
    private func failure(_ kind: Kind) async -> String? {
        guard let error = await suite.readingError(kind.source(path)) else { return nil }
        #expect(error.code == .sourceFailed && error.path == path && error.suite == "in memory")
        let place = error.line.map { "\($0):\(error.column ?? 0): " } ?? ""
        let reason = error.underlyingDescription?.replacing("\"\(path)\"", with: "") ?? ""
        return place + (error.systemError.map { "errno \($0.errno)" } ?? "")
            + reason.drop { $0 == ":" || $0 == " " }
    }

    @Test(arguments: Kind.allCases) func `a file's members are the layer`(kind: Kind) async throws {
        try folder.write(kind.text(1), to: "defaults")
        #expect(await failure(kind) == nil)
        #expect(suite.dictionaryRepresentation() == ["a": 1])
    }

    @Test(arguments: Kind.allCases) func `a link to a file is followed`(kind: Kind) async throws {
        try folder.write(kind.text(2), to: "elsewhere/real")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "elsewhere/real")
        #expect(await failure(kind) == nil)
        #expect(suite.dictionaryRepresentation() == ["a": 2])
    }

    @Test(arguments: Kind.allCases) func `a missing file is an error`(kind: Kind) async {
        #expect(await failure(kind) == "errno \(ENOENT)")
    }

    @Test(arguments: Kind.allCases) func `a folder is an error`(kind: Kind) async throws {
        try folder.write("", to: "defaults/inside")
        #expect(await failure(kind) == "it is a folder")
    }

    @Test(arguments: Kind.allCases) func `a pipe is an error and nobody waits for its writer`(kind: Kind)
        async
    {
        #expect(mkfifo(path, 0o600) == 0)
        #expect(await failure(kind) == "it is not a regular file")
    }

    @Test(arguments: Kind.allCases) func `a device is an error`(kind: Kind) async throws {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/zero")
        #expect(await failure(kind) == "it is not a regular file")
    }

    @Test(arguments: Kind.allCases) func `a ring of links is an error`(kind: Kind) async throws {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
        #expect(await failure(kind) == "errno \(ELOOP)")
    }

    @Test(arguments: Kind.allCases) func `a file of more than 64 MiB is an error`(kind: Kind) async throws {
        try folder.write("", to: "defaults")
        #expect(truncate(path, (64 << 20) + 1) == 0)
        #expect(await failure(kind) == "it is larger than 67108864 bytes")
    }

    @Test(arguments: Kind.allCases) func `an empty file is an error`(kind: Kind) async throws {
        try folder.write("", to: "defaults")
        let reason = kind == .json ? "the text is empty" : "it is neither an XML nor a binary property list"
        #expect(await failure(kind) == "1:1: " + reason)
    }

    @Test(arguments: ["", "a\0b"]) func `a path that names no file is an error`(path: String) async {
        let error = await suite.readingError(JSONDefaultValueSource(path: path))
        #expect(error?.underlyingDescription?.hasSuffix("the path names no file") == true)
    }

    static let damaged: [(Kind, String, String)] = [
        (.json, "[1]", "1:1: expected {"), (.json, "{\n  \"a\": tru\n}", "2:8: expected a value"),
        (.json, "{\"a\": 1}}", "1:9: expected nothing more after the value"),
        (.json, "{\n\"\": 1}", "2:5: a key cannot be used: it is empty"),
        (.plist, "<plist>\n<array/></plist>", "the outermost value is no dictionary"),
        (
            .plist, "<plist><dict>\n<key>a</key><int>1</int></dict></plist>",
            "2:13: the element is none a property list has"
        ),
        (.plist, "bplist00", "it is cut short (at byte 8)"),
    ]

    @Test(arguments: damaged)
    func `what is damaged is told with its place, and keeps the last layer`(
        kind: Kind, text: String, reason: String
    ) async throws {
        try folder.write(kind.text(1), to: "defaults")
        #expect(await failure(kind) == nil)
        try folder.write(text, to: "defaults")
        #expect(await failure(kind) == reason)
        #expect(suite.dictionaryRepresentation() == ["a": 1])
    }

    @Test(
        arguments: [(128, nil), (129, "arrays and objects are nested more than 128 levels deep")]
            as [(Int, String?)])
    func `values nest 128 levels deep and no deeper`(levels: Int, reason: String?) async throws {
        let value = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        try folder.write("{\"a\": \(value)}", to: "defaults")
        #expect(await failure(.json) == reason.map { "1:135: " + $0 })
    }

    @Test func `a mapper makes the layer of any JSON`() async throws {
        try folder.write("[1, 2]", to: "defaults")
        let source = JSONDefaultValueSource(path: path) { json in ["second": json[1] ?? .null] }
        try await suite.read(sources: source)
        #expect(suite.dictionaryRepresentation() == ["second": 2])
    }

    @Test func `two mappers of one file are two sources where they are given names`() async throws {
        try folder.write("[1, 2]", to: "defaults")
        try await suite.read(
            sources: JSONDefaultValueSource(path: path, name: "first") { json in ["a": json[0] ?? .null] },
            JSONDefaultValueSource(path: path, name: "second") { json in ["b": json[1] ?? .null] })
        #expect(suite.dictionaryRepresentation() == ["a": 1, "b": 2])
    }

    @Test func `what a mapper throws is the source's failure`() async throws {
        try folder.write("[1, 2]", to: "defaults")
        let source = JSONDefaultValueSource(path: path) { _ in throw ScriptedSource.Broken() }
        #expect(
            await suite.readingError(source)?.underlyingDescription == "\"\(path)\": it is broken")
    }

    @Test func `a source is called by its path as given`() async {
        let source = JSONDefaultValueSource(path: "no-such-folder/defaults.json")
        #expect(source.name == "no-such-folder/defaults.json")
        #expect(await suite.readingError(source)?.path == "no-such-folder/defaults.json")
    }

    #if compiler(>=6.2)
        // In a process of its own, which has a working folder of its own.
        @Test func `a relative path is taken from the working folder at the time of the source`() async {
            await #expect(processExitsWith: .success) {
                let folder = try TemporaryFolder()
                try folder.write("{\"a\": 1}", to: "here/defaults.json")
                try folder.write("{\"a\": 2}", to: "there/defaults.json")
                try #require(chdir(folder.path + "/here") == 0)
                let source = JSONDefaultValueSource(path: "defaults.json")
                try #require(chdir(folder.path + "/there") == 0)
                let suite = DefaultsSuite.inMemory()
                try await suite.read(sources: source)
                try #require(suite.value(forKey: "a") == 1)
            }
        }
    #endif

    @Test func `a dictionary's values are the layer`() async throws {
        try await suite.read(sources: DictionaryDefaultValueSource(["a": 1], name: "table"))
        #expect(suite.dictionaryRepresentation() == ["a": 1])
        #expect(DictionaryDefaultValueSource([:]).name == "dictionary")
    }
}
