/// Every order of the steps of two writers and those who listen, with a death anywhere.
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread) struct WakingModelTests {
    /// Those that are searched: in few steps, too, each precaution is missed.
    static let bounds = Soak.isWhole ? whole : part

    private static let part = [
        WakingModel.Bounds(commits: 3, deaths: 1, listeners: 1),
        WakingModel.Bounds(commits: 2, deaths: 0, listeners: 1, areThreads: true),
        WakingModel.Bounds(commits: 3, deaths: 0, writers: 1),
    ]

    private static let whole = [
        WakingModel.Bounds(commits: 3, deaths: 0, writers: 1),
        WakingModel.Bounds(commits: 2, deaths: 1, areThreads: true),
        WakingModel.Bounds(commits: 2, deaths: 1),
    ]

    @Test(arguments: bounds)
    func `nobody who listens sleeps through a commit (F24)`(_ bounds: WakingModel.Bounds) {
        var bounds = bounds
        if Soak.factor > 1 { bounds.commits += 1 }
        let outcome = WakingModel.search(bounds)
        #expect(!outcome.isMissed)
        #expect(outcome.states > 1_000)
    }

    @Test(arguments: WakingModel.Precaution.allCases)
    func `a precaution that is left out is missed`(_ precaution: WakingModel.Precaution) {
        #expect(Self.bounds.contains { WakingModel.search($0, without: precaution).isMissed })
    }
}
