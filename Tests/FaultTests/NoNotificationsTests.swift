/// The kernel has no more notifications to give to a user: what others change is looked for, that is reported with what
/// to do, and ends by itself.
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct NoNotificationsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A peer whose user, in a namespace of its own, has reached a limit.
    private func peer(without limit: String) throws -> Peer {
        let words = ["unshare", "-Ur", "sh", "-c", "echo 0 >/proc/sys/user/\(limit) && exec \"$@\"", "sh"]
        let peer = try Peer(by: words)
        try peer.expectOK("open \(folder.path) settings")
        return peer
    }

    @Test(arguments: ["max_inotify_instances", "max_inotify_watches"])
    func `what others change is told soon all the same`(_ limit: String) throws {
        let (peer, writer) = (try peer(without: limit), try Peer.opening(in: folder))
        try writer.expectOK("set n 0")
        try peer.expectOK("observe n")
        let begin = ContinuousClock.now
        for number in 1...20 {
            try writer.expectOK("set n \(number)")
            let heard = #"[[\#(number - 1), \#(number), "otherProcess \#(writer.processID)"]]"#
            #expect(try peer.ask("events 1") == heard)
        }
        // A look each second would take twenty seconds.
        #expect(ContinuousClock.now - begin < .seconds(10))
        try folder.awaitCheckpoint()
        try folder.write("{\"n\": 30}", to: "settings/settings.json")
        #expect(try peer.ask("events 1") == #"[[20, 30, "fileEdited"]]"#)
        #expect(try peer.ask("failures") == "ioFailure")
    }

    @Test(arguments: ["max_inotify_instances", "max_inotify_watches"])
    func `notifications are used as soon as there are some`(_ limit: String) throws {
        let peer = try peer(without: limit)
        try peer.expectOK("set n 0")
        try peer.expectOK("observe n")
        #expect(!isWatching(peer))
        let raise = "echo 100 >/proc/sys/user/\(limit)"
        try Tool.run("nsenter", ["-t", "\(peer.processID)", "-U", "sh", "-c", raise])
        #expect(eventually { isWatching(peer) })
        try folder.write("{\"n\": 30}", to: "settings/settings.json")
        #expect(try peer.ask("events 1").contains("30"))
        #expect(try peer.ask("failures") == "ioFailure")
    }

    /// Whether the kernel watches something for a peer.
    private func isWatching(_ peer: Peer) -> Bool {
        let folder = "/proc/\(peer.processID)/fdinfo/"
        let numbers = FileManager.default.enumerator(atPath: folder)?.allObjects ?? []
        return numbers.contains { number in
            let text = FileManager.default.contents(atPath: "\(folder)\(number)") ?? Data()
            return String(decoding: text, as: UTF8.self).contains("inotify wd:")
        }
    }
}
