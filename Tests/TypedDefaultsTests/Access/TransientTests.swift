import TestSupport
import Testing
import TypedDefaults

/// Several transient values at once.
@Suite(.ownThread) struct TransientTests {
    private let suite = DefaultsSuite.inMemory()
    private var size: Defaults.Key<Int> { Defaults.Key("size", default: 1, suite: suite) }

    @Test func `transient values are taken away together, or none where a validation would fail`() throws {
        let (low, high) = (
            Defaults.Key("low", default: 8, suite: suite), Defaults.Key("high", default: 9, suite: suite)
        )
        suite.addValidation("low <= high") { $0[low] <= $0[high] }
        try suite.setTransient(low, to: 1)
        try suite.setTransient(high, to: 5)
        try suite.setTransient(size, to: 5)
        #expect(refusal { try suite.removeTransient(size, low) }?.code == .invalidValue)
        #expect((suite[size], suite[low], suite[high]) == (5, 1, 5))
        try suite.removeTransient(low, high)
        #expect((suite[size], suite[low], suite[high]) == (5, 8, 9))
    }
}
