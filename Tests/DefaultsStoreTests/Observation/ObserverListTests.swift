import Testing

@testable import DefaultsStore

/// Which observers a change of some keys finds.
@Suite struct ObserverListTests {
    private let a = KeyName("a")
    private let b = KeyName("b")
    private let c = KeyName("c")

    private func observer(_ keys: KeyName...) -> ObserverSubscription {
        ObserverSubscription(keys: keys, delivery: .immediate, lookup: { _, _ in nil }, handler: { _, _ in })
    }

    private func observerOfAllKeys() -> ObserverSubscription {
        ObserverSubscription(
            keys: [], allKeys: { $0.keys }, delivery: .immediate, lookup: { _, _ in nil },
            handler: { _, _ in })
    }

    /// Those that are found, each as often as it is.
    private func found(_ list: ObserverList, _ touched: [KeyName]?) -> [ObjectIdentifier] {
        var found: [ObjectIdentifier] = []
        list.forEach(interestedIn: touched, in: .empty) { subscription, _ in
            found.append(ObjectIdentifier(subscription))
        }
        return found.sorted()
    }

    /// The keys that the only observer of a list hears of.
    private func heard(
        by subscription: ObserverSubscription, of touched: [KeyName]?, in values: StoredValues = .empty
    ) -> [KeyName]? {
        var list = ObserverList()
        list.add(subscription)
        var heard: [KeyName]?
        list.forEach(interestedIn: touched, in: values) { heard = $1 }
        return heard
    }

    private func ids(_ observers: ObserverSubscription...) -> [ObjectIdentifier] {
        observers.map { ObjectIdentifier($0) }.sorted()
    }

    @Test func `a change finds the observers of its keys, and those of all keys`() {
        let (ofA, ofB, ofAll) = (observer(a), observer(b), observerOfAllKeys())
        var list = ObserverList()
        for subscription in [ofA, ofB, ofAll] { list.add(subscription) }
        #expect(found(list, [a]) == ids(ofA, ofAll))
        #expect(found(list, [b]) == ids(ofB, ofAll))
        #expect(found(list, [c]) == ids(ofAll))
        #expect(found(list, []) == ids(ofAll))
        #expect(found(list, nil) == ids(ofA, ofB, ofAll))
    }

    @Test func `an observer of several keys is found once, however many of them change`() {
        let (ofBoth, ofAll) = (observer(a, b), observerOfAllKeys())
        var list = ObserverList()
        list.add(ofBoth)
        list.add(ofAll)
        for touched in [[a], [b], [a, b], [a, b, c]] {
            #expect(found(list, touched) == ids(ofBoth, ofAll))
        }
        #expect(found(list, nil) == ids(ofBoth, ofAll))
    }

    @Test func `an observer hears of its own keys among those that change, in its own order`() {
        #expect(heard(by: observer(a), of: [a]) == [a])
        #expect(heard(by: observer(a), of: [c, a, b]) == [a])
        for touched in [[a], [b]] { #expect(heard(by: observer(b, a), of: touched) == touched) }
        #expect(heard(by: observer(b, a), of: [a, c, b]) == [b, a])
        #expect(heard(by: observer(b, a), of: [c, a]) == [a])
        #expect(heard(by: observer(b, a), of: nil) == [b, a])
        #expect(heard(by: observer(b, a), of: [c]) == nil)
    }

    @Test func `an observer of all keys hears of the settings that change, sorted`() {
        #expect(heard(by: observerOfAllKeys(), of: [c, .schema, a, b]) == [a, b, c])
        #expect(heard(by: observerOfAllKeys(), of: [a]) == [a])
        #expect(heard(by: observerOfAllKeys(), of: [.schema]) == [])
    }

    @Test func `where the keys are not known, an observer of all keys hears of those that have a value`() {
        var values = StoredValues.empty
        values.apply(StoredChange(.null, forKey: c))
        #expect(heard(by: observerOfAllKeys(), of: nil, in: values) == [c])
    }

    @Test func `one that was added twice is found once, and removed with one removal`() {
        let (one, other) = (observer(a, b), observer(a))
        var list = ObserverList()
        for subscription in [one, one, other] { list.add(subscription) }
        #expect(found(list, [a]) == ids(one, other))
        let before = list
        list.remove(one)
        list.remove(one)
        #expect(found(list, [a, b]) == ids(other))
        #expect(found(list, nil) == ids(other))
        list.remove(other)
        #expect(list.isEmpty)
        #expect(found(list, [a, b]).isEmpty)
        #expect(found(before, [a, b]) == ids(one, other), "a copy has the observers of its moment")
    }

    @Test func `of thousands, each is found by its key until it is removed`() {
        let keys = (0..<300).map { KeyName("key\($0)") }
        let observers = (0..<3_000).map { observer(keys[$0 % keys.count]) }
        var list = ObserverList()
        observers.forEach { list.add($0) }
        for (place, key) in keys.enumerated() {
            let own = stride(from: place, to: observers.count, by: keys.count).map { observers[$0] }
            #expect(found(list, [key]) == own.map { ObjectIdentifier($0) }.sorted())
            own.dropFirst().forEach { list.remove($0) }
            #expect(found(list, [key]) == own.prefix(1).map { ObjectIdentifier($0) })
        }
        #expect(found(list, nil).count == keys.count)
        #expect(found(list, keys).count == keys.count)
    }
}
