/// From when on the kernel tells of changes from outside, and what reads do until then.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct WatchingTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("{\n  \"a\": 0\n}\n", to: "settings/settings.json")
        suite = try folder.suite()
    }

    private func isWatched() throws -> Bool { try suite.context.store().isWatched }

    @Test func `a process that reads a few settings has one thread and no notifier of the kernel's`() throws {
        let peer = try Peer()
        try peer.expectOK("openunheard \(folder.path) settings")
        #expect(try peer.ask("get a") == "0")
        #expect(try peer.ask("burden") == "1 threads, 0 notifiers")
        try peer.expectOK("observe a")
        #expect(try peer.ask("burden").hasSuffix(" 1 notifiers"))
    }

    @Test func `each of the first reads finds what a person saved before it`() throws {
        for number in 1...12 {
            let text = "{\n  \"a\": \(number)\n}\n"
            number % 2 == 0
                ? try folder.write(text, to: "settings/settings.json") : try folder.saveByRename(text)
            #expect(suite.value(forKey: "a") == DefaultsValue(number))
        }
        #expect(try isWatched() == false)
    }

    @Test func `each of the first reads finds what another process set before it`() throws {
        let peer = try Peer.opening(in: folder)
        for number in 1...12 {
            try peer.expectOK("set a \(number)")
            #expect(suite.value(forKey: "a") == DefaultsValue(number))
        }
        #expect(try isWatched() == false)
    }

    @Test func `the first reads find files that were taken away and made again`() throws {
        #expect(suite.value(forKey: "a") == 0)
        try folder.remove()
        #expect(suite.value(forKey: "a") == nil)
        try folder.remove("settings")
        #expect(suite.value(forKey: "a") == nil)
        try folder.write("{\n  \"a\": 5\n}\n", to: "settings/settings.json")
        #expect(suite.value(forKey: "a") == 5)
    }

    @Test func `a program that goes on reading listens, and then reads without a system call`() throws {
        try suite.awaitOld()
        _ = suite.value(forKey: "a")
        for _ in 0..<31 {
            #expect(suite.value(forKey: "a") == 0)
            #expect(try isWatched() == false)
        }
        _ = suite.value(forKey: "a")
        #expect(try isWatched())
        try EventLoop.shared.drain()
        _ = suite.value(forKey: "a")
        let plan = FaultInjection()
        FaultInjection.$current.withValue(plan) { for _ in 0..<100 { _ = suite.value(forKey: "a") } }
        #expect(plan.calls == [])
    }

    @Test func `who goes on writing listens too, and keeps no other writer waiting for that`() throws {
        let plan = FaultInjection()
        try FaultInjection.$current.withValue(plan) {
            for number in 1...40 { try suite.set(DefaultsValue(number), forKey: "a") }
        }
        var isLocked = false
        for call in plan.calls {
            if call == "flock" { isLocked.toggle() }
            #expect(!isLocked || !call.hasPrefix("inotify"))
        }
        #expect(!isLocked && plan.calls.count { $0 == "flock" } >= 80)
        #expect(try eventually { try isWatched() })
        try folder.saveByRename("{\n  \"b\": 1\n}\n")
        #expect(eventually { suite.value(forKey: "b") == 1 })
    }

    @Test func `what a person saved after the last look, before any notice could come of it, is read`() throws
    {
        try suite.awaitOld()
        #expect(suite.value(forKey: "a") == 0)
        try folder.saveByRename("{\n  \"a\": 1\n}\n")
        // The store alone: the administrator's file would be read too, which has everything looked at again.
        let store = try suite.context.store()
        store.monitor.startWatching()
        #expect(try store.state().values.value(forKey: KeyName("a"))?.value == 1)
    }

    @Test func `a process that looks at the files reads what it wrote itself, and its checkpoint`() throws {
        for number in 1...5 {
            try suite.set(DefaultsValue(number), forKey: "a")
            #expect(suite.value(forKey: "a") == DefaultsValue(number))
        }
        try suite.checkpoint()
        #expect(suite.value(forKey: "a") == 5)
        #expect(try isWatched() == false)
    }

    @Test(arguments: [true, false])
    func `who asks for failures after the first read is told of the administrator's when they happen`(
        byHandler: Bool
    ) async throws {
        let path = folder.path + "/managed/managed.json"
        try folder.write("{\"a\": 10}", to: "managed/managed.json")
        try suite.setManagedFile(path)
        #expect(suite.value(forKey: "a") == 10)
        let heard = Recorder<DefaultsError>()
        let stream = byHandler ? nil : suite.failures
        if byHandler { suite.onFailure = { heard.append($0) } }
        // As a whole: a file that is empty first may be told of, too.
        try folder.saveByRename("{\"a\": x}", to: "managed/managed.json")
        if let stream {
            for await failure in stream.prefix(1) { heard.append(failure) }
        }
        #expect(heard.wait(for: 1))
        #expect(heard.all.map(\.path) == [path])
    }

    @Test func `the administrator's file is looked at by each of the first reads`() throws {
        try folder.write("{\"a\": 10}", to: "managed/managed.json")
        try suite.setManagedFile(folder.path + "/managed/managed.json")
        for number in 10...18 {
            try folder.write("{\"a\": \(number)}", to: "managed/managed.json")
            #expect(suite.value(forKey: "a") == DefaultsValue(number))
            #expect(refusal { try suite.set(1, forKey: "a") }?.code == .locked)
        }
        try folder.remove("managed/managed.json")
        #expect(suite.value(forKey: "a") == 0)
        #expect(try isWatched() == false)
    }

    @Test func `an administrator's file that cannot be looked at is read, not taken for one that is missing`()
        throws
    {
        let path = folder.path + "/managed/managed.json"
        try suite.setManagedFile(path)
        #expect(suite.value(forKey: "a") == 0)
        try folder.write("{\"a\": 10}", to: "managed/managed.json")
        let refused = FaultInjection(FaultInjection.Rule("stat", errno: EIO, lasts: true))
        try FaultInjection.$current.withValue(refused) {
            #expect(suite.value(forKey: "a") == 10)
            // Nor for the same one as before, because nothing could be told of that either.
            try Data("{\"a\": 11}".utf8).write(to: URL(filePath: path))
            #expect(suite.value(forKey: "a") == 11)
        }
        #expect(refused.calls.contains("stat"))
    }

    @Test func `an administrator's file that was refused counts as soon as its folder is closed to others`()
        throws
    {
        try folder.write("{\"a\": 10}", to: "managed/managed.json")
        #expect(chmod(folder.path + "/managed", 0o777) == 0)
        try suite.setManagedFile(folder.path + "/managed/managed.json")
        #expect(suite.value(forKey: "a") == 0)
        #expect(chmod(folder.path + "/managed", 0o755) == 0)
        #expect(suite.value(forKey: "a") == 10)
        #expect(try isWatched() == false)
    }

    @Test
    func
        `a folder that is opened to others later is noticed by the next read, and the last good values stay`()
        throws
    {
        try folder.write("{\"a\": 10}", to: "managed/managed.json")
        let context = suite.context
        try suite.setManagedFile(folder.path + "/managed/managed.json")
        #expect(eventually { suite.value(forKey: "a") == 10 && context.managed.isAsRead })
        #expect(chmod(folder.path + "/managed", 0o777) == 0)
        #expect(!context.managed.isAsRead)
        #expect(suite.value(forKey: "a") == 10)
    }

    /// Makes a folder with a suite in it, and gives the settings file's path in another.
    private func place(_ name: String, _ value: Int) throws {
        try folder.write("{\"a\": \(value)}", to: "\(name)/in/settings.json")
        #expect(chmod("\(folder.path)/\(name)/in", 0o700) == 0)
    }

    @Test func `a link on the way that is turned is noticed, also by a process that only reads`() throws {
        try place("one", 1)
        try place("two", 2)
        let link = folder.path + "/current"
        #expect(symlink("one", link) == 0)
        let suite = try DefaultsSuite(file: link + "/in/settings.json")
        let events = Recorder<DefaultsChange>()
        let observation = suite.observe(forKey: "a", options: [.new]) { events.append($0) }
        #expect(suite.value(forKey: "a") == 1)
        #expect(symlink("two", link + "~") == 0)
        #expect(rename(link + "~", link) == 0)
        #expect(events.wait { $0.last?.newValue == 2 })
        #expect(suite.value(forKey: "a") == 2)
        // What is there now is followed as what was there before.
        try place("two", 3)
        #expect(events.wait { $0.last?.newValue == 3 })
        observation.invalidate()
    }

    @Test func `a folder above that is moved away and made again is noticed by a process that only reads`()
        throws
    {
        try place("above", 1)
        let suite = try DefaultsSuite(file: folder.path + "/above/in/settings.json")
        try suite.context.startWatching()
        #expect(suite.value(forKey: "a") == 1)
        #expect(rename(folder.path + "/above", folder.path + "/gone") == 0)
        try place("above", 2)
        #expect(eventually { suite.value(forKey: "a") == 2 })
    }
}
