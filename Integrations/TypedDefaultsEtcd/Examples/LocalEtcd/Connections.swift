import Foundation

/// How many connections to an endpoint of this machine a process has open.
package func openConnections(of process: Int32, to endpoint: String) throws -> Int {
    guard let port = endpoint.split(separator: ":").last.flatMap({ Int($0) }) else {
        throw Refusal("\(endpoint) has no port")
    }
    let digits = String(port, radix: 16, uppercase: true)
    let remote = ":" + String(repeating: "0", count: 4 - digits.count) + digits
    let table = try text(ofLong: "/proc/net/tcp")
    let sockets = table.split(separator: "\n").compactMap { line -> String? in
        let fields = line.split(separator: " ")
        // 01 is an established one.
        guard fields.count > 9, fields[2].hasSuffix(remote), fields[3] == "01" else { return nil }
        return "socket:[\(fields[9])]"
    }
    return try openFiles(of: process).filter(Set(sockets).contains).count
}

private func openFiles(of process: Int32) throws -> [String] {
    let folder = "/proc/\(process)/fd"
    return try FileManager.default.contentsOfDirectory(atPath: folder).map { name in
        do { return try FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)") } catch {
            // Closed since the folder was read, so it is no connection.
            return ""
        }
    }
}

/// A file of Linux's that comes in pieces and says no length, of which `String` reads the first piece only.
private func text(ofLong path: String) throws -> String {
    let file = try FileHandle(forReadingFrom: URL(filePath: path))
    var bytes = Data()
    while let piece = try file.read(upToCount: 1 << 16), !piece.isEmpty { bytes += piece }
    try file.close()
    return String(decoding: bytes, as: UTF8.self)
}
