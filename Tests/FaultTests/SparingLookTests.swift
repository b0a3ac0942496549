/// What a set asks of the kernel: no times of a file that it writes, since the next write would pay for them.
import Foundation
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread, .strace)
struct SparingLookTests {
    @Test func `sets ask for no times of a file`() throws {
        let folder = try TemporaryFolder()
        // A checkpoint looks at the settings file, on a thread that is not traced or on this one.
        let peer = try Peer.opening(in: folder, leavingOut: "scheduledCheckpoints")
        for number in 0..<20 { #expect(try peer.ask("set a \(number)") == "ok") }
        let strace = try Strace(peer)
        for number in 20..<60 { #expect(try peer.ask("set a \(number)") == "ok") }
        let lines = try strace.log().split(separator: "\n").map(String.init)
        // Behind the brace stands what was answered, and not what was asked for.
        let looks = lines.filter { $0.contains("stat") }.map { $0.prefix { $0 != "{" } }
        #expect(looks.count { $0.hasPrefix("statx(") } >= 40)
        let ofCompanions = looks.filter { $0.contains(".settings.json") || $0.contains("AT_EMPTY_PATH") }
        #expect(!ofCompanions.isEmpty)
        for look in ofCompanions {
            #expect(look.hasPrefix("statx("))
            #expect(
                !look.contains("TIME") && !look.contains("STATX_BASIC_STATS") && !look.contains("STATX_ALL"))
        }
    }
}
