import Foundation
import Libc

/// The socket between a test and its peer, read and written in lines.
package struct PeerLine {
    private let descriptor: Int32
    private var received: [UInt8] = []

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// Two connected sockets that no other child inherits.
    static func pair() throws -> (Int32, Int32) {
        guard let pair = streamSocketPair() else { throw Peer.Failure.system("socketpair", errno) }
        return pair
    }

    /// Sends one line.
    ///
    /// A peer that is gone raises no signal here.
    func send(_ line: String) throws {
        var rest = Array("\(line)\n".utf8)[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { sendUnsignalled($0, over: descriptor) }
            if sent < 0, errno == EINTR { continue }
            guard sent > 0 else { throw Peer.Failure.ended }
            rest = rest.dropFirst(sent)
        }
    }

    /// The next line.
    mutating func receive(within limit: Duration, after command: String) throws -> String {
        let deadline = ContinuousClock.now + limit
        while true {
            if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: received[..<end], as: UTF8.self)
                received.removeFirst(end + 1)
                return line
            }
            guard try readMore(until: deadline, waitingFor: command) else { throw Peer.Failure.ended }
        }
    }

    /// Says that no more commands come.
    func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Reads until the peer has closed its side.
    mutating func drain(within limit: Duration) throws {
        let deadline = ContinuousClock.now + limit
        while try readMore(until: deadline, waitingFor: "the end") {}
    }

    func close() { Libc.close(descriptor) }

    /// Reads what has come; false where nothing will come any more.
    private mutating func readMore(until deadline: ContinuousClock.Instant, waitingFor command: String) throws
        -> Bool
    {
        let left = (deadline - .now) / .milliseconds(1)
        var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let found = poll(&event, 1, Int32(max(0, left.rounded(.up))))
        if found < 0, errno == EINTR { return true }
        guard found > 0 else { throw Peer.Failure.timedOut(waitingFor: command) }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { return true }
        guard count > 0 else { return false }
        received += buffer[..<count]
        return true
    }
}
