import TestSupport
import Testing
import TypedDefaults

/// Typed keys in snapshots.
@Suite(.ownThread) struct SnapshotTests {
    @Test(arguments: Place.allCases)
    func `a snapshot keeps the values of its moment`(_ place: Place) throws {
        try place.withSuite { suite in
            let size = Defaults.Key<Int>("size", default: 1, suite: suite)
            let name = Defaults.OptionalKey<String>("name", suite: suite)
            try suite.set(size, to: 2)
            let snapshot = suite.snapshot()
            try suite.set(size, to: 3)
            try suite.set(name, to: "Ann")
            #expect(snapshot[size] == 2)
            #expect(snapshot[name] == nil)
        }
    }

    @Test func `a snapshot gives registered values and the key's default, in this order`() {
        let suite = DefaultsSuite.inMemory()
        let size = Defaults.Key<Int>("size", default: 1, suite: suite)
        #expect(suite.snapshot()[size] == 1)
        suite.register(defaults: ["size": 5])
        #expect(suite.snapshot()[size] == 5)
    }
}
