/// What a handler finds that is called for another process's change: the program's own signals, and room on the stack.
import Foundation
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread) struct HandlerThreadTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite
    private let peer: Peer

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
        peer = try Peer.opening(in: folder)
    }

    @Test func `a fault in a handler reaches the program's own signal handler`() throws {
        try peer.expectOK("crashwhen a")
        try suite.set(1, forKey: "a")
        // The answer never comes: the handler, on a thread of the library, ends the process while this waits.
        #expect(throws: Peer.Failure.ended) { try peer.ask("events 1") }
        #expect(try peer.close() == .status(42))
    }

    @Test func `a handler and a program that it starts have no signal blocked`() throws {
        // The tests' own threads may have blocked some, which a process inherits.
        try peer.expectOK("block 0 0")
        try peer.expectOK("maskwhen a")
        try suite.set(1, forKey: "a")
        let none = "\"0000000000000000\""
        #expect(try peer.ask("events 2") == "[\(none), \(none)]")
    }

    @Test func `a handler has blocked what the main thread has, whatever thread used the library first`()
        throws
    {
        // SIGUSR1 and SIGTERM, as a program does that waits for these.
        try peer.expectOK("block 10 15")
        try peer.expectOK("beginblocked")
        try peer.expectOK("maskwhen a")
        try suite.set(1, forKey: "a")
        let two = "\"0000000000004200\""
        #expect(try peer.ask("events 2") == "[\(two), \(two)]")
    }

    @Test func `a handler has a stack as large as a main thread's, whatever threads usually get`() throws {
        let small = try Peer(stack: 256)
        try small.expectOK("open \(folder.path) settings")
        // Each call takes several times what it asks for.
        try small.expectOK("stackwhen a \(1 << 20)")
        try suite.set(1, forKey: "a")
        #expect(try small.ask("events 1") == "[\((1 << 20) / 512)]")
    }
}
