import EtcdMessages
import SwiftProtobuf

/// Follows the changes below a prefix, whole revisions at a time.
struct EtcdWatch: Sendable {
    let cluster: UInt64
    private let most: EtcdBounds
    /// The parts of a batch that is still coming.
    private var parts: [Etcdserverpb_Event] = []
    private var bytes = 0

    /// What one answer of the server leads to.
    enum Step: Sendable {
        case nothing
        /// A batch is complete: every event of the revisions it is about.
        case batch([Etcdserverpb_Event])
        /// The changes that come next are no longer kept.
        case compacted
    }

    init(cluster: UInt64, most: EtcdBounds = EtcdBounds()) { (self.cluster, self.most) = (cluster, most) }

    /// What to ask the server for.
    static func request(_ prefix: EtcdPrefix, after revision: Int64) -> Etcdserverpb_WatchCreateRequest {
        .with {
            $0.key = .init(prefix.start)
            $0.rangeEnd = .init(prefix.end)
            $0.startRevision = revision + 1
            $0.progressNotify = true
            $0.fragment = true
        }
    }

    /// Takes an answer.
    ///
    /// - Throws: where the server ends the watch for another reason, is another cluster's, or sends a batch that is larger
    ///   than the bounds allow.
    mutating func take(_ response: Etcdserverpb_WatchResponse) throws(EtcdFault) -> Step {
        if response.canceled {
            if response.compactRevision > 0 { return .compacted }
            throw EtcdWatch.fault(response.cancelReason)
        }
        // etcd's gRPC proxy names no cluster when it lets a watch join one that it has already.
        guard [0, cluster].contains(response.header.clusterID) else {
            throw EtcdFault(.unreachable, "the endpoint has become another cluster's")
        }
        for event in response.events { bytes += event.kv.key.count + event.kv.value.count }
        parts += response.events
        try most.check(bytes: bytes, keys: parts.count, of: "what is changed at once has")
        // A large batch comes in fragments, of which all but the last say that more follow.
        guard !response.fragment, !parts.isEmpty else { return .nothing }
        defer { (parts, bytes) = ([], 0) }
        return .batch(parts)
    }

    /// A refused watch is told in an answer and not as the call's error.
    private static func fault(_ reason: String) -> EtcdFault {
        if reason.contains("permission denied") {
            return EtcdFault(.refused, "the server refuses: \(reason)")
        }
        if reason.contains("auth token") { return EtcdFault(.unauthenticated, reason) }
        return EtcdFault(.unreachable, "the server has ended the watch: \(reason)")
    }
}
