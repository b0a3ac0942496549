/// etcd's gRPC proxy before a server of this machine; it ends with this program.
package final class LocalProxy {
    /// Where it serves.
    package let endpoint: String
    private let process: EtcdProcess

    /// Starts one that keeps its files in a folder.
    package init(before server: String, in folder: String) throws {
        let address = try FreePorts.address()
        endpoint = "http://\(address)"
        process = try EtcdProcess(
            [
                "grpc-proxy", "start", "--endpoints", server, "--listen-addr", address,
                "--advertise-client-url", address, "--data-dir", "\(folder)/proxy",
            ], ready: "started gRPC proxy")
    }

    /// Ends it at once.
    package func stop() { process.end() }
}
