import Foundation
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

    private struct State {
        var shell: Process?
        var input: FileHandle?
        var pid: Int32 = 0
    }

    let place: Place
    private let folder: TestFolder
    private let arguments: [String]
    private let certificates: Certificates?
    private let state = Mutex(State())

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
        let log = Recorder<String>()
        try launch(log)
        let isReady = await log.wait {
            $0.last == "" || $0.contains { $0.contains("serving client traffic") }
        }
        guard isReady, log.all.last != "" else {
            throw Command.Failed(
                description: "etcd did not start: \(log.all.suffix(20).joined(separator: "\n"))")
        }
    }

    /// Ends it at once, without a chance to say so.
    func kill() {
        let (shell, input, pid) = state.withLock { state in
            defer { state.pid = 0 }
            return (state.shell.take(), state.input.take(), state.pid)
        }
        guard let shell, let input else { return }
        EtcdServer.end(pid)
        input.closeFile()
        shell.waitUntilExit()
    }

    /// Makes it forget everything; only while it does not run.
    func forget() throws { try FileManager.default.removeItem(atPath: data) }

    /// Stops it without ending it: its connections stay, and nothing answers.
    func pause() { signal(SIGSTOP) }

    /// Lets it go on.
    func goOn() { signal(SIGCONT) }

    private func signal(_ signal: Int32) {
        let pid = state.withLock { $0.pid }
        #expect(pid != 0 && Foundation.kill(pid, signal) == 0)
    }

    private func launch(_ log: Recorder<String>) throws {
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        // The shell ends the server when its own input ends, which happens too when the tests are killed.
        shell.arguments = ["-c", "etcd \"$@\" & echo $!; read _; kill -9 $!", "sh"] + allArguments
        let (input, output, errors) = (Pipe(), Pipe(), Pipe())
        (shell.standardInput, shell.standardOutput, shell.standardError) = (input, output, errors)
        try shell.run()
        let first = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let pid = Int32(first.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw Command.Failed(description: "the shell said \(first)")
        }
        state.withLock { state in
            (state.shell, state.input, state.pid) = (shell, input.fileHandleForWriting, pid)
        }
        EtcdServer.noteRunning(pid)
        Thread.detachNewThread { EtcdServer.read(errors.fileHandleForReading, into: log) }
    }

    /// Reads what the server logs, line by line, an empty one at its end.
    private static func read(_ file: FileHandle, into log: Recorder<String>) {
        var rest = ""
        while case let data = file.availableData, !data.isEmpty {
            rest += String(decoding: data, as: UTF8.self)
            let lines = rest.split(separator: "\n", omittingEmptySubsequences: true)
            rest = rest.hasSuffix("\n") ? "" : String(lines.last ?? "")
            for line in rest.isEmpty ? lines : lines.dropLast() { log.append(String(line)) }
        }
        log.append("")
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
