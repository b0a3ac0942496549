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
    ///
    /// - Parameter range: asks the server for one page.
    static func take(
        _ prefix: EtcdPrefix, page: Int,
        asking range: (Etcdserverpb_RangeRequest) async throws -> Etcdserverpb_RangeResponse
    ) async throws -> EtcdListing {
        var page = page
        for _ in 0..<3 {
            do { return try await pages(prefix, &page, range) } catch let error as RPCError {
                // Somebody compacted while the pages came.
                guard error.code == .outOfRange else { throw error }
            }
        }
        throw EtcdFault(.unreachable, "the keys are compacted faster than they can be listed")
    }

    private static func pages(
        _ prefix: EtcdPrefix, _ page: inout Int,
        _ range: (Etcdserverpb_RangeRequest) async throws -> Etcdserverpb_RangeResponse
    ) async throws -> EtcdListing {
        var pairs: [Etcdserverpb_KeyValue] = []
        var next = prefix.start
        let end = prefix.end
        var header: Etcdserverpb_ResponseHeader?
        while true {
            let request = Etcdserverpb_RangeRequest.with {
                $0.key = .init(next)
                $0.rangeEnd = .init(end)
                $0.limit = Int64(page)
                $0.revision = header?.revision ?? 0
            }
            let response: Etcdserverpb_RangeResponse
            do { response = try await range(request) } catch let error as RPCError {
                // The answer was too large for one message.
                guard error.code == .resourceExhausted, page > smallestPage else { throw error }
                page = max(page / 4, smallestPage)
                continue
            }
            let first = try header ?? checked(response.header)
            header = first
            for pair in response.kvs {
                let key = Array(pair.key)
                // Without this an endpoint that repeats itself would be listed for ever.
                guard !key.lexicographicallyPrecedes(next), key.lexicographicallyPrecedes(end) else {
                    throw EtcdFault(.unreachable, "the server lists keys that were not asked for")
                }
                next = key + [0]
            }
            pairs += response.kvs
            guard response.more else {
                return EtcdListing(cluster: first.clusterID, revision: first.revision, pairs: pairs)
            }
            guard !response.kvs.isEmpty else {
                throw EtcdFault(.unreachable, "the server has more keys and lists none of them")
            }
        }
    }

    /// etcd counts revisions from 1, and the watch needs one that comes after.
    private static func checked(
        _ header: Etcdserverpb_ResponseHeader
    ) throws(EtcdFault) -> Etcdserverpb_ResponseHeader {
        guard (1..<Int64.max).contains(header.revision) else {
            throw EtcdFault(.unreachable, "the server lists keys of revision \(header.revision)")
        }
        return header
    }
}
