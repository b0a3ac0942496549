import Foundation
import Libc
package import DefaultsStore

/// The forked child of a peer, which goes on obeying commands over a connection of its own.
///
/// It ends with its last reference, when there are no more commands.
package final class ForkedPeer: PeerConversation {
    package let line: Locked<PeerLine>
    /// The child's process id; 0 where the parent did not say.
    package let processID: Int32
    /// What the child answered to the command that made it.
    package let greeting: String

    /// Has a peer obey a command that forks; the name of the child's connection is put behind the command.
    ///
    /// - Parameter second: what makes it fork where the command only prepares it.
    package convenience init(
        of parent: Peer, by command: String, then second: (() throws -> Void)? = nil
    ) throws {
        try self.init(by: command, { try parent.ask($0) }, then: second)
    }

    /// Has a forked child fork.
    package func fork() throws -> ForkedPeer { try ForkedPeer(by: "fork", { try ask($0) }) }

    private init(
        by command: String, _ ask: (String) throws -> String, then second: (() throws -> Void)? = nil
    ) throws {
        let name = "td-\(UUID().uuidString)"
        let listener = try ForkedPeer.listen(at: name)
        defer { Libc.close(listener) }
        processID = Int32(try ask("\(command) \(name)")) ?? 0
        try second?()
        var event = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        guard poll(&event, 1, 30_000) > 0 else { throw Peer.Failure.timedOut(waitingFor: "the child") }
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { throw Peer.Failure.system("accept", errno) }
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        var line = PeerLine(descriptor: connection)
        do { greeting = try line.receive(within: .seconds(120), after: command) } catch {
            line.close()
            throw error
        }
        self.line = Locked(line)
    }

    deinit { line.withLock { $0.close() } }

    /// Ends the conversation and waits until the child has closed its side.
    package func close() throws {
        try line.withLock { line in
            line.finish()
            try line.drain(within: .seconds(120))
        }
    }

    private static func listen(at name: String) throws -> Int32 {
        let listener = streamSocket(AF_UNIX)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.dropFirst().copyBytes(from: name.utf8) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + 1 + name.utf8.count)
        let said = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, length) }
        }
        guard said == 0, Libc.listen(listener, 1) == 0 else { throw Peer.Failure.system("bind", errno) }
        return listener
    }
}
