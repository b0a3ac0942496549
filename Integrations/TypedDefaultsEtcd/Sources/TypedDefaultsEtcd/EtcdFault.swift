import GRPCCore
import TypedDefaults

/// Why following one endpoint came to an end.
struct EtcdFault: Error, Hashable, Sendable {
    /// What is to be done about it.
    enum Kind: Hashable, Sendable {
        /// Another endpoint may be better.
        case unreachable
        /// The token has run out: the same again, with a new one.
        case unauthenticated
        /// No endpoint of the cluster will do it until somebody changes something.
        case refused
        /// Nobody knows whether anything is wrong: the next endpoint is asked, and nothing is told.
        case silent
    }

    let kind: Kind
    let reason: String

    init(_ kind: Kind, _ reason: String) {
        self.kind = kind
        self.reason = reason
    }

    /// Sorts out what a call threw.
    init(_ error: any Error) {
        switch error {
        case let fault as EtcdFault: self = fault
        case let error as RPCError: self.init(error)
        case let error as RuntimeError:
            self.init(.unreachable, "\(error.message)\(EtcdFault.cause(error.cause))")
        default: self.init(.unreachable, "\(error)")
        }
    }

    /// etcd's texts are the only thing that tells some of its refusals apart.
    private init(_ error: RPCError) {
        let text = error.message
        switch error.code {
        case .unauthenticated:
            self.init(.unauthenticated, text)
        case .permissionDenied:
            self.init(.refused, "the server refuses: \(text)")
        case .invalidArgument where text.contains("authentication failed"):
            self.init(.refused, "the server refuses the credentials: \(text)")
        case .invalidArgument where text.contains("user name is empty"):
            self.init(.refused, "the server asks for credentials, and none are given")
        case .invalidArgument where text.contains("auth store is old"):
            self.init(.unauthenticated, text)
        case .deadlineExceeded:
            self.init(.unreachable, "it does not answer")
        case .unavailable:
            self.init(.unreachable, "it cannot be reached: \(text)\(EtcdFault.cause(error.cause))")
        default:
            self.init(.unreachable, "\(error.code): \(text)\(EtcdFault.cause(error.cause))")
        }
    }

    private static func cause(_ error: (any Error)?) -> String {
        switch error {
        case nil: ""
        case let error as RPCError: " (\(error.message)\(cause(error.cause)))"
        case let error as RuntimeError: " (\(error.message)\(cause(error.cause)))"
        case .some(let error): " (\(error))"
        }
    }

    /// The same for the suite's failures.
    func at(_ endpoint: EtcdEndpoint) -> DefaultsError {
        DefaultsError.sourceFailed(reason, path: "\(endpoint)")
    }
}
