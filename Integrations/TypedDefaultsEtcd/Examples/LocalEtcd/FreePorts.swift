import Foundation
import Synchronization

/// Ports of this machine that nobody listens on, none of which is given out twice.
package enum FreePorts {
    private static let given = Mutex<Set<UInt16>>([])

    /// A port with this machine's own address before it.
    package static func address() throws -> String { "127.0.0.1:\(try next())" }

    package static func next() throws -> Int {
        for _ in 0..<100 {
            guard let port = try free() else { continue }
            if given.withLock({ $0.insert(port).inserted }) { return Int(port) }
        }
        throw Refusal("no port is free")
    }

    /// A port that this machine gives to no connection by itself, if nobody has it.
    private static func free() throws -> UInt16? {
        // A program that is started meanwhile would hold the port.
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { throw Refusal("no socket can be had") }
        defer { close(socket) }
        let port = UInt16.random(in: 20_000..<32_000)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(socket, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return status == 0 ? port : nil
    }
}
