import Foundation
import LocalEtcd

/// Many processes that follow one prefix: how soon they hear, and what they cost the server.
struct Crowd {
    let plan: Plan
    let etcd: LocalEtcd
    /// What stands between them and the server; nil for nothing.
    var proxy: LocalProxy?

    private static let prefix = "/crowd"

    func run() throws {
        try put(0)
        let idleAlone = try idle([])
        let before = try server()
        let began = Moment.now
        let endpoint = proxy?.endpoint ?? etcd.endpoint
        let followers = try (1...plan.followers).map { number in
            try RemoteFollower(
                endpoint, Crowd.prefix,
                folder: "\(plan.folder)/\(proxy == nil ? "direct" : "proxy")-\(number)")
        }
        let started = try followers.map { try $0.hears(0) }.reduce(began, max)
        say(
            "\n\(plan.followers) processes that follow one prefix\(proxy == nil ? "" : ", through one gRPC proxy")"
        )
        row("all started and in step after", text(started.milliseconds(since: began), "ms"))
        try latency(followers)
        let after = try server()
        row("watches on the server, all together", text(after.watchers - before.watchers, ""))
        row("watch streams, all together", text(after.streams - before.streams, ""))
        let open = try followers.map { Double(try openConnections(of: $0.program.id, to: endpoint)) }
        row("connections of a follower: most", text(open.quantile(1), ""))
        row(
            "resident memory of the server, before and after",
            "\(text(before.resident / 1_024, "MiB")), \(text(after.resident / 1_024, "MiB"))")
        let idleTogether = try idle(followers)
        row("server's processor time, nobody follows", text(idleAlone, "ms a second"))
        row("server's processor time, all follow", text(idleTogether, "ms a second"))
        for follower in followers { follower.end() }
    }

    /// From just before the put to the observers' calls; each put waits until all have heard the one before.
    private func latency(_ followers: [RemoteFollower]) throws {
        var (last, each, asked): ([Double], [Double], [Double]) = ([], [], [])
        for value in 1...plan.puts {
            let moment = try put(value)
            asked.append(Moment.now.milliseconds(since: moment))
            let delays = try followers.map { try $0.hears(value).milliseconds(since: moment) }
            each += delays
            last.append(delays.quantile(1))
        }
        row("the put itself until it is answered: median", text(asked.quantile(0.5), "ms"))
        row("the put itself until it is answered: 99 %", text(asked.quantile(0.99), "ms"))
        row("put to an observer: median", text(each.quantile(0.5), "ms"))
        row("put to an observer: 99 %", text(each.quantile(0.99), "ms"))
        row("put to the last observer: median", text(last.quantile(0.5), "ms"))
        row("put to the last observer: 99 %", text(last.quantile(0.99), "ms"))
        row("put to the last observer: longest", text(last.quantile(1), "ms"))
    }

    /// What happens on the server while nothing changes.
    ///
    /// - Returns: its processor time in milliseconds a second.
    private func idle(_ followers: [RemoteFollower]) throws -> Double {
        let before = (try server(), try followers.map { try $0.usage().processor })
        // Time itself is what is measured here.
        Thread.sleep(forTimeInterval: Double(plan.idle))
        let after = (try server(), try followers.map { try $0.usage().processor })
        if !followers.isEmpty {
            let seconds = Double(plan.idle)
            row("idle for", "\(plan.idle) s")
            row("  calls begun on the server, all together", text(after.0.calls - before.0.calls, ""))
            row("  bytes from clients, all together", text(after.0.received - before.0.received, ""))
            row("  bytes to clients, all together", text(after.0.sent - before.0.sent, ""))
            let spent = zip(before.1, after.1).map { ($1 - $0) / seconds }
            row("  processor time of a follower: median", text(spent.quantile(0.5), "ms a second"))
        }
        return (after.0.processor - before.0.processor) / Double(plan.idle)
    }

    @discardableResult
    private func put(_ value: Int) throws -> Moment {
        try etcd.put([("\(Crowd.prefix)/\(Follower.key)", "\(value)")])
    }

    /// The server's own counts.
    private func server() throws -> ServerCounts {
        try ServerCounts(etcd.metrics(), ProcessUsage(of: etcd.id))
    }
}

/// What etcd and Linux count of the server.
struct ServerCounts {
    let watchers, streams, calls, received, sent, resident, processor: Double

    init(_ metrics: [String: Double], _ usage: ProcessUsage) throws {
        func value(_ name: String) throws -> Double {
            guard let value = metrics[name] else { throw Refusal("etcd does not count \(name)") }
            return value
        }
        watchers = try value("etcd_debugging_mvcc_watcher_total")
        streams = try value("etcd_debugging_mvcc_watch_stream_total")
        received = try value("etcd_network_client_grpc_received_bytes_total")
        sent = try value("etcd_network_client_grpc_sent_bytes_total")
        calls = metrics.filter { $0.key.hasPrefix("grpc_server_started_total{") }.values.reduce(0, +)
        (resident, processor) = (usage.resident, usage.processor)
    }
}
