/// What a server cannot do to a program: keep it waiting, fill its memory, or lead it and its headers elsewhere.
import Foundation
import TestSupport
import Testing
import TypedDefaults
@testable import TypedDefaultsFoundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.ownThread, .timeLimit(.minutes(60))) struct RemoteLimitTests {
    private static let most = 1 << 20

    /// What a fetch gives, or the reason it gives for giving nothing.
    private func fetch(
        _ url: URL, headers: [String: String] = [:], within time: Duration = .seconds(30)
    ) async throws -> String {
        var fetch = RemoteFetch(url: url, headers: headers)
        fetch.limits.time = time
        do { return "\(try await fetch.body().count) bytes" } catch let error as DefaultsError {
            #expect(
                error.path == RemoteAddress.shown(url) || error.path?.hasPrefix("http://127.0.0.1") == true)
            return error.underlyingDescription ?? ""
        }
    }

    @Test func `the limits are those of the documentation`() {
        let limits = RemoteFetch.Limits()
        #expect(limits.bytes == 1_048_576)
        #expect(limits.time == .seconds(10))
        #expect(limits.redirects == 5)
    }

    @Test(arguments: [0, 1]) func `an answer may have 1 MiB and not a byte more`(more: Int) async throws {
        let server = try LoopbackServer { _ in .http([UInt8](repeating: 0x20, count: Self.most + more)) }
        let expected = more == 0 ? "1048576 bytes" : "its answer is larger than 1048576 bytes"
        #expect(try await fetch(server.url()) == expected)
    }

    @Test(arguments: [0, 1])
    func `the limit holds where the server names no length`(more: Int) async throws {
        let server = try LoopbackServer { _ in
            .chunks([UInt8](repeating: 0x20, count: Self.most + more))
        }
        let expected = more == 0 ? "1048576 bytes" : "its answer is larger than 1048576 bytes"
        #expect(try await fetch(server.url()) == expected)
    }

    @Test func `a body without end is left as soon as it passes the limit`() async throws {
        let server = try LoopbackServer { _ in
            .pour(
                LoopbackServer.Answer.chunk([UInt8](repeating: 0x20, count: 65_536)),
                after: LoopbackServer.Answer.head(200, ["Transfer-Encoding": "chunked"]))
        }
        #expect(try await fetch(server.url()) == "its answer is larger than 1048576 bytes")
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
        // The session's own clock runs twice as long; by so much neither is late.
        #expect(try await fetch(server.url(), within: .seconds(2)) == "it took longer than 2.0 seconds")
        #expect(ContinuousClock.now - began < .seconds(30))
    }

    @Test func `the time is for all redirects together`() async throws {
        let server = try LoopbackServer { request in
            request.path == "/" ? .http(status: 302, headers: ["Location": "/next"]) : .stall(after: [])
        }
        #expect(try await fetch(server.url(), within: .seconds(5)) == "it took longer than 5.0 seconds")
        #expect(server.requests.all.map { $0.path } == ["/", "/next"])
    }

    @Test func `a task that is cancelled at any moment of an answer traps nothing`() async throws {
        let server = try LoopbackServer { request in
            request.path == "/" ? .http(status: 302, headers: ["Location": "/next"]) : .http(Array("{}".utf8))
        }
        let url = server.url()
        for number in 0..<100 {
            let asking = Task { try await RemoteFetch(url: url, headers: [:]).body() }
            // Each time a little later: after so many turns of this task.
            for _ in 0..<number * 20 { await Task.yield() }
            asking.cancel()
            _ = await asking.result
        }
        #expect(try await fetch(url) == "2 bytes")
    }

    @Test func `however exchanges end, their sessions end too and trap nothing`() async throws {
        let server = try LoopbackServer { request in
            switch request.path {
            case "/none": .http(status: 404)
            case "/away": .http(status: 302, headers: ["Location": "/"])
            case "/cut": .send(Array("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{".utf8))
            case "/locked": .http(status: 401, headers: ["WWW-Authenticate": "Basic realm=\"r\""])
            default: .http(Array("{}".utf8))
            }
        }
        let ends = [
            "/": "2 bytes", "/away": "2 bytes", "/none": "it answered with status 404, not 200",
            "/cut": "it cannot be had: transfer closed with 9 bytes remaining to read",
            "/locked": "it answered with status 401, not 200",
        ]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (path, end) in Array(ends) + Array(ends) {
                group.addTask {
                    for _ in 0..<Soak.times(20) {
                        let found = try await fetch(server.url(path))
                        #expect(found == end)
                    }
                }
            }
            try await group.waitForAll()
        }
        weak var exchange: RemoteExchange?
        for path in ends.keys {
            do {
                let made = RemoteExchange(URLRequest(url: server.url(path)), limit: 10)
                exchange = made
                _ = try await made.answer()
            }
            #expect(eventually { exchange == nil }, "its session keeps \(path)")
        }
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
        #expect(server.requests.all[0].headers["authorization"] == "Bearer s3cret")
        #expect(!server.requests.all[1].headers.values.contains { $0.contains("s3cret") })
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
        let target = other.url().absoluteString
        let server = try LoopbackServer { _ in .http(status: 302, headers: ["Location": target]) }
        let reason = try await fetch(server.url(), headers: ["X-Token": "s3cret"])
        #expect(reason == "it redirects to another origin")
        #expect(other.requests.all == [])
    }

    /// Where a server may not lead, and why.
    static let elsewhere: [(String, String)] = [
        ("http://example.com/", "only https, and http on this machine, may be asked"),
        ("//example.com/", "only https, and http on this machine, may be asked"),
        ("file:///etc/passwd", "the address has no host"),
        ("ftp://127.0.0.1/", "only https, and http on this machine"),
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

    @Test func `five redirects are followed and no sixth`() async throws {
        let server = try LoopbackServer { request in
            guard let hops = Int(request.path.dropFirst()), hops > 0 else { return .http(Array("{}".utf8)) }
            return .http(status: 302, headers: ["Location": "/\(hops - 1)"])
        }
        #expect(try await fetch(server.url("/5")) == "2 bytes")
        #expect(try await fetch(server.url("/6")) == "it redirects more than 5 times")
    }

    /// Addresses, and why nothing is asked of them.
    static let addresses: [(String, String?)] = [
        ("https://example.com/a", nil), ("http://localhost:80/", nil), ("http://LOCALHOST/", nil),
        ("http://127.0.0.1/", nil), ("http://127.255.1.2/", nil), ("http://[::1]:8080/", nil),
        ("http://example.com/", "only https, and http on this machine, may be asked"),
        ("http://128.0.0.1/", "only https, and http on this machine, may be asked"),
        ("http://127.0.0.1.example.com/", "only https, and http on this machine, may be asked"),
        ("http://127.0.0.256/", "only https, and http on this machine, may be asked"),
        ("http://localhost.example.com/", "only https, and http on this machine, may be asked"),
        ("http://[::2]/", "only https, and http on this machine, may be asked"),
        ("ftp://example.com/", "only https, and http on this machine, may be asked"),
        ("file:///etc/passwd", "the address has no host"), ("relative/path", "the address has no host"),
        ("https://a@example.com/", "the address holds a user; credentials belong into headers"),
        ("https://a:b@example.com/", "the address holds a user; credentials belong into headers"),
    ]

    @Test(arguments: addresses)
    func `only https, and http on this machine, is asked`(address: String, reason: String?) throws {
        let url = try #require(URL(string: address))
        var found: String?
        do { _ = try RemoteAddress(url) } catch { found = error.underlyingDescription }
        #expect(found == reason)
    }

    /// What the environment says, and whether http to `127.0.0.1` goes straight there.
    static let environments: [([String: String], Bool)] = [
        ([:], true), (["http_proxy": ""], true), (["https_proxy": "http://p"], true),
        (["http_proxy": "http://p"], false), (["all_proxy": "http://p"], false),
        (["ALL_PROXY": "http://p"], false),
        (["http_proxy": "http://p", "no_proxy": "localhost,127.0.0.1"], true),
        (["http_proxy": "http://p", "NO_PROXY": "127.0.0.1"], true),
        (["http_proxy": "http://p", "no_proxy": "*"], true),
        (["http_proxy": "http://p", "no_proxy": "localhost"], false),
    ]

    @Test(arguments: environments)
    func `what is meant for this machine is never sent to a proxy`(
        environment: [String: String], isSent: Bool
    ) async throws {
        let server = try LoopbackServer { _ in .http(Array("{}".utf8)) }
        var fetch = RemoteFetch(url: server.url(), headers: ["X-Token": "s3cret"])
        fetch.environment = environment
        var reason: String?
        do { _ = try await fetch.body() } catch { reason = (error as? DefaultsError)?.underlyingDescription }
        #expect((reason == nil) == isSent)
        #expect(reason?.hasSuffix("would send it to a proxy; list 127.0.0.1 in no_proxy") ?? true)
        #expect(server.requests.all.count == (isSent ? 1 : 0))
    }

    @Test func `an address is shown without what may be secret`() throws {
        let url = try #require(URL(string: "https://user:word@example.com:8443/a/b?token=s3cret#s3cret"))
        #expect(RemoteAddress.shown(url) == "https://example.com:8443/a/b")
    }
}
