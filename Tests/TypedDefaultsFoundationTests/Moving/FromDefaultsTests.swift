/// What sindresorhus/Defaults 3 documents of keys of NSSecureCoding classes.
import DefaultsStore
import Foundation
import TestSupport
import Testing
import TypedDefaults
import TypedDefaultsFoundation

extension Defaults.Keys {
    fileprivate static let ownSuite = DefaultsSuite.inMemory()
    fileprivate static let origin = NSSecureCodingKey<Point>("origin", default: Point(1, 2), suite: ownSuite)
    fileprivate static let target = NSSecureCodingOptionalKey<Point>("target", suite: ownSuite)
}

@Suite(.ownThread, .serialized) struct FromDefaultsTests {
    @Test func `an object's members are read through its key, the default's first`() {
        defer { Defaults.reset(.origin) }
        #expect((Defaults[.origin].x, Defaults[.origin].y) == (1, 2))
        Defaults[.origin] = Point(3, 4)
        #expect((Defaults[.origin].x, Defaults[.origin].y) == (3, 4))
    }

    @Test func `a key of objects is observed and reset as any other, and its change has a name`() {
        let heard = Recorder<[Int]>()
        @Sendable func tell(_ change: Defaults.NSSecureCodingKeyChange<Point>) {
            heard.append([change.oldValue.x, change.newValue.x])
        }
        let observer = Defaults.observe(.origin, handler: tell)
        Defaults[.origin] = Point(5, 6)
        Defaults.reset([.origin])
        #expect(heard.all == [[1, 1], [1, 5], [5, 1]])
        observer.invalidate()
    }

    @Test func `an optional key of objects is nil, set, observed and nil again`() {
        let heard = Recorder<[Int?]>()
        @Sendable func tell(_ change: Defaults.NSSecureCodingOptionalKeyChange<Point>) {
            heard.append([change.oldValue?.x, change.newValue?.x])
        }
        let observer = Defaults.observe(.target, handler: tell)
        Defaults[.target] = Point(7, 8)
        Defaults.reset(.target)
        #expect(Defaults[.target] == nil)
        #expect(heard.all == [[nil, nil], [nil, 7], [7, nil]])
        observer.invalidate()
    }
}
