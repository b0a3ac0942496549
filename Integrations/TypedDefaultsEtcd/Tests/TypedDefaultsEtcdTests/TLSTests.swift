/// Servers and programs that prove who they are.
import Testing
import TypedDefaults

@testable import TypedDefaultsEtcd

@Suite(
    .needsEtcd, .serialized, .timeLimit(.minutes(2)),
    .enabled("openssl is not installed") { Command.isInstalled("openssl") })
struct TLSTests {
    /// An authority made for a test, and the certificates it gives.
    private final class Authority: Sendable {
        let folder: TestFolder
        let certificate: String

        init() async throws {
            folder = try TestFolder()
            certificate = folder.path + "/ca.pem"
            try await Command.run(
                "openssl",
                [
                    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                    "-days", "2",
                    "-subj", "/CN=test authority", "-keyout", folder.path + "/ca.key", "-out", certificate,
                ])
        }

        /// A certificate for a name, and its key.
        func issue(_ name: String, for address: String) async throws -> EtcdServer.Certificates {
            let base = folder.path + "/" + name
            try await Command.run(
                "openssl",
                [
                    "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj",
                    "/CN=\(name)", "-addext", "subjectAltName=\(address)", "-keyout", base + ".key", "-out",
                    base + ".csr",
                ])
            try await Command.run(
                "openssl",
                [
                    "x509", "-req", "-in", base + ".csr", "-CA", certificate, "-CAkey",
                    folder.path + "/ca.key",
                    "-CAcreateserial", "-days", "2", "-copy_extensions", "copy", "-out", base + ".pem",
                ])
            return EtcdServer.Certificates(
                authority: certificate, certificate: base + ".pem", key: base + ".key")
        }
    }

    /// A program that follows a server which asks for certificates, and whose values an operator changes.
    private struct Setting {
        let server: EtcdServer
        let client: EtcdServer.Certificates
        var tls: EtcdTLS {
            EtcdTLS(authority: client.authority, certificate: client.certificate, key: client.key)
        }

        init(serverAddress: String = "IP:127.0.0.1,DNS:localhost") async throws {
            let authority = try await Authority()
            client = try await authority.issue("client", for: "DNS:client")
            server = try await EtcdServer.alone(
                certificates: try await authority.issue("server", for: serverAddress))
            keeping = authority
        }

        private let keeping: Authority

        /// Puts a value; whether the server is the right one is for the program to find out.
        func put(_ key: String, _ value: String) async throws {
            try await server.control([
                "--insecure-skip-tls-verify", "--cacert", client.authority, "--cert", client.certificate,
                "--key", client.key, "put", key, value,
            ])
        }
    }

    @Test func `a server of a known authority is followed, with a certificate of one's own`() async throws {
        let setting = try await Setting()
        try await setting.put("/app/a", "1")
        let follower = Follower(EtcdDefaultValueSource.test(setting.server, tls: setting.tls))
        #expect(await follower.reaches(["a": 1]))
        try await setting.put("/app/a", "2")
        #expect(await follower.reaches(["a": 2]))
        #expect(follower.failures.all == [])
    }

    @Test func `a host's name is verified as an address is`() async throws {
        let setting = try await Setting()
        try await setting.put("/app/a", "1")
        let source = EtcdDefaultValueSource(
            endpoints: ["https://localhost:\(setting.server.place.client)"], prefix: "/app", tls: setting.tls,
            lastKnown: .inMemory())
        let follower = Follower(source)
        #expect(await follower.reaches(["a": 1]))
    }

    @Test func `a server of an unknown authority is refused`() async throws {
        let setting = try await Setting()
        var tls = setting.tls
        let other = try await Authority()
        tls.authority = other.certificate
        let follower = Follower(EtcdDefaultValueSource.test(setting.server, tls: tls))
        #expect(await follower.hears("CERTIFICATE_VERIFY_FAILED"))
        #expect(follower.states.all == [[:]])
    }

    @Test func `a certificate for another address is refused`() async throws {
        let setting = try await Setting(serverAddress: "DNS:elsewhere.example,IP:127.0.0.9")
        try await setting.put("/app/a", "1")
        let follower = Follower(EtcdDefaultValueSource.test(setting.server, tls: setting.tls))
        #expect(await follower.failures.wait(for: 1))
        // The address is all that is wrong: who asks for one that the certificate has is served.
        var tls = setting.tls
        tls.serverName = "elsewhere.example"
        let served = Follower(EtcdDefaultValueSource.test(setting.server, tls: tls))
        #expect(await served.reaches(["a": 1]))
        #expect(follower.states.all == [[:]])
    }

    @Test func `a certificate for another name is taken where that name is the one asked for`() async throws {
        let setting = try await Setting(serverAddress: "DNS:etcd.example")
        var tls = setting.tls
        tls.serverName = "etcd.example"
        try await setting.put("/app/a", "1")
        let follower = Follower(EtcdDefaultValueSource.test(setting.server, tls: tls))
        #expect(await follower.reaches(["a": 1]))
        #expect(follower.failures.all == [])
    }

    @Test func `a program without a certificate is refused by a server that asks for one`() async throws {
        let setting = try await Setting()
        try await setting.put("/app/a", "1")
        let tls = EtcdTLS(authority: setting.client.authority)
        let follower = Follower(EtcdDefaultValueSource.test(setting.server, tls: tls))
        #expect(await follower.failures.wait(for: 1))
        // The certificate is all that is missing: who has one is served.
        let served = Follower(EtcdDefaultValueSource.test(setting.server, tls: setting.tls))
        #expect(await served.reaches(["a": 1]))
        #expect(follower.states.all == [[:]])
    }
}
