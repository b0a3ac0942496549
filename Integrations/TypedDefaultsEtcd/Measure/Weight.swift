import LocalEtcd

/// One process with many keys beside one with a single key: memory, start, and the change of one among many.
struct Weight {
    let plan: Plan
    let etcd: LocalEtcd

    func run() throws {
        try fill()
        let light = try start("/light")
        let heavy = try start("/heavy")
        // What a start leaves to be done is done behind some changes.
        for value in 21...40 {
            _ = try (change("/light", value, light.follower), change("/heavy", value, heavy.follower))
        }
        let before = (try light.follower.usage(), try heavy.follower.usage())
        let moments = try (1...20).map { value in
            try (
                light: change("/light", value, light.follower), heavy: change("/heavy", value, heavy.follower)
            )
        }
        let (small, large) = (try light.follower.usage(), try heavy.follower.usage())
        say("\none process with 1 key and one with \(plan.keys + 1)")
        pair("started and in step after", light.after, heavy.after, "ms")
        pair(
            "put to the observer: median", moments.map(\.light).quantile(0.5),
            moments.map(\.heavy).quantile(0.5), "ms")
        pair(
            "processor time of a change", (small.processor - before.0.processor) / 20,
            (large.processor - before.1.processor) / 20, "ms")
        pair("resident memory", small.resident / 1_024, large.resident / 1_024, "MiB")
        pair("memory of its own", small.own / 1_024, large.own / 1_024, "MiB")
        row("memory for each further key", text((large.own - small.own) / Double(plan.keys), "KiB"))
        for follower in [light.follower, heavy.follower] { follower.end() }
    }

    private func fill() throws {
        try etcd.put([("/light/\(Follower.key)", "0"), ("/heavy/\(Follower.key)", "0")])
        for first in stride(from: 0, to: plan.keys, by: 100) {
            try etcd.put(
                (first..<min(first + 100, plan.keys)).map {
                    ("/heavy/setting.number.\($0)", "\"value \($0)\"")
                })
        }
    }

    private func start(_ prefix: String) throws -> (follower: RemoteFollower, after: Double) {
        let began = Moment.now
        let follower = try RemoteFollower(etcd.endpoint, prefix, folder: plan.folder + prefix)
        return (follower, try follower.hears(0).milliseconds(since: began))
    }

    private func change(_ prefix: String, _ value: Int, _ follower: RemoteFollower) throws -> Double {
        let moment = try etcd.put([("\(prefix)/\(Follower.key)", "\(value)")])
        return try follower.hears(value).milliseconds(since: moment)
    }

    private func pair(_ name: String, _ small: Double, _ large: Double, _ unit: String) {
        row(name, "\(text(small, unit)), \(text(large, unit))")
    }
}
