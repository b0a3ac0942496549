import DefaultsStore
import Foundation
import Libc
import TestSupport

/// A small HTTP server on 127.0.0.1, a thread for each connection, which answers as a test tells it to.
final class LoopbackServer: Sendable {
    /// What a client asked.
    struct Request: Hashable, Sendable {
        let path: String
        /// By lower-case name.
        let headers: [String: String]
    }

    /// What the server does with a connection after it has read a request.
    enum Answer: Sendable {
        /// Sends bytes and closes.
        case send([UInt8])
        /// Sends bytes, then nothing more until the server goes.
        case stall(after: [UInt8])
        /// Sends bytes, then these again and again until the client goes, at a network's pace: libcurl goes on reading for as
        /// long as more comes than it can read, and no cancelling reaches it.
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
        static func head(_ status: Int = 200, _ headers: [String: String]) -> [UInt8] {
            let lines = ["HTTP/1.1 \(status) Word", "Connection: close"] + headers.map { "\($0): \($1)" }
            return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
        }
    }

    let port: Int
    /// Every request so far.
    let requests = Recorder<Request>()
    private let socket: Int32
    private let isOver = Gate()

    init(_ answer: @escaping @Sendable (Request) -> Answer) throws {
        let socket = streamSocket(AF_INET)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(socket, pointer, length) == 0 && listen(socket, 32) == 0
                    && getsockname(socket, pointer, &length) == 0
            }
        }
        guard socket >= 0, isListening else { throw POSIXError.current }
        port = Int(UInt16(bigEndian: address.sin_port))
        self.socket = socket
        let (requests, isOver) = (requests, isOver)
        Thread.detachNewThread {
            while true {
                let connection = accept(socket, nil, nil)
                guard connection >= 0 else { break }
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                Thread.detachNewThread {
                    serve(connection, requests, isOver, answer)
                    close(connection)
                }
            }
            close(socket)
        }
    }

    deinit {
        isOver.open()
        shutdown(socket, Int32(SHUT_RDWR))
    }

    /// An address of this server.
    func url(_ path: String = "/", host: String = "127.0.0.1", scheme: String = "http") -> URL {
        URL(string: "\(scheme)://\(host):\(port)\(path)") ?? URL(filePath: "/")
    }
}

private func serve(
    _ connection: Int32, _ requests: Recorder<LoopbackServer.Request>, _ isOver: Gate,
    _ answer: (LoopbackServer.Request) -> LoopbackServer.Answer
) {
    guard let request = readRequest(connection) else { return }
    requests.append(request)
    switch answer(request) {
    case .send(let bytes):
        _ = sendAll(connection, bytes)
        shutdown(connection, Int32(SHUT_WR))
        waitForEnd(connection)
    case .stall(let bytes):
        _ = sendAll(connection, bytes)
        isOver.wait(within: .seconds(60))
    case .pour(let bytes, let head):
        guard sendAll(connection, head) else { return }
        while sendAll(connection, bytes) { poll(nil, 0, 1) }
    }
}

private func readRequest(_ connection: Int32) -> LoopbackServer.Request? {
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
        path: String(words[1]), headers: Dictionary(headers, uniquingKeysWith: { $1 }))
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

/// Waits until the client has closed its side, so that nothing it has not read yet is lost.
private func waitForEnd(_ connection: Int32) {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    while recv(connection, &bytes, bytes.count, 0) > 0 {}
}
