/// What Locus documents of sources with a URL: a server or a file, headers, and a mapper for what comes.
import DefaultValueSourceConformance
import Foundation
import TestSupport
import Testing
import TypedDefaults
import TypedDefaultsCompatibility
import TypedDefaultsFoundation

private enum Name: String { case address = "host.address" }

@Suite(.ownThread, .timeLimit(.minutes(60))) struct FromLocusTests {
    private let container = SettingsContainer(suite: .inMemory())
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        container.register { userDefault(Name.address) }
    }

    private func url(of name: String) -> URL { URL(filePath: "\(folder.path)/\(name)") }

    /// Makes a layer of lines `name: value`.
    @Sendable private static func lines(_ text: Data) -> [String: DefaultsValue] {
        let pairs = String(decoding: text, as: UTF8.self).split(separator: "\n").map { line in
            line.split(separator: " ", maxSplits: 1).map(String.init)
        }
        return Dictionary(
            pairs.map { ($0[0], DefaultsValue.string($0[1])) }, uniquingKeysWith: { _, last in last })
    }

    @Test func `a bundle first and then a server: the server's values count, and it gets the headers`()
        async throws
    {
        let server = try LoopbackServer { _ in .http(Array(#"{"server-url": "http://remote"}"#.utf8)) }
        let remote = JSONDefaultValueSource(url: server.url("/config.json"), headers: ["auth": "token"]) {
            json in
            json["server-url"].map { [Name.address.rawValue: $0] } ?? [:]
        }
        let bundle = DictionaryDefaultValueSource([Name.address.rawValue: "http://bundle"], name: "bundle")
        try await container.read(sources: bundle, remote)
        #expect(container[Name.address] as URL == URL(string: "http://remote"))
        #expect(server.requests.all.map { $0.headers["auth"] } == ["token"])
    }

    @Test func `any text of a server is mapped by the program`() async throws {
        let server = try LoopbackServer { _ in .http(Array("host.address http://lines".utf8)) }
        let remote = URLDefaultValueSource(
            url: server.url("/config.txt"), headers: ["auth": "token"], mapper: FromLocusTests.lines)
        try await container.read(sources: remote)
        #expect(container[Name.address] as String == "http://lines")
    }

    @Test func `the URL of a file is read, and followed`() async throws {
        try folder.write("host.address http://file", to: "a text.conf")
        let source = URLDefaultValueSource(url: url(of: "a text.conf"), mapper: FromLocusTests.lines)
        #expect(source.name == folder.path + "/a text.conf")
        let heard = Recorder<DefaultsValue?>()
        let observation = container.suite.observe(forKey: "host.address", options: [.new]) {
            heard.append($0.newValue)
        }
        let following = container.suite.follow(source)
        #expect(await heard.wait { $0.last == "http://file" })
        try folder.saveByRename("host.address http://edited", to: "a text.conf")
        #expect(await heard.wait { $0.last == "http://edited" })
        following.invalidate()
        observation.invalidate()
    }

    @Test func `the URL of a JSON file is read as its path is`() async throws {
        try folder.write(#"{ "host.address": "http://json" } // a comment"#, to: "d.json")
        let source = JSONDefaultValueSource(url: url(of: "d.json"))
        #expect(source.name == folder.path + "/d.json")
        #expect(source.changes() != nil)
        try await container.read(sources: source)
        #expect(container[Name.address] as String == "http://json")
    }

    @Test func `a file that is missing is an error with its path`() async {
        let source = URLDefaultValueSource(url: url(of: "missing")) { _ in [:] }
        let error = await #expect(throws: DefaultsError.self) { try await container.read(sources: source) }
        #expect(error?.path == folder.path + "/missing")
        #expect(error?.systemError?.errno == ENOENT)
    }

    @Test func `a file of another machine is no file of this one`() async throws {
        let address = try #require(URL(string: "file://elsewhere\(folder.path)/d.json"))
        try folder.write("{}", to: "d.json")
        let error = await #expect(throws: DefaultsError.self) {
            try await container.read(sources: JSONDefaultValueSource(url: address))
        }
        #expect(error?.underlyingDescription?.hasSuffix("may be asked") == true)
    }

    @Test func `a source of a file's URL keeps the kit's rules, also while it changes`() async throws {
        try folder.write("a 1", to: "lines")
        let (url, folder) = (url(of: "lines"), folder)
        try await SourceConformance { URLDefaultValueSource(url: url, mapper: FromLocusTests.lines) }
            .check()
        withExtendedLifetime(folder) {}
    }
}
