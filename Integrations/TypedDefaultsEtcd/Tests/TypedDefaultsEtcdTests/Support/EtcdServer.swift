import Foundation
import LocalEtcd
import Synchronization
import Testing

/// One member of an etcd on this machine's own network, which ends with the last reference to it, or with the tests.
final class EtcdServer: Sendable {
    /// Where a member is and what it keeps.
    struct Place: Sendable {
        let name: String
        let client: Int
        let peer: Int
        var peerAddress: String { "\(name)=http://127.0.0.1:\(peer)" }

        init(name: String = "one") throws {
            self.name = name
            (client, peer) = (try FreePorts.next(), try FreePorts.next())
        }
    }

    /// Files for TLS, as etcd's options name them.
    struct Certificates: Sendable {
        let authority: String
        let certificate: String
        let key: String
    }

    let place: Place
    private let folder: TestFolder
    private let arguments: [String]
    private let certificates: Certificates?
    private let process = Mutex<EtcdProcess?>(nil)

    /// Prepares a member; nothing runs yet.
    init(
        _ place: Place, in folder: TestFolder, cluster: [Place]? = nil, arguments: [String] = [],
        certificates: Certificates? = nil
    ) {
        self.place = place
        self.folder = folder
        self.certificates = certificates
        let members = (cluster ?? [place]).map(\.peerAddress).joined(separator: ",")
        self.arguments = ["--initial-cluster", members] + arguments
    }

    /// One member alone, running.
    static func alone(_ arguments: [String] = [], certificates: Certificates? = nil) async throws
        -> EtcdServer
    {
        let server = EtcdServer(
            try Place(), in: try TestFolder(), arguments: arguments, certificates: certificates)
        try await server.start()
        return server
    }

    deinit { kill() }

    var endpoint: String { "\(certificates == nil ? "http" : "https")://127.0.0.1:\(place.client)" }
    private var data: String { "\(folder.path)/\(place.name)" }

    /// Starts it, with what it kept, and waits until it serves.
    func start() async throws {
        let arguments = allArguments
        let started = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try EtcdProcess(arguments) })
            }
        }
        process.withLock { $0 = started }
    }

    /// Ends it at once, without a chance to say so.
    func kill() { process.withLock { $0.take() }?.end() }

    /// How many connections this process has to this member.
    func connections() throws -> Int { try openConnections(of: getpid(), to: endpoint) }

    /// Makes it forget everything; only while it does not run.
    func forget() throws { try FileManager.default.removeItem(atPath: data) }

    /// Stops it without ending it: its connections stay, and nothing answers.
    func pause() { signal(SIGSTOP) }

    /// Lets it go on.
    func goOn() { signal(SIGCONT) }

    private func signal(_ signal: Int32) {
        let id = process.withLock { $0?.id }
        #expect(id.map { Foundation.kill($0, signal) } == 0)
    }

    private var allArguments: [String] {
        let peer = "http://127.0.0.1:\(place.peer)"
        var all = [
            "--name", place.name, "--data-dir", data, "--listen-client-urls", endpoint,
            "--advertise-client-urls", endpoint, "--listen-peer-urls", peer,
            "--initial-advertise-peer-urls", peer, "--heartbeat-interval", "50", "--election-timeout", "500",
            "--max-txn-ops", "2000", "--logger", "zap",
        ]
        if let certificates {
            all += ["--cert-file", certificates.certificate, "--key-file", certificates.key]
            all += ["--trusted-ca-file", certificates.authority, "--client-cert-auth"]
        }
        return all + arguments
    }
}

extension Trait where Self == ConditionTrait {
    /// Only where Debian's `etcd-server` and `etcd-client` are installed.
    static var needsEtcd: ConditionTrait {
        .enabled("etcd and etcdctl are not installed") {
            Command.isInstalled("etcd") && Command.isInstalled("etcdctl")
        }
    }
}
