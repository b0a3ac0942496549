/// What a server cannot do to a program: keep it waiting, fill its memory, or lead it and its headers elsewhere.
import AsyncHTTPClient
import Foundation
import NIOCore
import Testing
import TypedDefaults

@testable import TypedDefaultsHTTP

@Suite(.timeLimit(.minutes(30))) struct LimitTests {
    private static let most = 1 << 20

    /// What a fetch gives, or the reason it gives for giving nothing.
    private func fetch(
        _ url: String, headers: [String: String] = [:], within time: Duration = .seconds(60)
    ) async throws -> String {
        var fetch = HTTPFetch(url: url, headers: headers)
        fetch.limits.time = time
        do {
            guard case .body(let body, _) = try await fetch.answer() else { return "unchanged" }
            return "\(body.count) bytes"
        } catch let error as DefaultsError {
            #expect(error.code == .sourceFailed)
            return error.underlyingDescription ?? ""
        }
    }

    @Test func `the limits are those of the documentation`() {
        let limits = HTTPFetch.Limits()
        #expect(limits.bytes == 1_048_576)
        #expect(limits.time == .seconds(10))
        #expect(limits.redirects == 5)
    }

    @Test(arguments: [0, 1], [true, false])
    func `an answer may have 1 MiB and not a byte more`(more: Int, isChunked: Bool) async throws {
        let body = [UInt8](repeating: 0x20, count: Self.most + more)
        let server = try LoopbackServer { _ in isChunked ? .chunks(body) : .http(body) }
        let expected = more == 0 ? "1048576 bytes" : "its answer is larger than 1048576 bytes"
        #expect(try await fetch(server.url()) == expected)
    }

    @Test func `a body without end, as fast as it can be sent, is left as soon as it passes the limit`()
        async throws
    {
        let server = try LoopbackServer { _ in
            .pour(
                LoopbackServer.Answer.chunk([UInt8](repeating: 0x20, count: 65_536)),
                after: LoopbackServer.Answer.head(200, ["Transfer-Encoding": "chunked"]))
        }
        #expect(try await fetch(server.url()) == "its answer is larger than 1048576 bytes")
    }

    @Test func `a head without end is left as soon as it is too long`() async throws {
        let server = try LoopbackServer { _ in
            .pour(
                Array("A: \(String(repeating: "b", count: 9_000))\r\n".utf8),
                after: Array("HTTP/1.1 200 OK\r\n".utf8))
        }
        #expect(try await fetch(server.url()).hasPrefix("it cannot be had: "))
    }

    @Test func `heads without end before the answer are left when the time is over`() async throws {
        let head = Array("HTTP/1.1 103 Early Hints\r\n\r\n".utf8)
        let server = try LoopbackServer { _ in .pour(head, after: head) }
        #expect(try await fetch(server.url(), within: .seconds(5)) == "it took longer than 5.0 seconds")
    }

    @Test func `a length the server does not keep is not believed`() async throws {
        let server = try LoopbackServer { _ in
            .stall(after: LoopbackServer.Answer.head(200, ["Content-Length": "9000000000000000000"]))
        }
        #expect(try await fetch(server.url()) == "its answer is larger than 1048576 bytes")
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{"])
    func `a server that stalls is left when the time is over`(start: String) async throws {
        let server = try LoopbackServer { _ in .stall(after: Array(start.utf8)) }
        let began = ContinuousClock.now
        #expect(try await fetch(server.url(), within: .seconds(5)) == "it took longer than 5.0 seconds")
        #expect(ContinuousClock.now - began < .seconds(60))
    }

    @Test func `the time is for all redirects together`() async throws {
        // Each answer comes in time, but not all of them.
        let server = try LoopbackServer(answeringAfter: .seconds(2)) { request in
            guard let hops = Int(request.path.dropFirst()), hops > 0 else { return .http(Array("{}".utf8)) }
            return .http(status: 302, headers: ["Location": "/\(hops - 1)"])
        }
        #expect(try await fetch(server.url("/5"), within: .seconds(5)) == "it took longer than 5.0 seconds")
        #expect(server.requests.all.prefix(2).map(\.path) == ["/5", "/4"])
    }

    @Test func `who cancels the task is not kept waiting`() async throws {
        let server = try LoopbackServer { _ in .stall(after: []) }
        var fetch = HTTPFetch(url: server.url())
        fetch.limits.time = .seconds(600)
        let asking = Task { [fetch] in try await fetch.answer() }
        #expect(await server.requests.wait(for: 1))
        asking.cancel()
        await #expect(throws: CancellationError.self) { try await asking.value }
    }

    @Test func `a task that is cancelled at any moment of an answer traps nothing`() async throws {
        let server = try LoopbackServer { request in
            request.path == "/" ? .http(status: 302, headers: ["Location": "/next"]) : .http(Array("{}".utf8))
        }
        let url = server.url()
        for number in 0..<100 {
            let asking = Task { try await HTTPFetch(url: url).answer() }
            // Each time a little later: after so many turns of this task.
            for _ in 0..<number * 20 { await Task.yield() }
            asking.cancel()
            _ = await asking.result
        }
        #expect(try await fetch(url) == "2 bytes")
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `a redirect within the origin is followed, and no header of the program's with it`(
        status: Int
    ) async throws {
        let server = try LoopbackServer { request in
            request.path == "/"
                ? .http(status: status, headers: ["Location": "/next?a=b"]) : .http(Array("{}".utf8))
        }
        let headers = ["Authorization": "Bearer s3cret", "X-Token": "s3cret", "Cookie": "a=s3cret"]
        #expect(try await fetch(server.url(), headers: headers) == "2 bytes")
        #expect(server.requests.all.map { $0.path } == ["/", "/next?a=b"])
        let (first, second) = (server.requests.all.first, server.requests.all.dropFirst().first)
        #expect(first?.headers["authorization"] == "Bearer s3cret")
        #expect(first?.headers["x-token"] == "s3cret")
        #expect(!(try #require(second)).headers.values.contains { $0.contains("s3cret") })
    }

    @Test(arguments: [
        ("X-Token", "s3cret\n"), ("X-Token", "s3cret\r\nX-Other: a"), ("X-Token", "s3cret\0"),
        ("X-Token", "s3\u{7F}cret"),
        ("X-Token: a\r\nX-Other", "s3cret"), ("X-Token: s3cret", ""), ("X-Token s3cret", "a"), ("", "s3cret"),
    ])
    func `a header that would arrive as another is not sent`(name: String, value: String) async throws {
        let server = try LoopbackServer { _ in .http(Array("{}".utf8)) }
        let reason = try await fetch(server.url(), headers: [name: value])
        let begin = name.isEmpty ? "'…'" : name == "X-Token" ? "the header 'X-Token' " : "'X-Token…'"
        #expect(reason.contains(begin))
        #expect(!reason.contains("s3"))
        #expect(server.requests.all.isEmpty)
    }

    @Test(arguments: [("X-Token", "a\tb, c"), ("x_!~'`|^*", "é"), ("X-Token", "")])
    func `a header of any characters that may be in one arrives`(name: String, value: String) async throws {
        let server = try LoopbackServer { _ in .http(Array("{}".utf8)) }
        #expect(try await fetch(server.url(), headers: [name: value]) == "2 bytes")
        #expect(server.requests.all.map { $0.headers[name.lowercased()] } == [value])
    }

    @Test func `no cookie the server sets comes back`() async throws {
        let server = try LoopbackServer { request in
            request.path == "/"
                ? .http(status: 302, headers: ["Location": "/next", "Set-Cookie": "a=b; Path=/"])
                : .http(Array("{}".utf8))
        }
        #expect(try await fetch(server.url()) == "2 bytes")
        #expect(try await fetch(server.url("/next")) == "2 bytes")
        #expect(server.requests.all.compactMap { $0.headers["cookie"] } == [])
    }

    @Test func `a redirect to another origin is refused, and nothing is asked there`() async throws {
        let other = try LoopbackServer { _ in .http(Array("{}".utf8)) }
        let target = other.url()
        let server = try LoopbackServer { _ in .http(status: 302, headers: ["Location": target]) }
        #expect(
            try await fetch(server.url(), headers: ["X-Token": "s3cret"])
                == "it redirects to another origin")
        #expect(other.requests.all == [])
    }

    /// Where a server may not lead, and why.
    static let elsewhere: [(String, String)] = [
        ("http://example.com/", "only https, and http on this machine, may be asked"),
        ("//example.com/", "only https, and http on this machine, may be asked"),
        ("file:///etc/passwd", "the address has no host"),
        ("ftp://127.0.0.1/", "only https, and http on this machine"),
        ("unix:///tmp/socket", "the address has no host"),
        ("http+unix://%2Ftmp%2Fsocket/", "only https, and http on this machine"),
        ("http://127.0.0.1.example.com/", "only https, and http on this machine"),
        ("http://a:b@127.0.0.1/", "the address holds a user"),
    ]

    @Test(arguments: elsewhere)
    func `a redirect to where nothing may be asked is refused`(location: String, reason: String) async throws
    {
        let server = try LoopbackServer { _ in .http(status: 302, headers: ["Location": location]) }
        let found = try await fetch(server.url())
        #expect(found.hasPrefix("it redirects to where nothing may be asked: " + reason), "\(found)")
        #expect(server.requests.all.count == 1)
    }

    @Test func `a redirect to https on the same host is another origin`() async throws {
        let server = try LoopbackServer { _ in .http(status: 302, headers: ["Location": "https://127.0.0.1/"])
        }
        #expect(try await fetch(server.url()) == "it redirects to another origin")
    }

    @Test func `five redirects are followed and no sixth, nor a circle`() async throws {
        let server = try LoopbackServer { request in
            guard let hops = Int(request.path.dropFirst()), hops > 0 else { return .http(Array("{}".utf8)) }
            return .http(status: 302, headers: ["Location": hops == 99 ? "/99" : "/\(hops - 1)"])
        }
        #expect(try await fetch(server.url("/5")) == "2 bytes")
        #expect(try await fetch(server.url("/6")) == "it redirects more than 5 times")
        #expect(try await fetch(server.url("/99")) == "it redirects more than 5 times")
    }

    @Test(arguments: [
        ("http://example.com/?s3cret", "only https, and http on this machine, may be asked"),
        ("http://128.0.0.1/", "only https, and http on this machine, may be asked"),
        ("ftp://example.com/", "only https, and http on this machine, may be asked"),
        ("file:///etc/passwd", "the address has no host"), ("relative/path", "the address has no host"),
        ("https://a:s3cret@example.com/", "the address holds a user; credentials belong into headers"),
        ("", "the address is no URL"), ("http://[", "the address is no URL"),
    ])
    func `only https, and http on this machine, is asked`(address: String, reason: String) async throws {
        let fetch = HTTPFetch(url: address)
        let error = await #expect(throws: DefaultsError.self) { try await fetch.answer() }
        #expect(error?.underlyingDescription == reason)
        #expect(!"\(HTTPDefaultValueSource(url: address).name) \(error.map { "\($0)" } ?? "")".contains("s3"))
    }

    @Test func `what is meant for this machine is never sent to a proxy`() async throws {
        let proxy = try LoopbackServer { _ in .http(Array("{}".utf8)) }
        let server = try LoopbackServer { _ in .http(Array("{}".utf8)) }
        var configuration = HTTPClient.Configuration()
        configuration.proxy = .server(host: "127.0.0.1", port: proxy.port)
        let client = HTTPDefaultValueSource.Client(configuration)
        let fetch = HTTPFetch(url: server.url(), headers: ["X-Token": "s3cret"], client: client)
        let error = await #expect(throws: DefaultsError.self) { try await fetch.answer() }
        #expect(error?.underlyingDescription?.contains("proxy") == true)
        #expect(proxy.requests.all == [])
        #expect(server.requests.all == [])
    }

    @Test func `a client that is told to follow redirects and to unpack does neither`() async throws {
        let other = try LoopbackServer { _ in .http(Array("{}".utf8)) }
        let target = other.url()
        let server = try LoopbackServer { _ in .http(status: 302, headers: ["Location": target]) }
        // Like a browser: it follows twenty, and unpacks.
        let client = HTTPDefaultValueSource.Client(.singletonConfiguration)
        let fetch = HTTPFetch(url: server.url(), client: client)
        await #expect(throws: DefaultsError.self) { try await fetch.answer() }
        #expect(server.requests.all.map { $0.headers["accept-encoding"] } == ["identity"])
        #expect(other.requests.all == [])

        let zipped = try LoopbackServer { _ in
            .http(headers: ["Content-Encoding": "gzip"], Self.gzip)
        }
        let response = try await client.http.execute(
            HTTPClientRequest(url: zipped.url()), timeout: .seconds(60))
        #expect(Array(try await response.body.collect(upTo: Self.most).readableBytesView) == Self.gzip)
    }

    /// `{"a": 1}` as `gzip` packs it.
    private static let gzip: [UInt8] = [
        0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xAB, 0x56, 0x4A, 0x54,
        0xB2, 0x52, 0x30, 0xAC, 0x05, 0x00, 0x97, 0x8E, 0xA1, 0xFB, 0x08, 0x00, 0x00, 0x00,
    ]

    @Test func `a client's own look at each connection comes after the guard`() async throws {
        let server = try LoopbackServer { _ in .http(Array("{}".utf8)) }
        let guarded = Recorder<Bool>()
        var configuration = HTTPClient.Configuration()
        configuration.http1_1ConnectionDebugInitializer = { channel in
            channel.pipeline.handler(type: AnswerGuard.self).map { _ in () }.always {
                if case .success = $0 { guarded.append(true) } else { guarded.append(false) }
            }
        }
        let client = HTTPDefaultValueSource.Client(configuration)
        guard case .body = try await HTTPFetch(url: server.url(), client: client).answer() else {
            Issue.record("nothing was known")
            return
        }
        #expect(guarded.all == [true])
    }
}
