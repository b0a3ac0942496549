import Foundation

/// An etcd of one member on this machine's own network, which ends with this program, however that ends.
///
/// Debian's package `etcd-server` has to be there.
package final class LocalEtcd {
    /// Where it serves.
    package let endpoint: String
    /// The id of its process; 0 while it does not run.
    package private(set) var id: Int32 = 0
    private let arguments: [String]
    private var shell: Program?

    /// Starts one that keeps its data in a folder.
    package init(in folder: String) throws {
        for _ in 0..<20 {
            // Whether ports are free is for etcd to say.
            let port = Int.random(in: 20_000..<30_000)
            let (client, peer) = ("http://127.0.0.1:\(port)", "http://127.0.0.1:\(port + 10_000)")
            let arguments = [
                "etcd", "--name", "one", "--data-dir", "\(folder)/etcd", "--logger", "zap",
                "--listen-client-urls", client, "--advertise-client-urls", client,
                "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer,
                "--initial-cluster", "one=\(peer)",
            ]
            if let (shell, id) = try LocalEtcd.launch(arguments, ready: "serving client traffic") {
                (endpoint, self.arguments, self.shell, self.id) = (client, arguments, shell, id)
                return
            }
        }
        throw Refusal("etcd does not start; try: etcd --data-dir \(folder)/etcd")
    }

    /// Ends it at once, without a chance to say so.
    package func stop() throws {
        try shell?.end()
        (shell, id) = (nil, 0)
    }

    /// Starts it again with what it kept.
    package func start() throws {
        guard let (shell, id) = try LocalEtcd.launch(arguments, ready: "serving client traffic") else {
            throw Refusal("etcd does not start again")
        }
        (self.shell, self.id) = (shell, id)
    }

    /// Starts a server under a shell that ends it when the shell's own input ends, as it does when this program is killed.
    ///
    /// - Returns: nil where it ends before it is ready.
    static func launch(_ arguments: [String], ready: String) throws -> (shell: Program, id: Int32)? {
        let script = #"""
            sh -c 'echo $$; exec "$@"' sh "$@" 2>&1 &
            exec 2>/dev/null; read _; kill -9 $!; wait $!
            """#
        let shell = try Program("/bin/sh", ["-c", script, "sh"] + arguments)
        guard let id = Int32(try shell.next()) else { throw Refusal("the shell has not said an id") }
        while true {
            let line = try shell.next()
            if line.contains(ready) { break }
            if line.contains("address already in use") || line.contains("\"level\":\"fatal\"") {
                try shell.end()
                return nil
            }
        }
        shell.ignoreTheRest()
        return (shell, id)
    }
}
