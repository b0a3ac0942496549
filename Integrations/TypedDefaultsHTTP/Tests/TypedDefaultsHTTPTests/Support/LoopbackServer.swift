import Foundation
import Synchronization

/// A small HTTP server on 127.0.0.1, a thread for each connection, which answers as a test tells it to.
///
/// The library's own tests have the like. This package is published by itself, so that it cannot use theirs; the same is
/// true of ``TLSServer``.
final class LoopbackServer: Sendable {
    /// What a client asked.
    struct Request: Hashable, Sendable {
        let path: String
        /// Which of the server's connections it came by, counted from 0.
        let connection: Int
        /// By lower-case name.
        let headers: [String: String]
    }

    /// What the server does with a connection after it has read a request.
    enum Answer: Sendable {
        /// Sends bytes and closes.
        case send([UInt8])
        /// Sends bytes and waits for the next question of the same connection.
        case keep([UInt8])
        /// Sends bytes, then nothing more until the client or the server goes.
        case stall(after: [UInt8])
        /// Sends bytes, then these again and again until the client goes, as fast as it reads.
        case pour([UInt8], after: [UInt8])

        /// A whole answer.
        static func http(
            status: Int = 200, headers: [String: String] = [:], _ body: [UInt8] = []
        ) -> Answer {
            var lengths = headers
            if lengths["Transfer-Encoding"] == nil { lengths["Content-Length"] = String(body.count) }
            return .send(head(status, lengths) + body)
        }

        /// A whole answer without a length, in chunks.
        static func chunks(_ body: [UInt8], headers: [String: String] = [:]) -> Answer {
            let head = head(200, headers.merging(["Transfer-Encoding": "chunked"]) { $1 })
            return .send(head + chunk(body) + Array("0\r\n\r\n".utf8))
        }

        /// One chunk.
        static func chunk(_ bytes: [UInt8]) -> [UInt8] {
            Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8)
        }

        /// Status line and headers.
        static func head(
            _ status: Int = 200, _ headers: [String: String], connection: String = "close"
        ) -> [UInt8] {
            let lines =
                ["HTTP/1.1 \(status) Word", "Connection: \(connection)"] + headers.map { "\($0): \($1)" }
            return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
        }
    }

    let port: Int
    /// Every request so far.
    let requests = Recorder<Request>()
    /// The path of every question that the client has left while its answer stalled.
    let departures = Recorder<String>()
    private let socket: Int32
    private let isOver = Flag()

    /// Whether the server has gone.
    private final class Flag: Sendable {
        let value = Atomic<Bool>(false)
    }

    /// The system gave no socket.
    struct Refused: Error {
        let errno: Int32
    }

    /// - Parameters:
    ///   - port: the one that an earlier server had; 0 for any.
    ///   - greeting: what it says before it is asked anything.
    ///   - delay: how long it takes for each answer.
    init(
        port: Int = 0, greeting: [UInt8] = [], answeringAfter delay: Duration = .zero,
        _ answer: @escaping @Sendable (Request) -> Answer
    ) throws {
        let socket = streamSocket(AF_INET)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(port).bigEndian
        var isReused: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(socket, pointer, length) == 0 && listen(socket, 32) == 0
                    && getsockname(socket, pointer, &length) == 0
            }
        }
        guard socket >= 0, isListening else { throw Refused(errno: errno) }
        self.port = Int(UInt16(bigEndian: address.sin_port))
        self.socket = socket
        let (requests, departures, isOver) = (requests, departures, isOver)
        Thread.detachNewThread {
            for number in 0... {
                let connection = accept(socket, nil, nil)
                guard connection >= 0 else { break }
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                Thread.detachNewThread {
                    _ = sendAll(connection, greeting)
                    let isOver = { isOver.value.load(ordering: .relaxed) }
                    while let request = readRequest(connection, number) {
                        requests.append(request)
                        poll(nil, 0, Int32(delay / .milliseconds(1)))
                        guard serve(connection, request, departures, isOver, answer) else { break }
                    }
                    close(connection)
                }
            }
            close(socket)
        }
    }

    deinit {
        isOver.value.store(true, ordering: .relaxed)
        shutdown(socket, Int32(SHUT_RDWR))
    }

    /// An address of this server.
    func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }
}

/// Answers one question.
///
/// - Returns: whether another may follow.
private func serve(
    _ connection: Int32, _ request: LoopbackServer.Request, _ departures: Recorder<String>,
    _ isOver: () -> Bool, _ answer: (LoopbackServer.Request) -> LoopbackServer.Answer
) -> Bool {
    switch answer(request) {
    case .keep(let bytes):
        return sendAll(connection, bytes)
    case .send(let bytes):
        _ = sendAll(connection, bytes)
        shutdown(connection, Int32(SHUT_WR))
        waitForEnd(connection)
    case .stall(let bytes):
        _ = sendAll(connection, bytes)
        // Until the client has gone, or the server.
        while !isOver() {
            if hasGone(connection) {
                departures.append(request.path)
                break
            }
            poll(nil, 0, 10)
        }
    case .pour(let bytes, let head):
        guard sendAll(connection, head) else { return false }
        while sendAll(connection, bytes) {}
    }
    return false
}

private func readRequest(_ connection: Int32, _ number: Int) -> LoopbackServer.Request? {
    var text: [UInt8] = []
    while !text.suffix(4).elementsEqual("\r\n\r\n".utf8) {
        var byte: UInt8 = 0
        guard recv(connection, &byte, 1, 0) == 1, text.count < 65_536 else { return nil }
        text.append(byte)
    }
    let lines = String(decoding: text, as: UTF8.self).components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ")
    guard words.count == 3 else { return nil }
    let headers = lines.dropFirst().compactMap { line -> (String, String)? in
        guard let colon = line.firstIndex(of: ":") else { return nil }
        let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        return (line[..<colon].lowercased(), value)
    }
    return LoopbackServer.Request(
        path: String(words[1]), connection: number,
        headers: Dictionary(headers, uniquingKeysWith: { $1 }))
}

private func sendAll(_ connection: Int32, _ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
        let sent = rest.withUnsafeBytes { sendUnsignalled($0, over: connection) }
        guard sent > 0 else { return false }
        rest = rest.dropFirst(sent)
    }
    return true
}

/// Whether the client has closed its side.
private func hasGone(_ connection: Int32) -> Bool {
    var byte: UInt8 = 0
    return recv(connection, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 0
}

/// Waits until the client has closed its side, so that nothing it has not read yet is lost.
private func waitForEnd(_ connection: Int32) {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    while recv(connection, &bytes, bytes.count, 0) > 0 {}
}
