/// A peer that has a suite open.
import TestSupport

extension Peer {
    /// Starts a peer and opens a suite in a test's folder.
    static func opening(_ name: String = "settings", in folder: TemporaryFolder) throws -> Peer {
        let peer = try Peer()
        let said = try peer.ask("open \(folder.path) \(name)")
        guard said == "ok" else { throw Refused(answer: said) }
        return peer
    }

    /// The answers to some commands.
    func answers(to commands: [String]) throws -> [String] { try commands.map { try ask($0) } }

    /// A peer did not do what everything else of the test rests on.
    struct Refused: Error {
        let answer: String
    }
}
