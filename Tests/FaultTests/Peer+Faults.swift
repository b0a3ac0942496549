/// What the tests of faults ask of a peer that may not live to answer.
import DefaultsStore
import Foundation
import Libc
import TestSupport

extension Peer {
    /// Starts a peer that acts as a user who owns nothing.
    static func asNobody() throws -> Peer {
        let peer = try Peer()
        try peer.expectOK("become 65534")
        return peer
    }

    /// The answers to some commands until the peer is gone.
    func answers(to commands: [String]) throws -> [String] {
        var answers: [String] = []
        do {
            for command in commands { answers.append(try ask(command)) }
        } catch Peer.Failure.ended {
            return answers
        }
        return answers
    }

    /// Sends a command and waits until it is answered, or a signal has stopped the peer in it.
    ///
    /// - Returns: the answer; nil where the peer has stopped.
    func answerOrStop(to command: String) throws -> String? {
        try send(command)
        return try answerOrStop()
    }

    /// Says that no more commands come, and has the peer go on until it has ended: strace counts the calls of each thread,
    /// so the thread of the last checkpoint is stopped too.
    func finishGoingOn() throws {
        finish()
        do {
            while try answerOrStop() == nil { resume() }
        } catch Peer.Failure.ended { return }
    }

    /// Waits until the command that was sent is answered, or a signal has stopped the peer in it.
    ///
    /// - Returns: the answer; nil where the peer has stopped.
    func answerOrStop() throws -> String? {
        let deadline = ContinuousClock.now + .seconds(120)
        while true {
            var status = siginfo_t()
            waitid(P_PID, id_t(processID), &status, WSTOPPED | WNOHANG | WNOWAIT)
            do { return try receive(within: .milliseconds(5)) } catch Peer.Failure.timedOut {
                if status.si_signo == SIGCHLD { return nil }
                guard ContinuousClock.now < deadline else {
                    throw Peer.Failure.timedOut(waitingFor: "an answer or a stop")
                }
            }
        }
    }
}

extension TemporaryFolder {
    /// The whole numbers in a settings file as Foundation reads it: a reader that knows nothing of ours.
    ///
    /// Before that the file is brought up to date, as the next program to write would: a writer that was killed leaves
    /// what it wrote in the journal. What it leaves in the file has to be whole all the same.
    func numbers(of name: String = "settings") throws -> [String: Int] {
        guard FileManager.default.fileExists(atPath: "\(path)/\(name)") else { return [:] }
        _ = try numbersInFile(of: name)
        try suite(name).checkpoint()
        return try numbersInFile(of: name)
    }

    /// The whole numbers in a settings file as it is.
    func numbersInFile(of name: String = "settings") throws -> [String: Int] {
        let path = settingsPath(of: name)
        guard FileManager.default.fileExists(atPath: path) else { return [:] }
        let bytes = try Data(contentsOf: URL(filePath: path))
        guard let numbers = try JSONSerialization.jsonObject(with: bytes) as? [String: Int] else {
            throw Peer.Refused(answer: String(decoding: bytes, as: UTF8.self))
        }
        return numbers
    }

    /// Sets the permissions of a file or folder in this one.
    func setMode(_ mode: Int, of name: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: "\(path)/\(name)")
    }
}
