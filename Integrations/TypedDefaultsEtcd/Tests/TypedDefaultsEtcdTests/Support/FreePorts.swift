import Foundation
import Synchronization

/// Ports of this machine that nobody listens on, none of which is given out twice.
enum FreePorts {
    private static let given = Mutex<Set<UInt16>>([])

    static func next() throws -> Int {
        for _ in 0..<100 {
            let port = try free()
            if given.withLock({ $0.insert(port).inserted }) { return Int(port) }
        }
        throw Command.Failed(description: "no port is free")
    }

    private static func free() throws -> UInt16 {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(socket, pointer, length) == 0 && getsockname(socket, pointer, &length) == 0
            }
        }
        guard socket >= 0, status else { throw Command.Failed(description: "no socket can be had") }
        return UInt16(bigEndian: address.sin_port)
    }
}
