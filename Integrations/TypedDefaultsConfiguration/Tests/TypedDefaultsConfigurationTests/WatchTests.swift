/// Configuration that changes while somebody watches it.
import Configuration
import Foundation
import Testing
import TypedDefaults
import TypedDefaultsConfiguration

@Suite(.timeLimit(.minutes(5))) struct WatchTests {
    private let suite = DefaultsSuite.inMemory()
    private var reader: ConfigReader { ConfigReader(provider: DefaultsConfigProvider(suite)) }

    @Test func `a watch gives the present value, then each change of the value that applies`() async throws {
        try suite.set(["port": 1], forKey: "http")
        let ports = try await reader.watchInt(forKey: "http.port") { [suite] updates in
            var updates = updates.makeAsyncIterator()
            var ports = [try await updates.next()]
            try suite.set(["port": 2, "host": "a"], forKey: "http")
            ports.append(try await updates.next())
            try suite.set(3, forKey: "http.port")
            ports.append(try await updates.next())
            try suite.removeAll()
            ports.append(try await updates.next())
            return ports
        }
        #expect(ports == [1, 2, 3, .some(nil)])
    }

    @Test func `a watch goes on after a value of another type, which it tells as what it is`() async throws {
        let provider = DefaultsConfigProvider(suite)
        let results = try await provider.watchValue(forKey: "port", type: .int) { [suite] updates in
            var updates = updates.makeAsyncIterator()
            var results = [try await updates.next()?.get().value?.content]
            try suite.set("eighty", forKey: "port")
            let failure = try await updates.next()
            #expect(throws: DefaultsError.self) { try failure?.get() }
            try suite.set(80, forKey: "port")
            results.append(try await updates.next()?.get().value?.content)
            return results
        }
        #expect(results == [nil, .int(80)])
    }

    @Test func `a watch that is late gives the present value`() async throws {
        let values = try await reader.watchInt(forKey: "n") { [suite] updates in
            var updates = updates.makeAsyncIterator()
            var values = [try await updates.next()]
            for n in 1...100 { try suite.set(DefaultsValue(n), forKey: "n") }
            values.append(try await updates.next())
            return values
        }
        #expect(values == [.some(nil), 100])
    }

    @Test func `a transaction is one snapshot`() async throws {
        try suite.withTransaction {
            $0[key: "a"] = 0; $0[key: "b"] = 0
        }
        let sums = try await reader.watchSnapshot { [suite] snapshots in
            var sums: [Int] = []
            for await snapshot in snapshots {
                let (a, b) = (snapshot.int(forKey: "a", default: -1), snapshot.int(forKey: "b", default: -1))
                #expect(a == b)
                sums.append(a + b)
                if a == 3 { break }
                try suite.withTransaction { [n = DefaultsValue(a + 1)] in
                    $0[key: "a"] = n; $0[key: "b"] = n
                }
            }
            return sums
        }
        #expect(sums == [0, 2, 4, 6])
    }

    @Test func `a watch ends when its task is cancelled`() async throws {
        let reader = reader
        let begun = Recorder<Bool>()
        let watching = Task {
            try await reader.watchString(forKey: "name") { updates in
                for await _ in updates { begun.append(true) }
                try await reader.watchSnapshot { snapshots in for await _ in snapshots {} }
                return "ended"
            }
        }
        await begun.wait { !$0.isEmpty }
        watching.cancel()
        #expect(try await watching.value == "ended")
    }

    @Test func `two watches of one reader each hear everything`() async throws {
        let reader = reader
        let heard = Recorder<Int>()
        try await withThrowingTaskGroup { group in
            for _ in 0..<2 {
                group.addTask {
                    try await reader.watchInt(forKey: "n") { updates in
                        for await n in updates {
                            heard.append(n ?? 0)
                            if n == 7 { break }
                        }
                    }
                }
            }
            await heard.wait { $0.count == 2 }
            try suite.set(7, forKey: "n")
            try await group.waitForAll()
        }
        #expect(heard.all == [0, 0, 7, 7])
    }

    @Test func `another process's write and an edit by hand are heard`() async throws {
        let folder = try TestFolder()
        let reader = ConfigReader(provider: DefaultsConfigProvider(try folder.suite()))
        try await reader.watchString(forKey: "player.theme") { updates in
            var updates = updates.makeAsyncIterator()
            #expect(try await updates.next() == .some(nil))
            try Peer.run("set", folder.file, "player.theme", #""dark""#)
            #expect(try await updates.next() == "dark")
            try folder.save(#"{"player": {"theme": "light"}}"#)
            #expect(try await updates.next() == "light")
        }
    }

    @Test(
        .enabled(
            if: FileManager.default.fileExists(atPath: "/proc/self/task"), "Nobody counts the threads' turns."
        ))
    func `a process that watches wakes for a change, and else no more than one that does nothing`() throws {
        let folder = try TestFolder()
        let (watcher, rester) = (try Peer("watch", folder.file, "theme"), try Peer("rest"))
        #expect(try rester.next() == "resting")
        #expect(try watcher.next() == "(none)")
        try Peer.run("set", folder.file, "theme", #""dark""#)
        #expect(try watcher.next() == "dark")
        // What has begun with the start and with the write comes to an end. Then Dispatch alone has a timer in either,
        // of a second, with which it looks after its own threads.
        for _ in 0..<60 {
            let before = try watcher.turns()
            #expect(!watcher.prints(within: 3))
            if try watcher.turns(since: before).count <= 1 { break }
        }
        let before = (watching: try watcher.turns(), resting: try rester.turns())
        #expect(!watcher.prints(within: WatchTests.idleSeconds))
        let (watching, resting) = (
            try watcher.turns(since: before.watching), try rester.turns(since: before.resting)
        )
        #expect(watching.count <= resting.count, "the turns of each thread: \(watching), \(resting)")
        #expect(watching.reduce(0, +) <= resting.reduce(0, +) + 2)
        try Peer.run("set", folder.file, "theme", #""light""#)
        #expect(try watcher.next() == "light")
        watcher.end()
        rester.end()
    }

    /// How long nothing is to happen, longer where somebody measures.
    private static let idleSeconds =
        ProcessInfo.processInfo.environment["TYPED_DEFAULTS_IDLE_SECONDS"].flatMap { Int32($0) } ?? 5
}
