/// Who is told of checkpoints.
import TestSupport
import Testing

@testable import DefaultsStore

@Suite(.timeLimit(.minutes(5))) struct CheckpointListenersTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
    }

    @Test func `everybody who asks is told of a checkpoint and its time`() async throws {
        var (first, second) = (suite.checkpoints.makeAsyncIterator(), suite.checkpoints.makeAsyncIterator())
        try suite.set(1, forKey: "a")
        try suite.checkpoint()
        let (one, other) = (await first.next(), await second.next())
        #expect(try #require(one).duration > .zero)
        #expect(one == other)
    }

    @Test func `a checkpoint that nobody asked for is told too`() async throws {
        var checkpoints = suite.checkpoints.makeAsyncIterator()
        try suite.set(1, forKey: "a")
        #expect(try #require(await checkpoints.next()).duration > .zero)
        #expect(try folder.read("settings/settings.json").contains("\"a\""))
    }

    @Test func `a suite that cannot be opened tells that, and its stream is over`() async throws {
        try folder.write("", to: "file")
        let suite = try DefaultsSuite("settings", in: folder.path + "/file")
        let failures = FailureRecorder(suite)
        var checkpoints = suite.checkpoints.makeAsyncIterator()
        #expect(await checkpoints.next() == nil)
        #expect(!failures.all.isEmpty)
    }
}
