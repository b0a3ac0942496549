import Playlists
import Testing
import TypedDefaults

/// Code that uses the standard suite: all tests of the process share that, so these run one at a time and each begins
/// with nothing stored.
@Suite(.serialized) struct StandardSuiteTests {
    init() throws {
        useStandardSuiteInMemory()
        try DefaultsSuite.standard.removeAll()
    }

    @Test(arguments: [(0.25, 0.5), (0.9, 1)])
    func `louder is a quarter more, up to the end of the scale`(before: Double, after: Double) {
        Defaults[.volume] = before
        louder()
        #expect(Defaults[.volume] == after)
    }

    @Test func `the first time it is louder than the default`() {
        #expect(!Defaults.isSet(.volume))
        louder()
        #expect(Defaults[.volume] == 0.75)
    }

    @Test func `the standard suite has no file here`() { #expect(DefaultsSuite.standard.path == nil) }
}

/// Makes the standard suite one in memory, before anything uses it.
///
/// Every suite of tests calls this first: a key that names no suite asks for the standard one as it is made.
func useStandardSuiteInMemory() { standardIsInMemory }

private let standardIsInMemory: Void = {
    do { try DefaultsSuite.bootstrap(standard: .inMemory()) } catch {
        preconditionFailure("something has used the standard suite before the tests: \(error)")
    }
}()
