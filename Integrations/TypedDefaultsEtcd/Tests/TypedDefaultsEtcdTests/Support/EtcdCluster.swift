import Foundation

/// Three members on this machine.
struct EtcdCluster: Sendable {
    let members: [EtcdServer]

    static func three(_ arguments: [String] = []) async throws -> EtcdCluster {
        let folder = try TestFolder()
        let places = try ["one", "two", "three"].map { try EtcdServer.Place(name: $0) }
        let members = places.map { EtcdServer($0, in: folder, cluster: places, arguments: arguments) }
        try await withThrowingTaskGroup { group in
            for member in members { group.addTask { try await member.start() } }
            try await group.waitForAll()
        }
        return EtcdCluster(members: members)
    }

    /// The members with the leader in front.
    func leaderFirst() async throws -> [EtcdServer] {
        for _ in 0..<100 {
            var leaders: [EtcdServer] = []
            for member in members where try await member.isLeader() { leaders.append(member) }
            guard let leader = leaders.first, leaders.count == 1 else { continue }
            return [leader] + members.filter { $0 !== leader }
        }
        throw Command.Failed(description: "the cluster has no leader")
    }
}

extension EtcdServer {
    /// Puts a value as soon as the cluster has a leader again; a put is the same twice.
    func putWhenElected(_ key: String, _ value: String) async throws {
        for _ in 0..<10 {
            do { return try await put(key, value) } catch {
                // Refused meanwhile: no leader.
                continue
            }
        }
        try await put(key, value)
    }

    fileprivate func isLeader() async throws -> Bool {
        let status = try await control(["endpoint", "status", "-w", "simple"]).split(separator: ", ")
        return status.count > 4 && status[4] == "true"
    }
}
