/// Every order of the steps of two writers, a reader and an editor, with deaths anywhere.
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread) struct ProtocolModelTests {
    /// Those that are searched: in few steps, too, each precaution is missed.
    static let bounds = Soak.isWhole ? whole : part

    private static let part = [
        ProtocolModel.Bounds(
            commits: 2, checkpoints: 0, concurrent: 1, edits: 0, takeovers: 1, deaths: 0, reads: 0,
            newcomers: 0),
        ProtocolModel.Bounds(commits: 2, checkpoints: 1, edits: 1, deaths: 1, reads: 0, newcomers: 0),
        ProtocolModel.Bounds(commits: 2, checkpoints: 1, edits: 0, deaths: 0, reads: 1, newcomers: 0),
    ]

    private static let whole = [
        ProtocolModel.Bounds(commits: 2, checkpoints: 1, edits: 1, deaths: 1, reads: 0, newcomers: 0),
        ProtocolModel.Bounds(commits: 2, checkpoints: 1, edits: 1, deaths: 0, reads: 1, newcomers: 0),
        ProtocolModel.Bounds(commits: 2, checkpoints: 1, edits: 0, deaths: 1, reads: 1, newcomers: 1),
        ProtocolModel.Bounds(
            commits: 2, checkpoints: 0, concurrent: 1, edits: 0, takeovers: 1, deaths: 0, reads: 1,
            newcomers: 0),
        ProtocolModel.Bounds(
            commits: 1, checkpoints: 1, concurrent: 2, edits: 0, takeovers: 1, deaths: 1, reads: 0,
            newcomers: 0),
    ]

    @Test(arguments: bounds)
    func `what was acknowledged is kept, and nothing older is served (F20)`(
        _ bounds: ProtocolModel.Bounds
    ) {
        var soaked = bounds
        if Soak.factor > 1 {
            if bounds.concurrent == 0 { soaked = ProtocolModel.Bounds() } else { soaked.edits = 1 }
        }
        let outcome = ProtocolModel.search(soaked)
        #expect(outcome.violation == nil)
        #expect(outcome.states > 1_000)
    }

    @Test(arguments: ProtocolModel.Precaution.allCases)
    func `a precaution that is left out is missed`(_ precaution: ProtocolModel.Precaution) {
        #expect(Self.bounds.contains { ProtocolModel.search($0, without: precaution).violation != nil })
    }
}
