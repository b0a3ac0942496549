import Foundation

/// Keeps what is meant for this machine on this machine.
///
/// Outside Apple's systems the session asks a proxy that the environment names, for http to the machine itself too,
/// and would hand it every header in the clear. There is no way to tell it otherwise, so such a request is not made.
enum ProxyGuard {
    /// Why a plain http request to a host is not made; nil where it goes straight there.
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
