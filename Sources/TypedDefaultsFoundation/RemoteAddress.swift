import Foundation
import TypedDefaults

/// A permitted address of default values: https anywhere, http on this machine alone.
struct RemoteAddress: Hashable, Sendable {
    let url: URL
    private let scheme: String
    let host: String
    private let port: Int

    /// Checks an address.
    ///
    /// - Throws: why no request to it may be made.
    init(_ url: URL) throws(DefaultsError) {
        let shown = RemoteAddress.shown(url)
        guard let scheme = url.scheme?.lowercased(), let host = url.host(percentEncoded: true)?.lowercased(),
            !host.isEmpty
        else { throw RemoteAddress.refusal("the address has no host", shown) }
        guard url.user(percentEncoded: true) == nil, url.password(percentEncoded: true) == nil else {
            throw RemoteAddress.refusal("the address holds a user; credentials belong into headers", shown)
        }
        guard scheme == "https" || scheme == "http" && RemoteAddress.isLoopback(host) else {
            throw RemoteAddress.refusal("only https, and http on this machine, may be asked", shown)
        }
        self.url = url
        self.scheme = scheme
        self.host = host
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }

    /// Whether its traffic is unencrypted.
    var isPlain: Bool { scheme == "http" }

    /// The address without its possible secrets: query, fragment and user.
    static func shown(_ url: URL) -> String {
        guard var parts = URLComponents(url: url.absoluteURL, resolvingAgainstBaseURL: true) else {
            return "a URL"
        }
        (parts.user, parts.password, parts.query, parts.fragment) = (nil, nil, nil, nil)
        return parts.string ?? "a URL"
    }

    /// The target of a redirect.
    ///
    /// - Throws: an error if it has another scheme, host or port.
    func following(_ location: String) throws(DefaultsError) -> RemoteAddress {
        let shown = RemoteAddress.shown(url)
        guard let target = URL(string: location, relativeTo: url)?.absoluteURL else {
            throw RemoteAddress.refusal("it redirects to no address", shown)
        }
        let address: RemoteAddress
        do { address = try RemoteAddress(target) } catch {
            throw RemoteAddress.refusal(
                "it redirects to where nothing may be asked: \(error.underlyingDescription ?? "")", shown)
        }
        guard (address.scheme, address.host, address.port) == (scheme, host, port) else {
            throw RemoteAddress.refusal("it redirects to another origin", shown)
        }
        return address
    }

    /// `localhost`, `127.0.0.0/8` and `::1`.
    private static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "::1" || host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } && UInt8($0) != nil }
    }

    private static func refusal(_ reason: String, _ shown: String) -> DefaultsError {
        DefaultsError.sourceFailed(reason, path: shown)
    }
}
