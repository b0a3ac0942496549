/// Sources over the network, against a real server that behaves and misbehaves.
import DefaultValueSourceConformance
import Foundation
import TestSupport
import Testing
import TypedDefaults
@testable import TypedDefaultsFoundation

@Suite(.ownThread, .timeLimit(.minutes(60))) struct RemoteSourceTests {
    private let suite = DefaultsSuite.inMemory()

    /// The error of reading a JSON source, without the suite and the name before the reason.
    private func failure(_ source: JSONDefaultValueSource) async -> String? {
        do throws(DefaultsError) {
            try await suite.read(sources: source)
            return nil
        } catch {
            #expect(error.code == .sourceFailed)
            let place = error.line.map { "\($0):\(error.column ?? 0): " } ?? ""
            return place + (error.underlyingDescription ?? "").replacing("\"\(source.name)\": ", with: "")
        }
    }

    private func failure(_ server: LoopbackServer, _ path: String = "/") async -> String? {
        await failure(JSONDefaultValueSource(url: server.url(path)))
    }

    @Test func `the members of a JSON answer are the layer, and the headers are sent`() async throws {
        let server = try LoopbackServer { _ in .http(Array(#"{"a": 1, "b": [true]}"#.utf8)) }
        let source = JSONDefaultValueSource(
            url: server.url("/d?token=s3cret#x"), headers: ["X-Token": "s3cret"])
        try await suite.read(sources: source)
        #expect(suite.dictionaryRepresentation() == ["a": 1, "b": [true]])
        #expect(server.requests.all.map { $0.path } == ["/d?token=s3cret"])
        #expect(server.requests.all.map { $0.headers["x-token"] } == ["s3cret"])
        #expect(source.name == "http://127.0.0.1:\(server.port)/d")
    }

    @Test func `addresses that differ in their query alone are told apart by given names`() async throws {
        let server = try LoopbackServer { request in
            .http(Array((request.path == "/d?part=a" ? #"{"a": 1}"# : #"{"b": 2}"#).utf8))
        }
        let (first, second) = (server.url("/d?part=a"), server.url("/d?part=b"))
        try await suite.read(
            sources: JSONDefaultValueSource(url: first), JSONDefaultValueSource(url: second, name: "part b"))
        #expect(suite.dictionaryRepresentation() == ["a": 1, "b": 2])
        await #expect(throws: DefaultsError.self) {
            try await suite.read(
                sources: JSONDefaultValueSource(url: first), JSONDefaultValueSource(url: second))
        }
    }

    @Test func `a source with a name of the caller's still tells its address`() async throws {
        let server = try LoopbackServer { _ in .http(Array("<html>".utf8)) }
        let source = JSONDefaultValueSource(url: server.url("/d?token=s3cret"), name: "remote")
        do throws(DefaultsError) {
            try await suite.read(sources: source)
            Issue.record("It was read.")
        } catch {
            #expect(error.path == "http://127.0.0.1:\(server.port)/d")
            #expect(error.underlyingDescription == #""remote": expected {"#)
        }
    }

    @Test func `a mapper makes the layer of a JSON answer`() async throws {
        let server = try LoopbackServer { _ in .http(Array(#"{"ui": {"theme": "dark"}}"#.utf8)) }
        let source = JSONDefaultValueSource(url: server.url()) { json in
            ["theme": json["ui"]?["theme"] ?? "light"]
        }
        #expect(await failure(source) == nil)
        #expect(suite.dictionaryRepresentation() == ["theme": "dark"])
    }

    @Test func `any answer's bytes may be mapped`() async throws {
        let server = try LoopbackServer { _ in .http(Array("hello".utf8)) }
        let source = URLDefaultValueSource(url: server.url(), name: "motd") { body in
            ["motd": .string(String(decoding: body, as: UTF8.self))]
        }
        try await suite.read(sources: source)
        #expect(source.name == "motd")
        #expect(suite.dictionaryRepresentation() == ["motd": "hello"])
    }

    @Test func `what a mapper throws is the source's failure`() async throws {
        struct NotToday: Error {}
        let server = try LoopbackServer { _ in .http() }
        let source = URLDefaultValueSource(url: server.url(), name: "motd") { _ in throw NotToday() }
        await #expect(throws: DefaultsError.self) { try await suite.read(sources: source) }
    }

    @Test(arguments: [201, 204, 304, 400, 401, 403, 404, 407, 500, 503, 301])
    func `any status but 200 is a failure`(status: Int) async throws {
        let server = try LoopbackServer { _ in
            status == 304 || status == 204
                ? .send(LoopbackServer.Answer.head(status, [:])) : .http(status: status, Array("{}".utf8))
        }
        #expect(await failure(server) == "it answered with status \(status), not 200")
    }

    @Test func `what is no JSON is told with its place, whatever type the server says it has`() async throws {
        let server = try LoopbackServer { _ in
            .http(headers: ["Content-Type": "application/json"], Array("<html>".utf8))
        }
        #expect(await failure(server) == "1:1: expected {")
    }

    @Test func `JSON is read, whatever type the server says it has`() async throws {
        let server = try LoopbackServer { _ in
            .http(headers: ["Content-Type": "image/png; charset=utf-16"], Array(#"{"a": "é"}"#.utf8))
        }
        #expect(await failure(server) == nil)
        #expect(suite.value(forKey: "a") == "é")
    }

    @Test func `a failure keeps the last good layer`() async throws {
        let answers = Recorder<Int>()
        let server = try LoopbackServer { _ in
            answers.append(1)
            return answers.all.count == 1 ? .http(Array(#"{"a": 1}"#.utf8)) : .http(status: 500)
        }
        #expect(await failure(server) == nil)
        #expect(await failure(server) == "it answered with status 500, not 200")
        #expect(suite.dictionaryRepresentation() == ["a": 1])
    }

    @Test func `nobody at the address is a failure`() async throws {
        // A server's old port may be given to another test's server; this one is given to nobody.
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        #expect(await failure(JSONDefaultValueSource(url: url))?.hasPrefix("it cannot be had: ") == true)
    }

    // Not the four that end the program in Foundation, as DefaultsFromAServer says.
    @Test(arguments: [
        "", "garbage\r\n\r\n", "\r\n\r\n", "HTTP/1.1 200 OK", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{}", "HTTP/1.1 200 OK\r\nno colon\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\n\r\n{}",
        "HTTP/1.1 200\r\n\r\n", "HTTP/9.1 200 OK\r\n\r\n{}", "HTTP/1.1 99999 OK\r\n\r\n{}",
        "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n{}",
        "HTTP/1.1 302 Found\r\nLocation: http://[\r\n\r\n",
        "HTTP/1.1 401 No\r\nWWW-Authenticate: Digest realm=\"a\", nonce=\"b\"\r\n\r\n",
        "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=\"a\"\r\n\r\n",
    ])
    func `an answer that is none, or breaks off, is a failure`(answer: String) async throws {
        let server = try LoopbackServer { _ in .send(Array(answer.utf8)) }
        #expect(await failure(server) != nil)
        #expect(suite.dictionaryRepresentation() == [:])
    }

    @Test(arguments: [
        "0x10", "2abc", "+2", "2 2", "2, 2", "2.0", "9223372036854775808", "99999999999999999999", "abc",
        "-2", "",
    ])
    func `a length that is none, or another, is a failure`(length: String) async throws {
        let server = try LoopbackServer { _ in
            .send(LoopbackServer.Answer.head(200, ["Content-Length": length]) + Array("{}".utf8))
        }
        #expect(await failure(server) != nil)
        let lines = URLDefaultValueSource(url: server.url()) { ["lines": .string("\($0.count)")] }
        await #expect(throws: DefaultsError.self) { try await suite.read(sources: lines) }
        #expect(suite.dictionaryRepresentation() == [:])
    }

    @Test(arguments: ["close", "length", "chunks"])
    func `half of a compressed answer is a failure, however its end is told`(end: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write((0..<2_000).map { "line \($0)\n" }.joined(), to: "body")
        let run = try Tool.run("gzip", ["-9", folder.path + "/body"])
        try #require(run.status == 0, "\(run.output)")
        let packed = Array(try Data(contentsOf: URL(filePath: folder.path + "/body.gz")))
        let half = Array(packed.prefix(packed.count / 2))
        let server = try LoopbackServer { _ in
            let headers = ["Content-Encoding": "gzip"]
            return switch end {
            case "close": .send(LoopbackServer.Answer.head(200, headers) + half)
            case "length": .http(headers: headers, half)
            default: .chunks(half, headers: headers)
            }
        }
        let source = URLDefaultValueSource(url: server.url(), name: "lines") {
            ["lines": .string("\($0.count)")]
        }
        let error = await #expect(throws: DefaultsError.self) { try await suite.read(sources: source) }
        #expect(
            error?.underlyingDescription
                == #""lines": its answer is compressed, though it was asked not to be"#)
        #expect(server.requests.all.map { $0.headers["accept-encoding"] } == ["identity"])
        #expect(suite.dictionaryRepresentation() == [:])
    }

    @Test(arguments: ["br", "zstd", "deflate", "x-gzip", "gzip, gzip", "foo"])
    func `an answer in an encoding is a failure`(encoding: String) async throws {
        let server = try LoopbackServer { _ in
            .http(headers: ["Content-Encoding": encoding], Array("{}".utf8))
        }
        #expect(await failure(server) != nil)
    }

    @Test(arguments: [
        "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n",
        "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 103 Early Hints\r\nContent-Encoding: gzip\r\n\r\n",
    ])
    func `what a server says before its answer is passed over`(before: String) async throws {
        let server = try LoopbackServer { _ in
            .send(
                Array(before.utf8) + LoopbackServer.Answer.head(200, ["Content-Length": "8"])
                    + Array(#"{"a": 1}"#.utf8))
        }
        #expect(await failure(server) == nil)
        #expect(suite.dictionaryRepresentation() == ["a": 1])
    }

    @Test func `the kit's rules hold`() async throws {
        let server = try LoopbackServer { _ in .http(Array(#"{"a": 1}"#.utf8)) }
        let url = server.url()
        try await SourceConformance { JSONDefaultValueSource(url: url) }.check()
        try await SourceConformance { URLDefaultValueSource(url: url) { _ in ["a": 1] } }.check()
        withExtendedLifetime(server) {}
    }
}
