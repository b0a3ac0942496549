extension Peer {
    /// Starts a peer and has it open a suite in a test's folder.
    ///
    /// - Parameter parts: the parts of the library that it does without, such as `scheduledCheckpoints`, without which
    ///   the file follows only when the peer is told to.
    package static func opening(
        _ name: String = "settings", in folder: TemporaryFolder, leavingOut parts: String? = nil
    ) throws -> Peer {
        let peer = try Peer()
        if let parts { try peer.expectOK("leaveout \(parts)") }
        try peer.expectOK("open \(folder.path) \(name)")
        return peer
    }

    /// Has the peer do something that everything else of the test rests on.
    package func expectOK(_ command: String) throws {
        let said = try ask(command)
        guard said == "ok" else { throw Refused(answer: said) }
    }

    /// The answers to some commands.
    package func answers(to commands: [String]) throws -> [String] { try commands.map { try ask($0) } }

    /// A peer did not do what everything else of the test rests on.
    package struct Refused: Error {
        let answer: String

        package init(answer: String) { self.answer = answer }
    }
}
