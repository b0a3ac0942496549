import DefaultsStore
import TestSupport
import Testing
import TypedDefaults

/// `Defaults.modify` and `suite.modify`.
@Suite(.ownThread) struct ModifyTests {
    @Test(arguments: Place.allCases)
    func `modify gives what its body gives`(_ place: Place) throws {
        try place.withSuite { suite in
            let count = Defaults.Key<Int>("count", default: 41, suite: suite)
            let text = Defaults.modify(count) { count in
                count += 1
                return "\(count)"
            }
            #expect(text == "42")
            try #expect(suite.storedValues() == ["count": 42])
        }
    }

    @Test(arguments: Place.allCases)
    func `the suite's modify gives what its body gives`(_ place: Place) throws {
        try place.withSuite { suite in
            let count = Defaults.Key<Int>("count", default: 41, suite: suite)
            let text = try suite.modify(count) { count in
                count += 1
                return "\(count)"
            }
            #expect(text == "42")
            try #expect(suite.storedValues() == ["count": 42])
        }
    }

    @Test(arguments: Place.allCases)
    func `a body that throws out of modify changes nothing`(_ place: Place) throws {
        try place.withSuite { suite in
            let count = Defaults.Key<Int>("count", default: 1, suite: suite)
            #expect(throws: ChangeOfMind()) {
                try Defaults.modify(count) { count in
                    count = 5
                    throw ChangeOfMind()
                }
            }
            try #expect(suite.storedValues() == [:])
        }
    }

    @Test(arguments: Place.allCases)
    func `a body that throws out of the suite's modify changes nothing`(_ place: Place) throws {
        try place.withSuite { suite in
            let count = Defaults.Key<Int>("count", default: 1, suite: suite)
            #expect(throws: ChangeOfMind()) {
                try suite.modify(count) { count in
                    count = 5
                    throw ChangeOfMind()
                }
            }
            try #expect(suite.storedValues() == [:])
        }
    }

    @Test(arguments: Place.allCases)
    func `after a body has thrown, another thread can modify`(_ place: Place) throws {
        try place.withSuite { suite in
            let count = Defaults.Key<Int>("count", default: 1, suite: suite)
            #expect(throws: ChangeOfMind()) { try Defaults.modify(count) { _ in throw ChangeOfMind() } }
            withThreads(1) { _ in Defaults.modify(count) { $0 += 1 } }
            #expect(Defaults[count] == 2)
        }
    }

    @Test(arguments: Place.allCases)
    func `modify that leaves the value as it was stores nothing`(_ place: Place) throws {
        try place.withSuite { suite in
            let count = Defaults.Key<Int>("count", default: 1, suite: suite)
            Defaults.modify(count) { $0 += 0 }
            try suite.modify(count) { $0 += 0 }
            try #expect(suite.storedValues() == [:])
        }
    }

    // Unchecked is sound because each read gives an object of its own.
    private final class Player: Codable, @unchecked Sendable { var score = 0 }

    @Test(arguments: Place.allCases)
    func `an object is stored by modify, not by setting its property on the subscript`(_ place: Place) throws
    {
        try place.withSuite { suite in
            let player = Defaults.Key<Player>("player", default: Player(), suite: suite)
            Defaults[player].score = 4
            try #expect(suite.storedValues() == [:])
            Defaults.modify(player) { $0.score = 5 }
            #expect(Defaults[player].score == 5)
            try suite.modify(player) { $0.score += 1 }
            #expect(Defaults[player].score == 6)
        }
    }

    @Test func `the suite's modify refuses to work on an undecodable value`() throws {
        try withSettingsFile(#"{"count": "many"}"#) { suite, _, folder in
            let count = Defaults.Key<Int>("count", default: 1, suite: suite)
            let error = refusal { try suite.modify(count) { $0 += 1 } }
            #expect(error?.code == .typeMismatch)
            try #expect(folder.settings() == #"{"count": "many"}"#)
        }
    }

    @Test(arguments: Place.allCases)
    func `both kinds of modify work on a default outside the key's own validation`(_ place: Place) throws {
        try place.withSuite { suite in
            let port = Defaults.Key<Int>("port", default: 0, suite: suite, validation: .range(1...65_535))
            try suite.modify(port) { $0 += 8_080 }
            try #expect(suite.storedValues() == ["port": 8_080])
            try suite.reset(port)
            Defaults.modify(port) { $0 += 8_080 }
            try #expect(suite.storedValues() == ["port": 8_080])
        }
    }

    @Test func `the suite's modify does not store a default outside the key's own validation`() throws {
        let suite = DefaultsSuite.inMemory()
        let port = Defaults.Key<Int>("port", default: 0, suite: suite, validation: .range(1...65_535))
        #expect(refusal { try suite.modify(port) { $0 += 0 } }?.code == .invalidValue)
        try #expect(suite.storedValues() == [:])
    }

    @Test func `the suite's modify throws for a value that fails the key's validation`() throws {
        let suite = DefaultsSuite.inMemory()
        let count = Defaults.Key<Int>("count", default: 1, suite: suite, validation: .range(0...10))
        let error = refusal { try suite.modify(count) { $0 += 10 } }
        #expect(
            error
                == DefaultsError(
                    .invalidValue, suite: "in memory", key: "count",
                    underlyingDescription: "it is outside 0...10"))
        try #expect(suite.storedValues() == [:])
    }
}
