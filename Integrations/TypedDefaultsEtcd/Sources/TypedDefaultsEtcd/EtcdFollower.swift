/// Follows one endpoint after the other until the task is cancelled.
struct EtcdFollower: Sendable {
    let settings: FollowSettings
    let feed: ReportFeed

    /// Runs the sessions, and beside them the clock that ends the wait for the first answer.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { [feed, grace = settings.timing.grace] in
                do { try await Task.sleep(for: grace) } catch {
                    // The following has ended.
                    return
                }
                await feed.waitIsOver()
            }
            await runSessions()
            group.cancelAll()
        }
    }

    private func runSessions() async {
        let timing = settings.timing
        var backOff = BackOff(shortest: timing.shortestPause, longest: timing.longestPause)
        let count = settings.endpoints.count
        // Any first one, so that many programs share the endpoints among them.
        var index = timing.firstEndpoint ?? Int.random(in: 0..<count)
        // How many more endpoints are asked at once.
        var left = count
        while !Task.isCancelled {
            let session = EtcdSession(endpoint: settings.endpoints[index], settings: settings, feed: feed)
            let (fault, followed) = await session.run()
            guard !Task.isCancelled else { return }
            if fault.kind != .silent { await feed.failed(fault, session.endpoint) }
            if let followed, followed > timing.steady {
                backOff.reset()
                left = count + 1
            }
            if fault.kind != .unauthenticated { index = (index + 1) % count }
            left -= 1
            if left > 0, fault.kind != .refused { continue }
            await feed.nobodyAnswers()
            let pause = fault.kind == .refused ? backOff.longPause() : backOff.pause()
            left = count
            do { try await Task.sleep(for: pause) } catch {
                // The following has ended.
                return
            }
        }
    }
}
