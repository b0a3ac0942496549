import GRPCCore
import GRPCNIOTransportHTTP2Posix
import TypedDefaults

/// One address of a cluster: `http://host:port`, `https://host:port`, or `host:port`.
struct EtcdEndpoint: Hashable, Sendable, CustomStringConvertible {
    let host: String
    let port: Int
    let isSecure: Bool

    /// etcd's port for clients.
    private static let usualPort = 2_379

    /// Reads an address.
    ///
    /// - Parameter isSecure: what an address means that names no scheme.
    /// - Throws: why it is none.
    init(_ text: String, isSecure: Bool) throws(DefaultsError) {
        var rest = Substring(text)
        var secure = isSecure
        if let scheme = rest.range(of: "://") {
            switch rest[..<scheme.lowerBound].lowercased() {
            case "http": secure = false
            case "https": secure = true
            default: throw EtcdEndpoint.refusal(text, "an endpoint begins with http:// or https://")
            }
            rest = rest[scheme.upperBound...]
        }
        if rest.hasSuffix("/") { rest.removeLast() }
        // By bytes: such a sign may be one character with what stands behind it.
        guard !rest.utf8.contains(where: "/?#@".utf8.contains) else {
            throw EtcdEndpoint.refusal(text, "an endpoint is a host and a port, nothing else")
        }
        let (host, port) = EtcdEndpoint.parts(rest)
        guard !host.isEmpty, let port, (1...65_535).contains(port) else {
            throw EtcdEndpoint.refusal(text, "the endpoint has no host, or no usable port")
        }
        (self.host, self.port, self.isSecure) = (host.lowercased(), port, secure)
    }

    /// The host without brackets, and the port; nil where it is none.
    private static func parts(_ text: Substring) -> (String, Int?) {
        if text.first == "[", let end = text.firstIndex(of: "]") {
            let behind = text[text.index(after: end)...]
            let host = String(text[text.index(after: text.startIndex)..<end])
            if behind.isEmpty { return (host, usualPort) }
            return (host, behind.first == ":" ? Int(behind.dropFirst()) : nil)
        }
        guard let colon = text.lastIndex(of: ":") else { return (String(text), usualPort) }
        return (String(text[..<colon]), Int(text[text.index(after: colon)...]))
    }

    private static func refusal(_ text: String, _ reason: String) -> DefaultsError {
        // What stands before an @ may be a password.
        let shown = text.utf8.contains(UInt8(ascii: "@")) ? "an endpoint" : text
        return DefaultsError.sourceFailed(reason, path: shown)
    }

    /// Whether nothing of it leaves this machine: `localhost`, `127.0.0.0/8` and `::1`.
    var isLoopback: Bool { host == "localhost" || host == "::1" || isAddress && host.hasPrefix("127.") }

    private var isAddress: Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
    }

    /// The address as gRPC wants it.
    var target: any ResolvableTarget {
        if host.contains(":") { return .ipv6(address: host, port: port) }
        return isAddress ? .ipv4(address: host, port: port) : .dns(host: host, port: port)
    }

    /// The address with its scheme.
    var description: String {
        "\(isSecure ? "https" : "http")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
}

extension Substring {
    /// Where a text stands in this one first.
    fileprivate func range(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
