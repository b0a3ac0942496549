import Foundation

/// What an operator does with etcdctl.
extension EtcdServer {
    /// Runs etcdctl against this member.
    @discardableResult
    func control(_ arguments: [String], input: Data = Data(), user: String? = nil) async throws -> String {
        let user = user.map { ["--user", $0] } ?? []
        return try await Command.run(
            "etcdctl",
            ["--endpoints", endpoint, "--dial-timeout", "20s", "--command-timeout", "20s"] + user + arguments,
            input: input)
    }

    /// Puts one value.
    func put(_ key: String, _ value: String, user: String? = nil) async throws {
        try await control(["put", "--", key, value], user: user)
    }

    /// Puts bytes that need be no text.
    func put(_ key: String, bytes: [UInt8]) async throws {
        try await control(["put", "--", key], input: Data(bytes))
    }

    func delete(_ key: String) async throws { try await control(["del", "--", key]) }

    /// Puts several values in one transaction.
    func transaction(_ values: [(String, String)]) async throws {
        let puts = values.map { "put \($0.0) \($0.1)\n" }.joined()
        try await control(["txn"], input: Data(("\n" + puts + "\n\n").utf8))
    }

    /// Drops what was before the present revision.
    func compact() async throws { try await control(["compact", "\(try await revision())"]) }

    /// The present revision.
    func revision() async throws -> Int {
        let text = try await control(["get", "nothing", "-w", "json"])
        guard let number = text.firstMatch(of: #/"revision":(\d+)/#).flatMap({ Int($0.1) }) else {
            throw Command.Failed(description: "no revision in \(text)")
        }
        return number
    }
}
