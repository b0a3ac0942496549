/// A source over the network, against a real server that behaves and misbehaves.
import DefaultValueSourceConformance
import Foundation
import Testing
import TypedDefaults

@testable import TypedDefaultsHTTP

@Suite(.timeLimit(.minutes(30))) struct AnswerTests {
    private let suite = DefaultsSuite.inMemory()

    /// The error of reading a source, without the suite and the name before the reason.
    private func failure(_ source: HTTPDefaultValueSource) async -> String? {
        do throws(DefaultsError) {
            try await suite.read(sources: source)
            return nil
        } catch {
            #expect(error.code == .sourceFailed)
            #expect(!"\(error)".contains("s3cret"))
            let place = error.line.map { "\($0):\(error.column ?? 0): " } ?? ""
            return place + (error.underlyingDescription ?? "").replacing("\"\(source.name)\": ", with: "")
        }
    }

    private func failure(_ server: LoopbackServer) async -> String? {
        await failure(
            HTTPDefaultValueSource(url: server.url("/d?token=s3cret"), headers: ["X-Token": "s3cret"]))
    }

    @Test func `the members of an answer are the layer, and the headers are sent`() async throws {
        let server = try LoopbackServer { _ in .http(Array(#"{"a": 1, "b": [true]}"#.utf8)) }
        let source = HTTPDefaultValueSource(
            url: server.url("/d?token=s3cret#x"), headers: ["X-Token": "s3cret"])
        try await suite.read(sources: source)
        #expect(suite.dictionaryRepresentation() == ["a": 1, "b": [true]])
        #expect(server.requests.all.map { $0.path } == ["/d?token=s3cret"])
        #expect(server.requests.all.map { $0.headers["x-token"] } == ["s3cret"])
        #expect(source.name == "http://127.0.0.1:\(server.port)/d")
        #expect(!"\(source)".contains("s3cret"))
        var dumped = ""
        dump(source, to: &dumped)
        #expect(!dumped.contains("s3cret"))
    }

    @Test func `a mapper makes the layer, and what it throws is the source's failure`() async throws {
        struct NotToday: Error {}
        let server = try LoopbackServer { _ in .http(Array(#"{"ui": {"theme": "dark"}}"#.utf8)) }
        let source = HTTPDefaultValueSource(url: server.url()) { json in
            ["theme": json["ui"]?["theme"] ?? "light"]
        }
        #expect(await failure(source) == nil)
        #expect(suite.dictionaryRepresentation() == ["theme": "dark"])
        let other = HTTPDefaultValueSource(url: server.url(), name: "other") { _ in throw NotToday() }
        #expect(await failure(other) == "NotToday()")
        #expect(suite.dictionaryRepresentation() == ["theme": "dark"])
    }

    @Test func `a source with a name of the caller's still tells its address`() async throws {
        let server = try LoopbackServer { _ in .http(Array("<html>".utf8)) }
        let source = HTTPDefaultValueSource(url: server.url("/d?token=s3cret"), name: "remote")
        let error = await #expect(throws: DefaultsError.self) { try await suite.read(sources: source) }
        #expect(error?.path == "http://127.0.0.1:\(server.port)/d")
        #expect(error?.underlyingDescription == #""remote": expected {"#)
        #expect(error?.line == 1)
    }

    @Test(arguments: [201, 204, 206, 304, 400, 401, 403, 404, 407, 429, 500, 503, 301, 300, 305])
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

    @Test(arguments: ["[]", "1", "", "{\"a\": 1", "{\"\": 1}", "{\"a\": \u{1}}", "\u{feff}"])
    func `a text that is no layer is a failure`(text: String) async throws {
        let server = try LoopbackServer { _ in .http(Array(text.utf8)) }
        #expect(await failure(server) != nil)
        #expect(suite.dictionaryRepresentation() == [:])
    }

    @Test func `nobody at the address is a failure, and soon`() async {
        // A server's old port may be given to another test's server; this one is given to nobody.
        let url = "http://127.0.0.1:1/"
        let began = ContinuousClock.now
        #expect(await failure(HTTPDefaultValueSource(url: url))?.hasPrefix("it cannot be had: ") == true)
        #expect(ContinuousClock.now - began < .seconds(9))
    }

    // The last ones end a program whose Foundation asks, as the guides say.
    @Test(arguments: [
        "", "garbage\r\n\r\n", "\r\n\r\n", "HTTP/1.1 200 OK", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{}", "HTTP/1.1 200 OK\r\nno colon\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\n\r\n{}", "HTTP/1.0 200 OK\r\n\r\n{}",
        "HTTP/1.1 200\r\n\r\n", "HTTP/9.1 200 OK\r\n\r\n{}", "HTTP/1.1 99999 OK\r\n\r\n{}",
        "HTTP/1.1 -1 OK\r\n\r\n{}", "HTTP/1.1 000 OK\r\n\r\n{}",
        "HTTP/1.1 000 OK\r\nContent-Length: 2\r\n\r\n{}", "HTTP/1.1 099 OK\r\nContent-Length: 2\r\n\r\n{}",
        "HTTP/1.1 101 OK\r\nContent-Length: 2\r\n\r\n{}", "HTTP/1.1 199 OK\r\nContent-Length: 2\r\n\r\n{}",
        "HTTP/1.1 204 OK\r\nContent-Length: 2\r\n\r\n{}",
        "HTTP/1.1 999 OK\r\n\r\n{}",
        "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{}",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{} ",
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n{}",
        "HTTP/1.1 302 Found\r\nLocation: http://[\r\n\r\n", "HTTP/1.1 302 Found\r\nLocation:\r\n\r\n",
        "HTTP/1.1 401 No\r\nWWW-Authenticate: Digest realm=\"a\", nonce=\"b\"\r\n\r\n",
        "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=\"a\"\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "GET / HTTP/1.1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775296\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\nA: b\r\n", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n",
        "HTTP/1.1 404 No\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nA: b\r\n\r\n",
        "HTTP/1.1 302 Found\r\nLocation: //[::1]/x\r\n\r\n",
    ])
    func `an answer that is none, or breaks off, is a failure, and ends nothing`(answer: String) async throws
    {
        let server = try LoopbackServer { _ in .send(Array(answer.utf8)) }
        #expect(await failure(server) != nil)
        #expect(suite.dictionaryRepresentation() == [:])
    }

    @Test(arguments: [
        "0x10", "2abc", "+2", "2 2", "2, 2", "2.0", "9223372036854775808", "99999999999999999999", "abc",
        "-2", "", "1", "3", "2097152",
    ])
    func `a length that is none, or another, is a failure`(length: String) async throws {
        let server = try LoopbackServer { _ in
            .send(LoopbackServer.Answer.head(200, ["Content-Length": length]) + Array("{}".utf8))
        }
        #expect(await failure(server) != nil)
        #expect(suite.dictionaryRepresentation() == [:])
    }

    @Test func `an answer before the question, or two to one, ends nothing`() async throws {
        let answer = LoopbackServer.Answer.head(200, ["Content-Length": "2"]) + Array("{}".utf8)
        let forged =
            LoopbackServer.Answer.head(200, ["Content-Length": "13"]) + Array(#"{"forged": 1}"#.utf8)
        for (greeting, body) in [(forged, answer), (forged, []), (Array("x".utf8), answer)] {
            let server = try LoopbackServer(greeting: greeting) { _ in .send(body) }
            for _ in 0..<5 { _ = await failure(server) }
            // The client may have asked before the greeting came, which is the answer then, and a whole one.
            #expect([[:], ["forged": 1]].contains(suite.dictionaryRepresentation()))
        }
        let server = try LoopbackServer { _ in .send(answer + forged) }
        let fresh = DefaultsSuite.inMemory()
        for _ in 0..<5 {
            try await fresh.read(sources: HTTPDefaultValueSource(url: server.url()))
            #expect(fresh.dictionaryRepresentation() == [:])
        }
    }

    @Test func `a trailer behind the chunks does no harm`() async throws {
        let server = try LoopbackServer { _ in
            .send(
                LoopbackServer.Answer.head(200, ["Transfer-Encoding": "chunked"])
                    + LoopbackServer.Answer.chunk(Array(#"{"a": 1}"#.utf8))
                    + Array("0\r\nContent-Encoding: gzip\r\nX: y\r\n\r\n".utf8))
        }
        #expect(await failure(server) == nil)
        #expect(suite.dictionaryRepresentation() == ["a": 1])
    }

    @Test(arguments: ["gzip", "br", "zstd", "deflate", "x-gzip", "gzip, gzip", "foo", "identity, gzip"])
    func `an answer in an encoding is a failure, and was asked not to be`(encoding: String) async throws {
        let server = try LoopbackServer { _ in
            .http(headers: ["Content-Encoding": encoding], Array("{}".utf8))
        }
        #expect(await failure(server) == "its answer is compressed, though it was asked not to be")
        #expect(server.requests.all.map { $0.headers["accept-encoding"] } == ["identity"])
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

    @Test func `an answer that is cut, or has another byte, anywhere ends nothing and gives nothing else`()
        async throws
    {
        let document = Array(#"{"a": 1}"#.utf8)
        let whole =
            LoopbackServer.Answer.head(200, ["Transfer-Encoding": "chunked", "ETag": "\"1\""])
            + LoopbackServer.Answer.chunk(document) + Array("0\r\n\r\n".utf8)
        let answers = Recorder<[UInt8]>()
        let server = try LoopbackServer { _ in .send(answers.all.last ?? []) }
        var numbers = SeededNumbers(seed: 40)
        for place in whole.indices {
            var changed = whole
            changed[place] = UInt8.random(in: 0...255, using: &numbers)
            // A byte of the document may be another one; nothing of it is missing, and nothing more is in it.
            for (bytes, most) in [(Array(whole.prefix(place)), 0), (changed, 1)] {
                answers.append(bytes)
                let asked = HTTPFetch(url: server.url())
                switch await Result(catching: { try await asked.answer() }) {
                case .success(.body(let body, _)):
                    #expect(body.count == document.count, "\(bytes)")
                    #expect(zip(body, document).count { $0 != $1 } <= most, "\(bytes)")
                case .success: Issue.record("nothing was known")
                case .failure(let error): #expect((error as? DefaultsError)?.code == .sourceFailed)
                }
            }
        }
        answers.append(whole)
        #expect(await failure(server) == nil)
        #expect(suite.dictionaryRepresentation() == ["a": 1])
    }

    @Test func `answers put together by chance end nothing`() async throws {
        let parts = [
            "HTTP/1.1 ", "HTTP/1.1 200 OK\r\n", "200 OK\r\n", "103 A\r\n", "000 A\r\n", "101 A\r\n",
            "304 A\r\n",
            "302 A\r\nLocation: /\r\n", "\r\n", "Content-Length: 2\r\n", "Content-Length: 0\r\n",
            "Transfer-Encoding: chunked\r\n", "2\r\n{}\r\n", "0\r\n\r\n", "{}", "\0",
            "Connection: keep-alive\r\n",
            "Upgrade: h2c\r\n", "ETag: \"a\"\r\n", "A: b\r\n",
        ]
        var numbers = SeededNumbers(seed: 4_040)
        let answers = Recorder<String>()
        let server = try LoopbackServer { _ in .send(Array((answers.all.last ?? "").utf8)) }
        for _ in 0..<600 {
            let count = Int.random(in: 1...8, using: &numbers)
            let answer = (0..<count).map { _ in parts.randomElement(using: &numbers) ?? "" }.joined()
            answers.append((Bool.random(using: &numbers) ? "HTTP/1.1 200 OK\r\n" : "") + answer)
            _ = await failure(server)
            #expect(suite.dictionaryRepresentation() == [:])
        }
    }

    @Test func `the kit's rules hold`() async throws {
        let state = Recorder<String>()
        state.append(#"{"a": 1}"#)
        let server = try LoopbackServer { _ in .http(Array((state.all.last ?? "").utf8)) }
        let conformance = SourceConformance { HTTPDefaultValueSource.test(server) }
        try await conformance.check()
        try await conformance.checkChanges { state.append(#"{"a": 2}"#) }
        state.append("<html>")
        try await conformance.checkFailure()
        withExtendedLifetime(server) {}
    }
}

extension Result where Failure == any Error {
    /// What a body gives, or throws.
    init(catching body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
