import EtcdMessages
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import GRPCProtobuf
import SwiftProtobuf

/// One connection to one endpoint, for as long as a closure runs.
struct EtcdConnection: Sendable {
    private let client: GRPCClient<HTTP2ClientTransport.Posix>
    private let timing: FollowTiming
    /// What a server that asks for credentials gave for them.
    private var token: String?

    /// Connects, and closes at once when the body is done, whatever the server does.
    static func with(
        _ endpoint: EtcdEndpoint, _ settings: FollowSettings,
        body: (inout EtcdConnection) async throws -> Void
    ) async throws {
        settings.timing.connecting?(endpoint)
        let transport = try HTTP2ClientTransport.Posix(
            target: endpoint.target, transportSecurity: settings.security(of: endpoint),
            config: settings.transport)
        do {
            try await withGRPCClient(transport: transport) { client in
                var connection = EtcdConnection(client: client, timing: settings.timing)
                try await body(&connection)
                // A graceful end would wait for a server that may have stopped answering.
                throw Closed()
            }
        } catch is Closed {
            return
        }
    }

    private init(client: GRPCClient<HTTP2ClientTransport.Posix>, timing: FollowTiming) {
        self.client = client
        self.timing = timing
    }

    private struct Closed: Error {}

    /// Exchanges a user's password for a token; a server that asks nobody needs none.
    mutating func authenticate(_ credentials: EtcdCredentials) async throws {
        let request = Etcdserverpb_AuthenticateRequest.with {
            $0.name = credentials.user
            $0.password = credentials.password
        }
        do {
            let response: Etcdserverpb_AuthenticateResponse = try await ask("Auth", "Authenticate", request)
            token = response.token
        } catch let error as RPCError where error.message.contains("authentication is not enabled") {
            token = nil
        }
    }

    /// Lists some keys, as the cluster as a whole has them now.
    func range(_ request: Etcdserverpb_RangeRequest) async throws -> Etcdserverpb_RangeResponse {
        try await ask("KV", "Range", request)
    }

    /// Asks for changes and runs a body with the answers; the watch ends with the body.
    func watch(
        _ request: Etcdserverpb_WatchCreateRequest,
        body:
            @escaping @Sendable (RPCAsyncSequence<Etcdserverpb_WatchResponse, any Error>) async throws -> Void
    ) async throws {
        var metadata = metadata
        // A member that has lost its cluster says so instead of being silent.
        metadata.addString("true", forKey: "hasleader")
        let request = StreamingClientRequest<Etcdserverpb_WatchRequest>(metadata: metadata) { writer in
            try await writer.write(.with { $0.createRequest = request })
            // The watch lasts as long as this side of it is open.
            for await _ in AsyncStream(Never.self, { _ in }) {}
        }
        do {
            try await client.bidirectionalStreaming(
                request: request, descriptor: .etcd("Watch", "Watch"),
                serializer: ProtobufSerializer<Etcdserverpb_WatchRequest>(),
                deserializer: ProtobufDeserializer<Etcdserverpb_WatchResponse>(),
                options: options(timeout: nil)
            ) { response in try await body(response.messages) }
        } catch let error as RPCError where error.isOfTooLargeMessage {
            throw EtcdFault(
                .unreachable,
                "a message about changes cannot be read, probably since it has more than \(timing.message) bytes"
            )
        }
    }

    private func ask<Request: SwiftProtobuf.Message, Response: SwiftProtobuf.Message>(
        _ service: String, _ method: String, _ request: Request
    ) async throws -> Response {
        try await client.unary(
            request: ClientRequest(message: request, metadata: metadata), descriptor: .etcd(service, method),
            serializer: ProtobufSerializer<Request>(), deserializer: ProtobufDeserializer<Response>(),
            options: options(timeout: timing.answer)
        ) { try $0.message }
    }

    private var metadata: Metadata {
        var metadata = Metadata()
        if let token { metadata.addString(token, forKey: "authorization") }
        return metadata
    }

    private func options(timeout: Duration?) -> CallOptions {
        var options = CallOptions.defaults
        options.timeout = timeout
        options.waitForReady = false
        // By its name the second is about what comes, but the transport takes the first (2.9.2).
        options.maxRequestMessageBytes = timing.message
        options.maxResponseMessageBytes = timing.message
        return options
    }
}

extension RPCError {
    /// Whether an answer was larger than one message may be, as far as the transport's texts tell, inside another error too.
    ///
    /// Of a call that is still open for requests it says only that the answer cannot be decoded (2.9.2).
    var isOfTooLargeMessage: Bool {
        let texts = ["maximum payload size", "Failed to decode message"]
        if texts.contains(where: message.contains) { return true }
        return (cause as? RPCError)?.isOfTooLargeMessage ?? false
    }
}

extension MethodDescriptor {
    fileprivate static func etcd(_ service: String, _ method: String) -> MethodDescriptor {
        MethodDescriptor(fullyQualifiedService: "etcdserverpb.\(service)", method: method)
    }
}
