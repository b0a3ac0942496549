import EtcdMessages
import GRPCCore

/// Follows one endpoint from the connection to whatever ends it: list, then watch from that revision.
struct EtcdSession: Sendable {
    let endpoint: EtcdEndpoint
    let settings: FollowSettings
    let feed: ReportFeed

    /// A watch that is compacted away sooner than this is a failure, not a reason to list at once.
    private static let shortestWatch = Duration.seconds(1)

    /// Goes on until the connection fails or the task is cancelled.
    ///
    /// - Returns: why it ended, and for how long changes were followed; nil where no listing came.
    func run() async -> (fault: EtcdFault, followed: Duration?) {
        var listed: ContinuousClock.Instant?
        var fault = EtcdFault(.unreachable, "the connection has ended")
        do {
            try await EtcdConnection.with(endpoint, settings) { connection in
                if let credentials = settings.credentials { try await connection.authenticate(credentials) }
                try await follow(connection, &listed)
            }
        } catch {
            fault = EtcdFault(error)
        }
        return (fault, listed.map { ContinuousClock.now - $0 })
    }

    private func follow(_ connection: EtcdConnection, _ listed: inout ContinuousClock.Instant?) async throws {
        var isFirst = true
        while true {
            let kept = await feed.keptStamp()
            let listing = try await EtcdListing.take(
                settings.prefix, settings.timing, asking: connection.range)
            await feed.listed(KeySpace(listing, prefix: settings.prefix), endpoint, after: kept)
            let now = ContinuousClock.now
            listed = listed ?? now
            await settings.timing.listed?()
            try await watchUntilCompacted(connection, listing)
            guard isFirst || ContinuousClock.now - now > EtcdSession.shortestWatch else {
                throw EtcdFault(.unreachable, "the changes are compacted faster than they can be followed")
            }
            isFirst = false
        }
    }

    /// Follows the changes; returns when the server no longer keeps those that come next.
    private func watchUntilCompacted(_ connection: EtcdConnection, _ listing: EtcdListing) async throws {
        let silence = Silence()
        // Up to a quarter longer, so that those who lost one proxy together do not list together.
        let limit = settings.timing.silence * Double.random(in: 1...1.25)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await watch(connection, listing, silence) }
            group.addTask {
                try await silence.wait(for: limit)
                throw EtcdFault(.silent, "nothing has been heard of the watch for \(limit)")
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func watch(_ connection: EtcdConnection, _ listing: EtcdListing, _ silence: Silence) async throws
    {
        let request = EtcdWatch.request(settings.prefix, after: listing.revision)
        try await connection.watch(request) { [feed, endpoint, timing = settings.timing] responses in
            var watch = EtcdWatch(cluster: listing.cluster, most: timing.most)
            for try await response in responses {
                await silence.end()
                timing.heard?()
                switch try watch.take(response) {
                case .nothing: break
                case .batch(let events):
                    let size = await feed.changed(events, endpoint)
                    // Read once more, it is refused as a whole, and what is known goes on to count.
                    try timing.most.check(
                        bytes: size.bytes, keys: size.keys, of: "the prefix has come to have")
                case .compacted: return
                }
            }
            try Task.checkCancellation()
            throw EtcdFault(.unreachable, "the server has ended the watch")
        }
    }
}
