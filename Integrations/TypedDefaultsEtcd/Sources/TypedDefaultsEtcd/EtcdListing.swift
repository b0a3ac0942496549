import EtcdMessages
import GRPCCore
import SwiftProtobuf

/// All keys below a prefix as they are at one revision.
struct EtcdListing: Sendable {
    let cluster: UInt64
    let revision: Int64
    let pairs: [Etcdserverpb_KeyValue]

    /// The smallest page: so many of the largest values etcd takes by itself fit into one answer.
    private static let smallestPage = 4

    /// Lists page by page, all of them at the first one's revision.
    ///
    /// The reads are linearizable: a member that has fallen behind asks its leader first, so that nothing is older than
    /// what any listing before it has said.
    static func take(
        over connection: EtcdConnection, _ prefix: EtcdPrefix, page: Int
    ) async throws -> EtcdListing {
        var page = page
        for _ in 0..<3 {
            do { return try await pages(over: connection, prefix, &page) } catch let error as RPCError {
                // Somebody compacted while the pages came.
                guard error.code == .outOfRange else { throw error }
            }
        }
        throw EtcdFault(.unreachable, "the keys are compacted faster than they can be listed")
    }

    private static func pages(
        over connection: EtcdConnection, _ prefix: EtcdPrefix, _ page: inout Int
    ) async throws -> EtcdListing {
        var pairs: [Etcdserverpb_KeyValue] = []
        var next = prefix.start
        var header: Etcdserverpb_ResponseHeader?
        while true {
            let request = Etcdserverpb_RangeRequest.with {
                $0.key = .init(next)
                $0.rangeEnd = .init(prefix.end)
                $0.limit = Int64(page)
                $0.revision = header?.revision ?? 0
            }
            let response: Etcdserverpb_RangeResponse
            do { response = try await connection.range(request) } catch let error as RPCError {
                // The answer was too large for one message.
                guard error.code == .resourceExhausted, page > smallestPage else { throw error }
                page = max(page / 4, smallestPage)
                continue
            }
            pairs += response.kvs
            let first = header ?? response.header
            header = first
            guard response.more, let last = response.kvs.last else {
                return EtcdListing(cluster: first.clusterID, revision: first.revision, pairs: pairs)
            }
            next = Array(last.key) + [0]
        }
    }
}
