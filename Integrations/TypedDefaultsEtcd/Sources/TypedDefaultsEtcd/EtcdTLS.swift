import GRPCNIOTransportHTTP2Posix

/// How a server proves who it is, and how this program does.
///
/// ```swift
/// let tls = EtcdTLS(
///     authority: "/etc/etcd/ca.pem", certificate: "/etc/player/client.pem", key: "/etc/player/client.key")
/// ```
///
/// The server's certificate is always verified, its name included. Files are read for each connection, so a renewed
/// certificate is taken up by the next one. Unlike in the library's own paths, `~/` is no home folder there.
public struct EtcdTLS: Hashable, Sendable {
    /// A PEM file of the authorities a server's certificate may be of; nil for the system's.
    public var authority: String?
    /// A PEM file of this program's own certificate with the chain above it; nil where the server asks for none.
    public var certificate: String?
    /// The PEM file of its private key.
    public var key: String?
    /// The name the server's certificate has to bear; nil for the endpoint's host.
    public var serverName: String?

    /// Makes a configuration; without arguments the system's authorities count and no certificate is shown.
    public init(
        authority: String? = nil, certificate: String? = nil, key: String? = nil, serverName: String? = nil
    ) {
        self.authority = authority
        self.certificate = certificate
        self.key = key
        self.serverName = serverName
    }

    var security: HTTP2ClientTransport.Posix.TransportSecurity {
        .tls { configuration in
            if let authority {
                configuration.trustRoots = .certificates([.file(path: authority, format: .pem)])
            }
            if let certificate { configuration.certificateChain = [.file(path: certificate, format: .pem)] }
            if let key { configuration.privateKey = .file(path: key, format: .pem) }
        }
    }
}
