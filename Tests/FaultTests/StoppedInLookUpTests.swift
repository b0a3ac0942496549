/// A process that is stopped in the middle of its first read of a large file, while others commit.
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread, .strace)
struct StoppedInLookUpTests {
    private static let key = "key-number-2500"
    private static let before = "1000000"

    private func makeFolder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let lines = (0..<5_000).map { "  \"key-number-\($0)\": \(Self.before)" }
        try folder.write("{\n" + lines.joined(separator: ",\n") + "\n}\n", to: "settings/settings.json")
        return folder
    }

    /// The calls of a look-up, the opening of the suite's files among them.
    private func calls() throws -> [Strace.Call] {
        let folder = try makeFolder()
        #expect(try folder.awaitIndex(reading: Self.key))
        let reader = try Peer.opening(in: folder)
        let strace = try Strace(reader)
        #expect(try reader.ask("get \(Self.key)") == Self.before)
        #expect(try reader.ask("loaded") == "false")
        return try strace.calls().filter { $0.name != "write" }
    }

    /// What others do meanwhile, and whether there was a record before that only the journal had.
    @Test(arguments: [("set", false), ("save", true)])
    func `a look-up that is stopped at any call gives a value of that time, and the next read what is (F16)`(
        _ way: String, isPending: Bool
    ) throws {
        let calls = try calls()
        #expect(calls.count >= 12)
        // All of them first, since each has to rest.
        let folders = try calls.map { _ in try makeFolder() }
        for (call, folder) in zip(calls, folders) {
            #expect(try folder.awaitIndex(reading: Self.key))
            // Or the file may follow meanwhile.
            let writer = try Peer.opening(in: folder, leavingOut: "scheduledCheckpoints")
            if isPending { #expect(try writer.ask("set \(Self.key) 2000000") == "ok") }
            let present = isPending ? "2000000" : Self.before

            let reader = try Peer.opening(in: folder)
            let strace = try Strace(reader, "\(call.name):signal=STOP:when=\(call.occurrence)")
            let early = try reader.answerOrStop(to: "get \(Self.key)")
            #expect(try writer.ask("\(way) \(Self.key) 3000000") == "ok")
            if early == nil { reader.resume() }
            let read = try early ?? reader.receive()
            #expect([present, "3000000"].contains(read), "\(call)")
            strace.finish()
            #expect(try reader.ask("get \(Self.key)") == "3000000", "\(call)")
        }
    }
}
