/// Answers to a listing that no honest server gives.
import EtcdMessages
import GRPCCore
import SwiftProtobuf
import Synchronization
import Testing
import TypedDefaults

@testable import TypedDefaultsEtcd

struct ListingTests {
    private static func answer(
        _ keys: [String], more: Bool = false, revision: Int64 = 5
    ) -> Etcdserverpb_RangeResponse {
        .with { response in
            response.header.clusterID = 1
            response.header.revision = revision
            response.kvs = keys.map { key in .with { $0.key = .init(key.utf8) } }
            response.more = more
        }
    }

    /// Lists what a server answers, which says the last again and again for a while.
    private static func list(_ answers: [Etcdserverpb_RangeResponse]) async throws -> [String] {
        let asked = Mutex(0)
        let timing = FollowTiming(page: 2)
        let listing = try await EtcdListing.take(try EtcdPrefix("/app"), timing) { _ in
            let number = asked.withLock { number in
                number += 1
                return number - 1
            }
            guard number < answers.count + 10 else { throw Endless() }
            return answers[min(number, answers.count - 1)]
        }
        return listing.pairs.map { String(decoding: $0.key, as: UTF8.self) }
    }

    private struct Endless: Error {}

    @Test func `pages whose keys rise are one listing`() async throws {
        let answers = [
            ListingTests.answer(["/app/", "/app/a"], more: true),
            ListingTests.answer(["/app/a\0", "/app/b"], more: true), ListingTests.answer([]),
        ]
        #expect(try await ListingTests.list(answers) == ["/app/", "/app/a", "/app/a\0", "/app/b"])
    }

    @Test(arguments: [
        [ListingTests.answer(["/app/a", "/app/b"], more: true)],
        [
            ListingTests.answer(["/app/a", "/app/b"], more: true),
            ListingTests.answer(["/app/b", "/app/c"], more: true),
        ],
        [ListingTests.answer(["/app/a", "/app/c", "/app/b"])], [ListingTests.answer(["/app/a", "/app/a"])],
        [ListingTests.answer(["/app/a", "/apps/b"])], [ListingTests.answer(["/ap/a"])],
    ])
    func `keys that do not rise, or stand elsewhere, are an error`(
        answers: [Etcdserverpb_RangeResponse]
    ) async throws {
        await #expect(throws: EtcdFault(.unreachable, "the server lists keys that were not asked for")) {
            try await ListingTests.list(answers)
        }
    }

    /// Lists a server that has more keys whenever it is asked, each with a value of so many bytes.
    private static func listEndless(_ timing: FollowTiming, size: Int) async throws {
        let count = Mutex(1_000_000)
        _ = try await EtcdListing.take(try EtcdPrefix("/app"), timing) { request in
            let first = count.withLock { count in
                count += Int(request.limit)
                return count
            }
            return .with { response in
                response.header.revision = 5
                response.more = true
                response.kvs = (0..<request.limit).map { number in
                    .with {
                        $0.key = .init("/app/\(first + Int(number))".utf8)
                        $0.value = .init(repeating: 0x31, count: size)
                    }
                }
            }
        }
    }

    @Test func `a listing without an end is given up at a bound of bytes, keys or time`() async throws {
        var timing = FollowTiming(page: 100)
        timing.most = EtcdBounds(bytes: 1 << 20, keys: 5_000)
        await #expect(throws: EtcdFault(.unreachable, "the prefix has more than 1048576 bytes")) {
            try await ListingTests.listEndless(timing, size: 10_000)
        }
        await #expect(throws: EtcdFault(.unreachable, "the prefix has more than 5000 keys")) {
            try await ListingTests.listEndless(timing, size: 1)
        }
        timing.most = EtcdBounds(bytes: .max, keys: .max)
        timing.listing = .milliseconds(50)
        await #expect(throws: EtcdFault(.unreachable, "the keys are not all listed after 0.05 seconds")) {
            try await ListingTests.listEndless(timing, size: 1)
        }
    }

    @Test(arguments: [false, true])
    func `a page that is too large for a message is asked for in smaller ones`(isWrapped: Bool) async throws {
        let limits = Mutex<[Int64]>([])
        let refusal = RPCError(
            code: .internalError, message: "Message has exceeded the configured maximum payload size")
        _ = try await EtcdListing.take(try EtcdPrefix("/app"), FollowTiming(page: 100)) { request in
            limits.withLock { $0.append(request.limit) }
            guard request.limit < 10 else {
                throw isWrapped
                    ? RPCError(code: .unknown, message: "the stream failed", cause: refusal) : refusal
            }
            return ListingTests.answer(["/app/a"])
        }
        #expect(limits.withLock { $0 } == [100, 25, 6])
    }

    @Test func `more keys of which none is listed are an error`() async throws {
        let fault = EtcdFault(.unreachable, "the server has more keys and lists none of them")
        await #expect(throws: fault) { try await ListingTests.list([ListingTests.answer([], more: true)]) }
        await #expect(throws: fault) {
            try await ListingTests.list([
                ListingTests.answer(["/app/a"], more: true), ListingTests.answer([], more: true),
            ])
        }
    }

    @Test(arguments: [Int64.max, 0, -1, .min])
    func `a revision that nothing can come after is an error, before anything is watched`(
        revision: Int64
    ) async throws {
        await #expect(throws: EtcdFault(.unreachable, "the server lists keys of revision \(revision)")) {
            try await ListingTests.list([ListingTests.answer(["/app/a"], revision: revision)])
        }
    }
}
