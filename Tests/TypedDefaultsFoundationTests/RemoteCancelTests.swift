/// Who no longer wants what a server keeps back.
import Foundation
import TestSupport
import Testing
@testable import TypedDefaultsFoundation

@Suite(.ownThread, .timeLimit(.minutes(60))) struct RemoteCancelTests {
    @Test func `who cancels the task is not kept waiting`() async throws {
        let server = try LoopbackServer { _ in .stall(after: []) }
        // Or the clocks of the fetch would end it.
        let fetch = RemoteFetch(url: server.url(), headers: [:], limits: .init(time: .seconds(120)))
        let asking = Task { try await fetch.body() }
        #expect(await server.requests.wait(for: 1))
        asking.cancel()
        let cancelled = ContinuousClock.now
        await #expect(throws: (any Error).self) { try await asking.value }
        #expect(ContinuousClock.now - cancelled < .seconds(30), "the server is silent for a minute")
        withExtendedLifetime(server) {}
    }
}
