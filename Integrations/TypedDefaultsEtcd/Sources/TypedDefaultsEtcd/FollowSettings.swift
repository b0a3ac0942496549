import GRPCNIOTransportHTTP2Posix
import TypedDefaults

/// What a source was made with, checked.
struct FollowSettings: Sendable {
    let endpoints: [EtcdEndpoint]
    let prefix: EtcdPrefix
    let credentials: EtcdCredentials?
    let tls: EtcdTLS?
    /// Whether keys below `locked/` are taken.
    let takesLocked: Bool
    var timing = FollowTiming()

    /// Checks what a program gave.
    ///
    /// - Throws: why nothing may be asked of these endpoints.
    init(
        endpoints: [String], prefix: String, credentials: EtcdCredentials?, tls: EtcdTLS?, takesLocked: Bool,
        allowsPlainText: Bool
    ) throws(DefaultsError) {
        var known: [EtcdEndpoint] = []
        for text in endpoints {
            let endpoint = try EtcdEndpoint(text, isSecure: tls != nil)
            guard endpoint.isSecure || endpoint.isLoopback || allowsPlainText else {
                throw FollowSettings.refusal(
                    endpoint,
                    "only https, and http on this machine, may be asked; allowsPlainText says otherwise")
            }
            guard endpoint.isSecure || tls == nil else {
                throw FollowSettings.refusal(
                    endpoint, "TLS is asked for, and the endpoint begins with http://")
            }
            if !known.contains(endpoint) { known.append(endpoint) }
        }
        guard !known.isEmpty else {
            throw DefaultsError.sourceFailed("no endpoint is named")
        }
        self.endpoints = known
        self.prefix = try EtcdPrefix(prefix)
        self.credentials = credentials
        self.tls = tls
        self.takesLocked = takesLocked
    }

    private static func refusal(_ endpoint: EtcdEndpoint, _ reason: String) -> DefaultsError {
        DefaultsError.sourceFailed(reason, path: "\(endpoint)")
    }

    func security(of endpoint: EtcdEndpoint) -> HTTP2ClientTransport.Posix.TransportSecurity {
        endpoint.isSecure ? (tls ?? EtcdTLS()).security : .plaintext
    }

    var transport: HTTP2ClientTransport.Posix.Config {
        .defaults { configuration in
            configuration.connection.maxIdleTime = nil
            // With false the transport ends its pings for good when the listing's call is over, before the watch begins.
            configuration.connection.keepalive = HTTP2ClientTransport.Config.Keepalive(
                time: timing.ping, timeout: timing.pong, allowWithoutCalls: true)
            configuration.http2.authority = tls?.serverName
        }
    }
}
