import LocalEtcd

/// One etcd, two machines, and what happens to them.
struct Story {
    let folder: String

    func run() throws {
        let etcd = try LocalEtcd(in: folder)
        say("1. The team puts defaults into etcd (\(etcd.endpoint)); then two machines start")
        try put(["volume": "0.5", "theme": "dark"], etcd)
        // A lets the fleet lock settings, B does not.
        let a = try machine("A", etcd, takesLocked: true)
        let b = try machine("B", etcd)
        try a.hears("volume 0.5, theme dark, telemetry true")
        try b.hears("volume 0.5, theme dark, telemetry true")

        say("2. One value changes")
        var moment = try put(["volume": "0.4"], etcd)
        for machine in [a, b] { try machine.hears("volume 0.4, theme dark, telemetry true", since: moment) }

        say("3. Two values change in one etcd transaction: each machine hears one change")
        moment = try put(["theme": "blue", "volume": "0.3"], etcd)
        for machine in [a, b] { try machine.hears("volume 0.3, theme blue, telemetry true", since: moment) }

        try personalValue(etcd, a, b)
        try lockedValue(etcd, a, b)
        try outage(etcd, a, b)
    }

    private func personalValue(_ etcd: LocalEtcd, _ a: RemoteMachine, _ b: RemoteMachine) throws {
        say("4. A person on B wants it loud, and the team's next value does not change that")
        try b.does("volume 0.9")
        try b.hears("volume 0.9, theme blue, telemetry true")
        let moment = try put(["theme": "night", "volume": "0.2"], etcd)
        try a.hears("volume 0.2, theme night, telemetry true", since: moment)
        try b.hears("volume 0.9, theme night, telemetry true", since: moment)
        for machine in [a, b] { try machine.does("explain volume") }
    }

    private func lockedValue(_ etcd: LocalEtcd, _ a: RemoteMachine, _ b: RemoteMachine) throws {
        say("5. The team locks a setting, on the machines that let it")
        let moment = try put(["locked/telemetry": "false"], etcd)
        try a.hears("volume 0.2, theme night, telemetry false", since: moment)
        try a.does("telemetry true")
        for machine in [a, b] { try machine.does("explain telemetry") }
    }

    private func outage(_ etcd: LocalEtcd, _ a: RemoteMachine, _ b: RemoteMachine) throws {
        say("6. etcd is gone: both go on, and a program that starts now begins with the last known values")
        etcd.stop()
        for machine in [a, b] { try machine.isTold() }
        try b.does("volume 1.0")
        try b.hears("volume 1.0, theme night, telemetry true")
        try a.does("explain volume")
        let later = try machine("A", etcd, takesLocked: true, called: "A's second program")
        try later.hears("volume 0.2, theme night, telemetry false")
        try later.does("explain volume")

        say("7. etcd is back")
        try etcd.start()
        try put(["theme": "light", "volume": "0.6"], etcd)
        for machine in [a, later] { try machine.hears("volume 0.6, theme light, telemetry false") }
        try b.hears("volume 1.0, theme light, telemetry true")
        try a.does("explain volume")
        for machine in [a, b, later] { machine.end() }
        etcd.stop()
        say("That was all.")
    }

    private func machine(
        _ name: String, _ etcd: LocalEtcd, takesLocked: Bool = false, called: String? = nil
    ) throws -> RemoteMachine {
        try RemoteMachine(
            called ?? name, folder: "\(folder)/machine-\(name)", endpoint: etcd.endpoint,
            takesLocked: takesLocked)
    }

    /// Puts values below the prefix in one transaction.
    @discardableResult
    private func put(_ values: KeyValuePairs<String, String>, _ etcd: LocalEtcd) throws -> Moment {
        say("   etcd: put " + values.map { "\(prefix)/\($0.key) \($0.value)" }.joined(separator: ", "))
        return try etcd.put(values.map { ("\(prefix)/\($0.key)", $0.value) })
    }
}
