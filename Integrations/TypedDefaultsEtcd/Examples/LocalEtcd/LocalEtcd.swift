import Foundation

/// An etcd of one member on this machine's own network, which ends with this program, however that ends.
///
/// Debian's package `etcd-server` has to be there.
package final class LocalEtcd {
    /// Where it serves.
    package let endpoint: String
    private let arguments: [String]
    private var process: EtcdProcess?

    /// Starts one that keeps its data in a folder.
    package init(in folder: String) throws {
        let (client, peer) = try ("http://\(FreePorts.address())", "http://\(FreePorts.address())")
        endpoint = client
        arguments = [
            "--name", "one", "--data-dir", "\(folder)/etcd", "--logger", "zap",
            "--listen-client-urls", client, "--advertise-client-urls", client,
            "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer,
            "--initial-cluster", "one=\(peer)",
        ]
        try start()
    }

    /// The id of its process; 0 while it does not run.
    package var id: Int32 { process?.id ?? 0 }

    /// Ends it at once, without a chance to say so.
    package func stop() {
        process?.end()
        process = nil
    }

    /// Starts it again with what it kept.
    package func start() throws { process = try EtcdProcess(arguments) }
}
