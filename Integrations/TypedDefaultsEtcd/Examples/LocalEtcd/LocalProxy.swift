/// etcd's gRPC proxy before a server of this machine; it ends with this program.
package final class LocalProxy {
    /// Where it serves.
    package let endpoint: String
    private let shell: Program

    /// Starts one that keeps its files in a folder.
    package init(before server: LocalEtcd, in folder: String) throws {
        for _ in 0..<20 {
            let address = "127.0.0.1:\(Int.random(in: 20_000..<30_000))"
            let arguments = [
                "etcd", "grpc-proxy", "start", "--endpoints", server.endpoint, "--listen-addr", address,
                "--advertise-client-url", address, "--data-dir", "\(folder)/proxy",
            ]
            if let (shell, _) = try LocalEtcd.launch(arguments, ready: "started gRPC proxy") {
                (endpoint, self.shell) = ("http://\(address)", shell)
                return
            }
        }
        throw Refusal("etcd's gRPC proxy does not start")
    }

    /// Ends it at once.
    package func stop() throws { try shell.end() }
}
