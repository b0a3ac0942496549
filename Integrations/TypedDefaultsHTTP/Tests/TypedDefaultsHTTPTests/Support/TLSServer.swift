import Foundation
import Testing

extension Trait where Self == ConditionTrait {
    /// Runs where OpenSSL's program is, which makes certificates and serves files over TLS.
    static var openssl: ConditionTrait { .enabled(if: TLSServer.isPossible, "openssl is not installed") }
}

/// A server over TLS on this machine, with a certificate that nobody has signed but itself.
final class TLSServer {
    static let isPossible: Bool = {
        do { return try Tool.run("openssl", ["version"]).status == 0 } catch { return false }
    }()

    let port: Int
    private let folder: TestFolder
    private let process = Process()
    private let output = Pipe()

    /// Serves a file named `d.json`.
    init(_ text: String) throws {
        folder = try TestFolder()
        try Data(text.utf8).write(to: URL(filePath: folder.path + "/d.json"))
        let made = try Tool.run(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
                "2",
                "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
                "-keyout", folder.path + "/key.pem", "-out", folder.path + "/certificate.pem",
            ])
        guard made.status == 0 else { throw Refused(output: made.output) }
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "openssl", "s_server", "-accept", "127.0.0.1:0", "-HTTP", "-key", "key.pem", "-cert",
            "certificate.pem",
        ]
        process.currentDirectoryURL = URL(filePath: folder.path)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        let program = process
        try Tool.startingAlone { try program.run() }
        port = try TLSServer.port(in: output.fileHandleForReading)
    }

    deinit {
        // Not `terminate`, since the thread that started it may have had that signal blocked, and so has the program.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// What the program says before it waits for clients: `ACCEPT 127.0.0.1:41234`.
    private static func port(in output: FileHandle) throws -> Int {
        var said = ""
        while let bytes = try output.read(upToCount: 1), !bytes.isEmpty {
            said += String(decoding: bytes, as: UTF8.self)
            guard said.hasSuffix("\n") else { continue }
            let line = said.split(separator: "\n").last ?? ""
            if line.hasPrefix("ACCEPT "), let port = line.split(separator: ":").last.flatMap({ Int($0) }) {
                return port
            }
        }
        throw Refused(output: said)
    }

    /// OpenSSL's program did not do what the test rests on.
    struct Refused: Error {
        let output: String
    }

    /// The certificate, for one who trusts it.
    var certificate: String { folder.path + "/certificate.pem" }
}
