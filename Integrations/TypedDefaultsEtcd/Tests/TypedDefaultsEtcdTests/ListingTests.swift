/// Answers to a listing that no honest server gives.
import EtcdMessages
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
        let listing = try await EtcdListing.take(try EtcdPrefix("/app"), page: 2) { _ in
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
