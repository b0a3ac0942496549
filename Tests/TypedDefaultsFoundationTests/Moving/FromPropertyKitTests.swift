/// What PropertyKit has stored: a `Codable` value as data, which is its JSON.
import DefaultsStore
import Foundation
import TestSupport
import Testing
import TypedDefaults
import TypedDefaultsCompatibility
import TypedDefaultsFoundation

extension Defaults: PropertyDefaults {
    fileprivate var card: Card? {
        get { get() }
        nonmutating set { set(newValue) }
    }
}

private struct Card: Codable, Hashable, Sendable {
    var title = "none"
    var day: Date?
    var picture: Data?
}

@Suite(.ownThread) struct FromPropertyKitTests {
    @Test func `a value that is data is imported for a property that was read before`() throws {
        let defaults = Defaults(suite: .inMemory())
        let card = Card(title: "Ann", day: Date(timeIntervalSince1970: 0.25), picture: Data([0, 255]))
        let old = FixedDefaults()
        old.values = ["card": try JSONEncoder().encode(card)]
        #expect(defaults.card == nil)
        #expect(try defaults.suite.importValues(from: old, keys: ["card"]).imported == ["card"])
        #expect(defaults.card == card)
    }
}
