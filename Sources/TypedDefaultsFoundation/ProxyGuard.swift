import Foundation

/// Keeps requests to this machine on this machine.
///
/// Outside Apple's systems the session uses a proxy from the environment, for http to the machine itself too,
/// and would send it every header in plain text. That cannot be switched off, so such a request is not made.
enum ProxyGuard {
    /// Why a plain http request to a host is not made; nil if it goes there directly.
    static func objection(toHost host: String, _ environment: [String: String]) -> String? {
        #if canImport(ObjectiveC)
            return nil
        #else
            let proxies = ["http_proxy", "all_proxy", "ALL_PROXY"]
            guard let proxy = proxies.first(where: { environment[$0]?.isEmpty == false }) else { return nil }
            let exceptions = (environment["no_proxy"] ?? environment["NO_PROXY"] ?? "").lowercased()
                .split { $0 == "," || $0 == " " }
            guard !exceptions.contains("*"), !exceptions.contains(host[...]) else { return nil }
            return "\(proxy) would send it to a proxy; list \(host) in no_proxy"
        #endif
    }
}
