/// What opening and closing a suite leaves on the disk and in the process.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.ownThread) struct OpeningTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `folders are made 0700 and files 0600 (F10)`() throws {
        let suite = try DefaultsSuite("s", in: folder.path + "/a/b")
        try suite.set(1, forKey: "a")
        try suite.checkpoint()
        for made in ["a", "a/b", "a/b/s"] { #expect(try folder.permissions(of: made) == 0o700) }
        for made in ["settings.json", ".settings.json.lock", ".settings.json.journal"] {
            #expect(try folder.permissions(of: "a/b/s/" + made) == 0o600)
        }
    }

    @Test(arguments: [true, false])
    func `a file its owner opened to other readers stays so after a write`(isConcurrent: Bool) throws {
        try folder.write("{}\n", to: "settings/settings.json")
        #expect(chmod(folder.settingsPath(), 0o644) == 0)
        let suite = try folder.heldSuite()
        try suite.set(1, forKey: "a")
        // Until a checkpoint has put another file in its place, it is the owner's own.
        let rules: [FaultInjection.Rule] =
            isConcurrent ? [] : [FaultInjection.Rule("openat(O_TMPFILE)", errno: EOPNOTSUPP, lasts: true)]
        try FaultInjection.$current.withValue(FaultInjection(rules)) { try suite.checkpoint() }
        #expect(try folder.foreignReading() == ["a": 1])
        #expect(try folder.permissions(of: "settings/settings.json") == 0o644)
    }

    @Test func `companions that others could read are closed to them when opened`() throws {
        try folder.suite().set(1, forKey: "a")
        let lock = "settings/.settings.json.lock"
        #expect(chmod("\(folder.path)/\(lock)", 0o666) == 0)
        try folder.suite().set(2, forKey: "a")
        #expect(try folder.permissions(of: lock) == 0o600)
    }

    @Test func `a suite that was let go has no descriptor and no watch left`() throws {
        try cycle(1)
        #expect(try eventually { try folder.openDescriptors() == 0 })
        try EventLoop.shared.drain()
        // The watch is let go behind the descriptors, maybe by a thread that has not come to it yet.
        #expect(try eventually { try watchesOfTheFolder() == 0 })
    }

    @Test func `an open suite has its descriptors, and its watch as soon as somebody observes`() throws {
        // No checkpoint but the one below: each has some of its own meanwhile, and keeps the settings file open.
        let suite = try folder.heldSuite()
        try suite.set(1, forKey: "a")
        #expect(try eventually { try folder.openDescriptors() == 3 })
        #expect(try watchesOfTheFolder() == 0)
        let observation = suite.observe(forKey: "a") { _ in }
        #expect(try watchesOfTheFolder() == 1)
        observation.invalidate()
        #expect(try eventually { try folder.openDescriptors() == 3 })
        try suite.checkpoint()
        #expect(try eventually { try folder.openDescriptors() == 4 })
    }

    @Test func `500 cycles of opening and closing leave no descriptor, thread or file more than ten`() throws
    {
        for round in 1...10 { try cycle(round) }
        let (threads, names) = (try threadCount(), try folder.names())
        for round in 11...500 { try cycle(round) }
        #expect(try eventually { try folder.openDescriptors() == 0 })
        #expect(try folder.names() == names)
        // Other tests have threads of their own meanwhile; a leak of one a cycle would be 490.
        #expect(try threadCount() - threads < 200)
    }

    private func cycle(_ round: Int) throws {
        let suite = try folder.suite()
        try suite.set(DefaultsValue(round), forKey: "a")
        let observation = suite.observe(forKey: "a", options: []) { _ in }
        observation.invalidate()
    }

    private func threadCount() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
    }

    /// How many watches the process has on the suite's folder, as the kernel lists them.
    private func watchesOfTheFolder() throws -> Int {
        var status = stat()
        #expect(stat(folder.path + "/settings", &status) == 0)
        let mark = " ino:\(String(status.st_ino, radix: 16)) "
        return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fdinfo").reduce(0) {
            count, number in
            // A descriptor of another test may be gone by now, which is no watch.
            let text = FileManager.default.contents(atPath: "/proc/self/fdinfo/\(number)") ?? Data()
            return count
                + String(decoding: text, as: UTF8.self).split(separator: "\n").count { $0.contains(mark) }
        }
    }
}
