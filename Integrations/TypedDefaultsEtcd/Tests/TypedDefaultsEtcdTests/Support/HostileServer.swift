import EtcdMessages
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import GRPCProtobuf
import SwiftProtobuf
import Synchronization

/// A server on this machine that speaks etcd's protocol and means no good, for as long as a test's body runs.
struct HostileServer: RegistrableRPCService {
    /// What it does; everything else is what etcd does.
    enum Deed: Sendable {
        /// A listing has more pages whenever it is asked, with values of so many bytes.
        case endlessListing(size: Int)
        /// Each page is one message of so many bytes, however few keys are asked for.
        case hugePage(bytes: Int)
        /// A batch of changes goes on in fragments without an end, with values of so many bytes.
        case endlessBatch(size: Int)
        /// Each watch begins with a change that is one message of so many bytes; each listing has one more digit in `/app/a`.
        case hugeBatch(bytes: Int)
        /// So many headers of so many bytes before the answer.
        case headers(count: Int, bytes: Int)
        /// The same behind it.
        case trailers(count: Int, bytes: Int)
        /// A change of a key that is not below the prefix, then one of `/app/a`.
        case foreignKey(String)
    }

    let deed: Deed
    /// How many pages were asked for, and how many fragments were sent.
    let counts = Counts()

    final class Counts: Sendable {
        private let all = Mutex((pages: 0, parts: 0))
        var pages: Int { all.withLock { $0.pages } }
        var parts: Int { all.withLock { $0.parts } }
        func addPage() -> Int {
            all.withLock {
                $0.pages += 1; return $0.pages
            }
        }
        func addPart() -> Int {
            all.withLock {
                $0.parts += 1; return $0.parts
            }
        }
    }

    /// Runs a server, and a body with its address.
    static func with(_ deed: Deed, body: @Sendable (String, Counts) async throws -> Void) async throws {
        let service = HostileServer(deed: deed)
        let server = GRPCServer(
            transport: .http2NIOPosix(
                address: .ipv4(host: "127.0.0.1", port: 0), transportSecurity: .plaintext),
            services: [service])
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.serve() }
            let address = try await server.listeningAddress
            guard let port = address?.ipv4?.port else { throw NoAddress() }
            try await body("http://127.0.0.1:\(port)", service.counts)
            // The follower has closed its connection, or is about to.
            server.beginGracefulShutdown()
            try await group.waitForAll()
        }
    }

    private struct NoAddress: Error {}

    func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
        router.registerHandler(
            forMethod: MethodDescriptor(fullyQualifiedService: "etcdserverpb.KV", method: "Range"),
            deserializer: ProtobufDeserializer<Etcdserverpb_RangeRequest>(),
            serializer: ProtobufSerializer<Etcdserverpb_RangeResponse>()
        ) { request, _ in
            var asked: Etcdserverpb_RangeRequest?
            for try await message in request.messages { asked = message }
            let page = page(asked?.limit ?? 0)
            return StreamingServerResponse(metadata: heads) { writer in
                try await writer.write(page)
                return tails
            }
        }
        router.registerHandler(
            forMethod: MethodDescriptor(fullyQualifiedService: "etcdserverpb.Watch", method: "Watch"),
            deserializer: ProtobufDeserializer<Etcdserverpb_WatchRequest>(),
            serializer: ProtobufSerializer<Etcdserverpb_WatchResponse>()
        ) { _, context in
            StreamingServerResponse { writer in
                try await writer.write(
                    .with {
                        $0.header = header; $0.created = true
                    })
                try await watch(context.cancellation) { try await writer.write($0) }
                // A watch lasts until the client ends it.
                try await context.cancellation.cancelled
                return Metadata()
            }
        }
    }

    private var header: Etcdserverpb_ResponseHeader { .with { ($0.clusterID, $0.revision) = (1, 5) } }

    private var heads: Metadata {
        if case .headers(let count, let bytes) = deed { Self.metadata(count, bytes) } else { [:] }
    }

    private var tails: Metadata {
        if case .trailers(let count, let bytes) = deed { Self.metadata(count, bytes) } else { [:] }
    }

    private static func metadata(_ count: Int, _ bytes: Int) -> Metadata {
        var metadata = Metadata()
        for number in 0..<count {
            metadata.addString(String(repeating: "x", count: bytes), forKey: "x-\(number)")
        }
        return metadata
    }

    private static func pair(_ key: String, _ size: Int, _ revision: Int64 = 5) -> Etcdserverpb_KeyValue {
        .with { pair in
            pair.key = .init(key.utf8)
            pair.value = .init(repeating: 0x31, count: size)
            pair.modRevision = revision
        }
    }

    private func page(_ limit: Int64) -> Etcdserverpb_RangeResponse {
        let page = counts.addPage()
        return .with { response in
            response.header = header
            switch deed {
            case .endlessListing(let size):
                response.more = true
                response.kvs = (0..<Int(limit)).map { number in
                    let digits = String(page * 10_000_000 + number)
                    return Self.pair(
                        "/app/" + String(repeating: "0", count: 20 - digits.count) + digits, size)
                }
            case .hugePage(let bytes): response.kvs = [Self.pair("/app/a", bytes)]
            case .hugeBatch: response.kvs = [Self.pair("/app/a", page)]
            default: response.kvs = [Self.pair("/app/a", 1)]
            }
        }
    }

    private func watch(
        _ cancellation: ServerContext.RPCCancellationHandle,
        _ write: (Etcdserverpb_WatchResponse) async throws -> Void
    ) async throws {
        func change(_ pairs: [Etcdserverpb_KeyValue], isPart: Bool = false) async throws {
            try await write(
                .with { response in
                    response.header = header
                    response.fragment = isPart
                    response.events = pairs.map { pair in .with { $0.kv = pair } }
                })
        }
        switch deed {
        case .endlessBatch(let size):
            while !cancellation.isCancelled {
                try await change([Self.pair("/app/k\(counts.addPart())", size, 6)], isPart: true)
            }
        case .hugeBatch(let bytes):
            _ = counts.addPart()
            try await change([Self.pair("/app/b", bytes, 6)])
        case .foreignKey(let key): try await change([Self.pair(key, 2, 6), Self.pair("/app/a", 2, 6)])
        default: break
        }
    }
}
