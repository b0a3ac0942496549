/// A writer that is stopped in the middle of its commit, with the lock in its hand.
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread, .strace)
struct StoppedInCommitTests {
    /// A call during which the writer stops, and what others read meanwhile.
    struct Place: Sendable, CustomTestStringConvertible {
        let command: String
        let call: String
        let occurrence: Int
        let value: String
        var testDescription: String { "\(command): \(call) \(occurrence)" }
    }

    /// The generation is raised; the record is in the journal; the next file is about to have a name; it has its own; the
    /// journal has begun anew and is not cut.
    static let places = [
        Place(command: "set", call: "pwrite64", occurrence: 1, value: "1"),
        Place(command: "set", call: "pwrite64", occurrence: 2, value: "2"),
        Place(command: "save", call: "linkat", occurrence: 1, value: "2"),
        Place(command: "save", call: "renameat2", occurrence: 1, value: "2"),
        Place(command: "save", call: "pwrite64", occurrence: 5, value: "2"),
    ]

    @Test(arguments: places)
    func `Reads do not block: one value is read by all beside a writer stopped in its commit`(_ place: Place)
        throws
    {
        let folder = try TemporaryFolder()
        let peers = try (0..<3).map { _ in try Peer.opening(in: folder) }
        let (stopped, reader, writer) = (peers[0], peers[1], peers[2])
        // Or the file may follow meanwhile, on a thread that is not traced.
        #expect(try stopped.ask("leaveout scheduledCheckpoints") == "ok")
        #expect(try stopped.ask("save n 1") == "ok")
        #expect(try reader.ask("get n") == "1")
        let strace = try Strace(stopped, "\(place.call):signal=STOP:when=\(place.occurrence)")
        try #require(try stopped.answerOrStop(to: "\(place.command) n 2") == nil)

        try writer.send("set n 3")
        let newcomer = try Peer.opening(in: folder)
        // Who waits for the lock does so for five seconds.
        let read = try (0..<20).flatMap { _ in
            try [reader, newcomer].map { try $0.ask("get n", within: .seconds(4.9)) }
        }
        #expect(read == Array(repeating: place.value, count: 40))
        #expect(try writer.receive() == "error lockTimeout")

        stopped.resume()
        #expect(try stopped.receive() == "ok")
        strace.finish()
        #expect(try reader.ask("get n") == "2")
        #expect(try writer.ask("set n 4") == "ok")
        #expect(try [stopped, reader, newcomer].map { try $0.ask("get n") } == ["4", "4", "4"])
        #expect(try folder.numbers() == ["n": 4])
    }
}
