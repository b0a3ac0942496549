import Foundation

extension EtcdServer {
    /// How many connections this process has to this member.
    func connections() throws -> Int {
        let port = String(place.client, radix: 16, uppercase: true)
        let suffix = ":" + String(repeating: "0", count: 4 - port.count) + port
        let own = EtcdServer.openSockets
        // Reading it as a file of a known size would miss most of it.
        let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/net/tcp"))
        let table = String(decoding: file.readDataToEndOfFile(), as: UTF8.self)
        return table.split(separator: "\n").map { $0.split(separator: " ") }
            .count { $0.count > 9 && $0[2].hasSuffix(suffix) && own.contains(String($0[9])) }
    }

    /// The numbers of the sockets that this process has open.
    private static var openSockets: Set<String> {
        var numbers: Set<String> = []
        for descriptor in 0..<1_024 {
            var target = [CChar](repeating: 0, count: 64)
            // One that is not open has no target and adds nothing.
            guard readlink("/proc/self/fd/\(descriptor)", &target, 63) > 0 else { continue }
            let text = String(decoding: target.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            if let number = text.firstMatch(of: #/^socket:\[(\d+)\]$/#)?.1 { numbers.insert(String(number)) }
        }
        return numbers
    }
}
