/// Rules of one process and locked keys, while another process writes that knows of neither.
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct ValidationTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite
    private let failures: FailureRecorder
    private let peer: Peer

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
        failures = FailureRecorder(suite)
        peer = try Peer.opening(in: folder)
    }

    @Test func `a validation that another process breaks is reported once, and this one keeps it`() throws {
        let low = Defaults.Key<Int>("min", default: 0, suite: suite)
        let high = Defaults.Key<Int>("max", default: 10, suite: suite)
        suite.addValidation("min <= max") { $0[low] <= $0[high] }
        #expect(try peer.ask("set min 11") == "ok")
        #expect(failures.wait(for: 1))
        #expect(try peer.ask("set min 12") == "ok")
        #expect(suite.problems().map(\.validation) == ["min <= max"])
        #expect(refusal { try suite.set(low, to: 13) }?.code == .invalidValue)
        try suite.set(low, to: 5)
        #expect(try peer.ask("get min") == "5")
        #expect(failures.codes == [.invalidValue])
    }

    @Test func `what another process stores under a locked key shows when it is locked no more`() throws {
        let size = Defaults.Key<Int>("size", default: 0, suite: suite)
        try folder.write(#"{"size": 1}"#, to: "managed/managed.json")
        try suite.setManagedFile(folder.path + "/managed/managed.json")
        #expect(try peer.ask("set size 2") == "ok")
        #expect(Defaults[size] == 1)
        try suite.setManagedFile(nil)
        #expect(Defaults[size] == 2)
    }

    private func refusal(_ body: () throws -> Void) -> DefaultsError? {
        do {
            try body()
            return nil
        } catch {
            return error as? DefaultsError
        }
    }
}
