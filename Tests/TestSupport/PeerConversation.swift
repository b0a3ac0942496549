package import DefaultsStore

/// A process that obeys commands: a line for each, and a line for an answer.
package protocol PeerConversation: Sendable {
    /// The connection.
    var line: Locked<PeerLine> { get }
}

extension PeerConversation {
    /// Sends a command and waits for its answer.
    @discardableResult
    package func ask(_ command: String, within limit: Duration = .seconds(120)) throws -> String {
        try line.withLock { line in
            try line.send(command)
            return try line.receive(within: limit, after: command)
        }
    }

    /// Sends a command; its answer is for `receive` to fetch.
    package func send(_ command: String) throws { try line.withLock { try $0.send(command) } }

    /// Waits for the next answer.
    package func receive(within limit: Duration = .seconds(120)) throws -> String {
        try line.withLock { try $0.receive(within: limit, after: "an answer") }
    }
}
