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
    /// - Throws: a fault where it has more than the bounds allow, or takes longer as a whole.
    static func take(
        _ prefix: EtcdPrefix, _ timing: FollowTiming,
        asking range: (Etcdserverpb_RangeRequest) async throws -> Etcdserverpb_RangeResponse
    ) async throws -> EtcdListing {
        var page = timing.page
        let deadline = ContinuousClock.now + timing.listing
        for _ in 0..<3 {
            do { return try await pages(prefix, timing, &page, until: deadline, range) } catch let error
                as RPCError
            {
                // Somebody compacted while the pages came.
                guard error.code == .outOfRange else { throw error }
            }
        }
        throw EtcdFault(.unreachable, "the keys are compacted faster than they can be listed")
    }

    private static func pages(
        _ prefix: EtcdPrefix, _ timing: FollowTiming, _ page: inout Int,
        until deadline: ContinuousClock.Instant,
        _ range: (Etcdserverpb_RangeRequest) async throws -> Etcdserverpb_RangeResponse
    ) async throws -> EtcdListing {
        var pairs: [Etcdserverpb_KeyValue] = []
        var bytes = 0
        var next = prefix.start
        let end = prefix.end
        var header: Etcdserverpb_ResponseHeader?
        while true {
            guard ContinuousClock.now < deadline else {
                throw EtcdFault(.unreachable, "the keys are not all listed after \(timing.listing)")
            }
            let request = Etcdserverpb_RangeRequest.with {
                $0.key = .init(next)
                $0.rangeEnd = .init(end)
                $0.limit = Int64(page)
                $0.revision = header?.revision ?? 0
            }
            let response: Etcdserverpb_RangeResponse
            do { response = try await range(request) } catch let error as RPCError {
                guard error.code == .resourceExhausted || error.isOfTooLargeMessage, page > smallestPage
                else {
                    throw error
                }
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
                bytes += key.count + pair.value.count
            }
            pairs += response.kvs
            try timing.most.check(bytes: bytes, keys: pairs.count, of: "the prefix has")
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
