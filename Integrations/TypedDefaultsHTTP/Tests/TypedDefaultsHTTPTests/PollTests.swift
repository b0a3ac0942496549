/// A server that is asked again and again.
import Foundation
import NIOHTTP1
import Testing
import TypedDefaults

@testable import TypedDefaultsHTTP

@Suite(.timeLimit(.minutes(30))) struct PollTests {
    /// What a server says now.
    private final class Script: Sendable {
        let bodies = Recorder<String>()

        init(_ body: String) { bodies.append(body) }

        func say(_ body: String) { bodies.append(body) }

        /// Answers with the newest body, and says where the client has it already; down while it is empty.
        func answer(_ request: LoopbackServer.Request) -> LoopbackServer.Answer {
            let (body, tag) = (bodies.all.last ?? "", "\"\(bodies.all.count)\"")
            if body.isEmpty { return .http(status: 503) }
            if request.headers["if-none-match"] == tag {
                return .send(LoopbackServer.Answer.head(304, ["ETag": tag]))
            }
            return .http(
                headers: ["ETag": tag, "Last-Modified": "Thu, 26 Nov 2026 00:00:00 GMT"], Array(body.utf8))
        }
    }

    @Test func `a change is heard, and an answer that is known is not sent again`() async throws {
        let script = Script(#"{"a": 1}"#)
        let server = try LoopbackServer { script.answer($0) }
        let follower = Follower(HTTPDefaultValueSource.test(server))
        #expect(await follower.reaches(["a": 1]))
        #expect(await server.requests.wait(for: 4))
        let known = try #require(server.requests.all.dropFirst().first).headers
        #expect(known["if-none-match"] == "\"1\"")
        #expect(known["if-modified-since"] == "Thu, 26 Nov 2026 00:00:00 GMT")
        script.say(#"{"a": 2}"#)
        #expect(await follower.reaches(["a": 2]))
        let asked = server.requests.all.count
        #expect(await server.requests.wait { $0.count > asked + 2 })
        #expect(server.requests.all.last?.headers["if-none-match"] == "\"2\"")
        #expect(follower.states.all.filter { !$0.isEmpty } == [["a": 1], ["a": 2]])
        #expect(follower.failures.all == [])
    }

    @Test func `an answer that is confirmed is as old as the confirmation`() async throws {
        let script = Script(#"{"a": 1}"#)
        let server = try LoopbackServer { script.answer($0) }
        let url = server.url()
        let reports = Recorder<DefaultsLayerUpdate>()
        let polling = Task {
            var poll = HTTPPoll(
                fetch: HTTPFetch(url: url), pace: HTTPPace(interval: .milliseconds(20)), place: nil,
                mapper: nil)
            await poll.run { reports.append($0) }
        }
        #expect(await reports.wait(for: 50))
        script.say("")
        #expect(await reports.wait { $0.last?.failures.isEmpty == false })
        polling.cancel()
        // Each has the layer, so that whoever misses one misses nothing, and its age goes on while the server is away.
        let (answers, failure) = (reports.all.filter(\.failures.isEmpty), reports.all.last)
        #expect(reports.all.allSatisfy { $0.layer?.values == ["a": 1] })
        #expect(answers.count >= 50)
        // An answer is no older than the pause before it, and what is known at a failure as old as the last answer.
        let ages = try answers.map { try #require($0.layer?.age) }
        #expect((failure?.layer?.age ?? .zero) > .milliseconds(15))
        #expect((ages.max() ?? .zero) < .seconds(60))
        // Of one that goes on through confirmations, 25 pauses of 18 ms at least would be in each of the last.
        #expect((ages.prefix(50).suffix(25).min() ?? .zero) < .milliseconds(450))
    }

    @Test func `while the server is away the layer stays, one failure is told, and then values are heard`()
        async throws
    {
        let script = Script(#"{"a": 1}"#)
        let server = try LoopbackServer { script.answer($0) }
        let follower = Follower(HTTPDefaultValueSource.test(server, name: "fleet"))
        #expect(await follower.reaches(["a": 1]))
        script.say("")
        #expect(await follower.failures.wait(for: 1))
        let asked = server.requests.all.count
        #expect(await server.requests.wait { $0.count > asked + 3 })
        #expect(follower.suite.value(forKey: "a") == 1)
        script.say(#"{"a": 2}"#)
        #expect(await follower.reaches(["a": 2]))
        #expect(follower.failures.all == [#""fleet": it answered with status 503, not 200"#])
        #expect(await follower.recoveries.wait(for: 1))
        script.say("")
        #expect(await follower.failures.wait(for: 2))
        #expect(follower.recoveries.all.count == 1)
    }

    @Test func `an answer that cannot be used is asked for in full again`() async throws {
        let script = Script(#"{"a": 1}"#)
        let server = try LoopbackServer { script.answer($0) }
        let follower = Follower(HTTPDefaultValueSource.test(server))
        #expect(await follower.reaches(["a": 1]))
        script.say("<html>")
        #expect(await follower.failures.wait(for: 1))
        let asked = server.requests.all.count
        #expect(await server.requests.wait { $0.count > asked + 2 })
        #expect(server.requests.all.last?.headers["if-none-match"] == "\"1\"")
        #expect(follower.suite.value(forKey: "a") == 1)
        #expect(follower.failures.all.count == 1)
    }

    @Test(arguments: ["\"\(String(repeating: "x", count: 2_000))\"", ""])
    func `a tag that could not be sent back as it came is not`(tag: String) async throws {
        let server = try LoopbackServer { _ in
            .http(headers: ["ETag": tag], Array(#"{"a": 1}"#.utf8))
        }
        let follower = Follower(HTTPDefaultValueSource.test(server))
        #expect(await follower.reaches(["a": 1]))
        #expect(await server.requests.wait(for: 3))
        #expect(server.requests.all.allSatisfy { $0.headers["if-none-match"] == nil })
        #expect(follower.failures.all == [])
    }

    @Test(arguments: [("\"1\"", true), ("a\u{7F}b", false), ("a\nb", false), ("a\0", false)])
    func `a tag that the client would refuse to send is not kept, should it ever come`(
        tag: String, isKept: Bool
    ) throws {
        let url = try #require(URL(string: "https://example.com/"))
        #expect(HTTPValidators(HTTPHeaders([("ETag", tag)]), from: url).know(url) == isKept)
    }

    @Test func `a server that says that nothing has changed, though nothing is known, is a failure`()
        async throws
    {
        let server = try LoopbackServer { _ in .send(LoopbackServer.Answer.head(304, ["ETag": "\"1\""])) }
        let follower = Follower(HTTPDefaultValueSource.test(server, name: "fleet"))
        #expect(await follower.failures.wait(for: 1))
        #expect(follower.failures.all == [#""fleet": it answered with status 304, not 200"#])
        #expect(await server.requests.wait(for: 3))
        #expect(follower.suite.dictionaryRepresentation() == [:])
    }

    @Test func `that nothing has changed is believed of an address that was asked so, and of no other`()
        async throws
    {
        let isSilent = Recorder<Bool>()
        let server = try LoopbackServer { request in
            if request.path == "/v1.json" {
                return .http(headers: ["ETag": "\"1\""], Array(#"{"a": 1}"#.utf8))
            }
            return isSilent.all.isEmpty
                ? .http(status: 302, headers: ["Location": "/v1.json"])
                : .send(LoopbackServer.Answer.head(304, ["ETag": "\"1\""]))
        }
        let follower = Follower(HTTPDefaultValueSource.test(server, "/current", name: "fleet"))
        #expect(await follower.reaches(["a": 1]))
        isSilent.append(true)
        #expect(await follower.failures.wait(for: 1))
        #expect(follower.failures.all == [#""fleet": it answered with status 304, not 200"#])
        #expect(follower.suite.value(forKey: "a") == 1)
    }

    @Test func `a server that hangs keeps nothing waiting but its own answer`() async throws {
        let server = try LoopbackServer { _ in .stall(after: []) }
        var fetch = HTTPFetch(url: server.url())
        fetch.limits.time = .milliseconds(200)
        var pace = HTTPPace(interval: .milliseconds(20))
        pace.shortest = .milliseconds(10)
        let follower = Follower(HTTPDefaultValueSource(fetch: fetch, pace: pace, name: "fleet"))
        #expect(await follower.failures.wait(for: 1))
        #expect(follower.failures.all == [#""fleet": it took longer than 0.2 seconds"#])
        #expect(await server.requests.wait(for: 3))
        follower.following.invalidate()
    }

    @Test func `who ends the following ends the questions`() async throws {
        let server = try LoopbackServer { _ in .stall(after: []) }
        var fetch = HTTPFetch(url: server.url())
        // Longer than the test waits, so that nobody but who ends the following ends the question.
        fetch.limits.time = .seconds(600)
        let follower = Follower(
            HTTPDefaultValueSource(fetch: fetch, pace: HTTPPace(interval: .milliseconds(20))))
        #expect(await server.requests.wait(for: 1))
        follower.following.invalidate()
        #expect(await server.departures.wait(for: 1))
        #expect(server.requests.all.count == 1)
        #expect(follower.failures.all == [])
    }

    @Test func `questions of one connection are each answered, and known by their answers`() async throws {
        let server = try LoopbackServer { request in
            let isKnown = request.headers["if-none-match"] == "\"1\""
            let body = Array((isKnown ? "" : #"{"a": 1}"#).utf8)
            var headers = ["ETag": "\"1\""]
            if !isKnown { headers["Content-Length"] = String(body.count) }
            return .keep(
                LoopbackServer.Answer.head(isKnown ? 304 : 200, headers, connection: "keep-alive") + body)
        }
        let follower = Follower(HTTPDefaultValueSource.test(server))
        #expect(await follower.reaches(["a": 1]))
        #expect(await server.requests.wait(for: 5))
        #expect(server.requests.all.prefix(5).map(\.connection) == [0, 0, 0, 0, 0])
        #expect(follower.failures.all == [])
    }

    @Test(arguments: [#"ETag: "1""#, "Last-Modified: Thu, 26 Nov 2026 00:00:00 GMT"])
    func `an address is asked by what it has said itself, not by what another said`(validator: String)
        async throws
    {
        let parts = validator.components(separatedBy: ": ")
        let current = Recorder<String>()
        current.append("/v2.json")
        // As a server of files does: what has this tag, or no newer date, is not sent.
        let server = try LoopbackServer { request in
            let isAsked =
                request.headers["if-none-match"] != nil || request.headers["if-modified-since"] != nil
            if isAsked { return .send(LoopbackServer.Answer.head(304, [parts[0]: parts[1]])) }
            if request.path == "/current" {
                return .http(status: 302, headers: ["Location": current.all.last ?? ""])
            }
            let body = request.path == "/v1.json" ? #"{"a": 1}"# : #"{"a": 2}"#
            return .http(headers: [parts[0]: parts[1]], Array(body.utf8))
        }
        let follower = Follower(HTTPDefaultValueSource.test(server, "/current"))
        #expect(await follower.reaches(["a": 2]))
        let asked = server.requests.all.count
        #expect(await server.requests.wait { $0.count > asked + 4 })
        current.append("/v1.json")
        #expect(await follower.reaches(["a": 1]))
        let name = parts[0] == "ETag" ? "if-none-match" : "if-modified-since"
        let known = server.requests.all.filter { $0.headers[name] != nil }
        #expect(!known.isEmpty && known.allSatisfy { $0.path != "/current" })
        #expect(follower.failures.all == [])
    }

    @Test func `the pauses are the interval, and after failures twice as long each time, up to it`() {
        var pace = HTTPPace(interval: .seconds(300))
        #expect(pace.range(afterSuccess: true) == .seconds(270)...(.seconds(330)))
        let failing = (0..<12).map { _ in pace.range(afterSuccess: false) }
        #expect(failing[0] == .seconds(0.5)...(.seconds(1.5)))
        #expect(failing[1] == .seconds(1)...(.seconds(3)))
        #expect(failing[8] == .seconds(128)...(.seconds(384)))
        #expect(failing[9] == .seconds(150)...(.seconds(450)))
        #expect(failing[11] == failing[9])
        #expect(pace.range(afterSuccess: true) == .seconds(270)...(.seconds(330)))
        #expect(pace.range(afterSuccess: false) == failing[0])
        for _ in 0..<100 {
            let pause = pace.pause(afterSuccess: true)
            #expect(pause >= .seconds(270) && pause <= .seconds(330))
        }
        var often = HTTPPace(interval: .seconds(1))
        let most = (0..<100).map { _ in often.range(afterSuccess: false) }.last
        #expect(most == .seconds(30)...(.seconds(90)))
    }

    @Test func `a server that says when to ask again is not asked before, but within the longest pause`() {
        var pace = HTTPPace(interval: .seconds(300))
        #expect(pace.range(afterSuccess: false, wish: .seconds(20)) == .seconds(20)...(.seconds(30)))
        #expect(pace.range(afterSuccess: false, wish: .seconds(1.5)) == .seconds(1.5)...(.seconds(3)))
        #expect(pace.range(afterSuccess: false, wish: .seconds(1)) == .seconds(2)...(.seconds(6)))
        #expect(pace.range(afterSuccess: false, wish: .seconds(Int.max)) == .seconds(300)...(.seconds(450)))
        #expect(pace.range(afterSuccess: false) == .seconds(8)...(.seconds(24)))
    }

    @Test(arguments: [
        ("120", Duration.seconds(120)), ("0", .zero), ("99999999999999999999", .seconds(Int.max)), ("", nil),
        ("-1", nil), ("1.5", nil), ("1 2", nil), ("soon", nil), ("Fri, 27 Nov 2026 00:00:00 GMT", nil),
    ])
    func `when to ask again is a number of seconds`(text: String, pause: Duration?) {
        #expect(HTTPHeaders([("Retry-After", text)]).retryAfter == pause)
    }

    @Test func `a server that wants to be left alone for a second is, and is heard when it answers`()
        async throws
    {
        let moments = Recorder<ContinuousClock.Instant>()
        let server = try LoopbackServer { _ in
            moments.append(.now)
            return moments.all.count < 4
                ? .http(status: 503, headers: ["Retry-After": "1"]) : .http(Array(#"{"a": 1}"#.utf8))
        }
        let follower = Follower(HTTPDefaultValueSource.test(server, name: "fleet"))
        #expect(await follower.reaches(["a": 1]))
        let pauses = zip(moments.all, moments.all.dropFirst()).prefix(3).map { $0.duration(to: $1) }
        #expect(pauses.count == 3 && pauses.allSatisfy { $0 >= .seconds(1) }, "\(pauses)")
        #expect(follower.failures.all == [#""fleet": it answered with status 503, not 200"#])
    }

    @Test func `nobody is asked more often than once a second, and everybody once a year`() {
        #expect(HTTPDefaultValueSource.Interval.seconds(0).duration == .seconds(1))
        #expect(HTTPDefaultValueSource.Interval(.milliseconds(-5)).duration == .seconds(1))
        #expect(HTTPDefaultValueSource.Interval.minutes(5).duration == .seconds(300))
        #expect(HTTPDefaultValueSource.Interval.hours(.max).duration == .seconds(366 * 86_400))
        #expect(HTTPDefaultValueSource.Interval.minutes(.min).duration == .seconds(1))
        #expect(HTTPDefaultValueSource.Interval(.seconds(Int64.max)).duration == .seconds(366 * 86_400))
    }
}

/// A start without the server.
@Suite(.timeLimit(.minutes(30))) struct OfflineTests {
    @Test func `a program starts with the last answer, and goes on when the server is back`() async throws {
        let folder = try TestFolder()
        var server: LoopbackServer? = try LoopbackServer { _ in .http(Array(#"{"a": 1}"#.utf8)) }
        let (port, url) = (try #require(server?.port), try #require(server?.url()))
        func source() throws -> HTTPDefaultValueSource {
            var pace = HTTPPace(interval: .milliseconds(20))
            pace.shortest = .milliseconds(10)
            return HTTPDefaultValueSource(fetch: HTTPFetch(url: url), pace: pace, name: "fleet")
        }
        var first: Follower? = Follower(
            try source(), suite: try DefaultsSuite("app", in: folder.path), keepingLastKnown: true)
        #expect(await first?.reaches(["a": 1]) == true)
        let known = folder.path + "/app/.settings.json.known"
        #expect(try await eventually { FileManager.default.fileExists(atPath: known) })
        let isWritten = try await eventually {
            try FileManager.default.contentsOfDirectory(atPath: known).contains { !$0.hasPrefix(".") }
        }
        #expect(isWritten)
        first?.following.invalidate()
        first = nil
        server = nil

        // By another path, which is another suite to this process: nothing but the disk is common to both.
        let path = try TestFolder().path
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder.path)
        defer { unlink(path) }
        let second = Follower(
            try source(), suite: try DefaultsSuite("app", in: path), keepingLastKnown: true)
        #expect(second.suite.value(forKey: "a") == 1)
        #expect(second.suite.explain(forKey: "a").first?.description.contains("last known, ") == true)
        #expect(await second.failures.wait(for: 1))
        #expect(second.suite.value(forKey: "a") == 1)
        server = try LoopbackServer(port: port) { _ in .http(Array(#"{"a": 2}"#.utf8)) }
        #expect(await second.reaches(["a": 2]))
        withExtendedLifetime(server) {}
    }
}
