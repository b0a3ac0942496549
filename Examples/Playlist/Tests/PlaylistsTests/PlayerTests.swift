import Playlists
import Testing
import TypedDefaults

/// Code that is given its suite: each test has one of its own in memory, so all of them run at once.
struct PlayerTests {
    private let suite = DefaultsSuite.inMemory()
    private var player: Player { Player(suite: suite) }

    init() { useStandardSuiteInMemory() }

    @Test func `a list that is opened again comes first and is there once`() throws {
        for list in ["rock", "jazz", "folk", "rock", "soul"] { try player.open(list) }
        #expect(suite[.recent] == ["soul", "rock", "folk"])
    }

    @Test func `a volume beyond the scale is refused and the old one stays`() throws {
        try player.play(at: 0.75)
        let error = #expect(throws: DefaultsError.self) { try player.play(at: 2) }
        #expect(error?.code == .invalidValue)
        #expect(suite[.volume] == 0.75)
    }

    @Test func `what is stored is as a person would write it`() throws {
        try player.open("jazz")
        #expect(try suite.storedValues() == ["recent": ["jazz"]])
    }

    @Test func `the command line goes above what is stored`() throws {
        try player.play(at: 0.75)
        suite.addArguments(["player", "--volume", "0.25"])
        #expect(suite[.volume] == 0.25)
        #expect(suite.domain(forKey: "volume") == .arguments)
    }

    @Test func `a value that somebody has spoilt is reported and the default served`() async throws {
        var failures = suite.failures.makeAsyncIterator()
        try suite.setUnchecked("loud", forKey: "volume")
        #expect(suite[.volume] == 0.5)
        #expect(await failures.next()?.code == .typeMismatch)
    }
}
