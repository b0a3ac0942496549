/// Objects that a list does not keep: found, added and let go with no lock held.
@testable import DefaultsStore
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread) struct WeakListTests {
    /// An object with a number, which does something when it ends.
    private final class Numbered: Sendable {
        let number: Int
        private let end: @Sendable () -> Void

        init(_ number: Int, end: @escaping @Sendable () -> Void = {}) {
            (self.number, self.end) = (number, end)
        }

        deinit { end() }
    }

    private let list = WeakList<Numbered>()

    private func add(_ object: Numbered) {
        list.first { _ in
            false
        } orAdd: {
            object
        }
    }

    @Test func `what is in the list is what somebody else keeps, in the order in which it came`() {
        let kept = (1...9).map { Numbered($0) }
        for object in kept {
            add(object)
            add(Numbered(-object.number))
        }
        #expect(list.objects.map(\.number) == Array(1...9))
        withExtendedLifetime(kept) {}
    }

    @Test func `the first that is wanted is found, and nothing is added then`() {
        let kept = (1...3).map { Numbered($0) }
        kept.forEach(add)
        let found = list.first {
            $0.number >= 2
        } orAdd: {
            Numbered(4)
        }
        #expect(found === kept[1])
        #expect(list.objects.map(\.number) == [1, 2, 3])
    }

    @Test func `an object whose other references go while it is looked at ends with no lock held`() throws {
        let list = list
        let ended = Recorder<[Int]>()
        let place = Mutex<Numbered?>(Numbered(1) { ended.append(list.objects.map(\.number)) })
        let stays = Numbered(2)
        try add(#require(place.withLock { $0 }))
        add(stays)
        // On another thread, which would wait for ever if its lock were held.
        Thread.detachNewThread {
            list.first { object in
                if object.number == 1 { _ = place.withLock { $0.take() } }
                return object.number == 2
            } orAdd: {
                stays
            }
        }
        #expect(ended.wait(for: 1))
        #expect(ended.all == [[2]])
    }

    @Test func `threads that ask at once find one object, and each is asked about once`() throws {
        let asked = Recorder<Int>()
        let before = (1...3).map { Numbered($0) }
        before.forEach(add)
        for round in 10..<60 {
            let found = Recorder<Numbered>()
            withThreads(8) { [list] _ in
                var seen: [Int] = []
                let one = list.first { object in
                    seen.append(object.number)
                    return object.number == round
                } orAdd: {
                    Numbered(round)
                }
                found.append(one)
                if Set(seen).count < seen.count { asked.append(round) }
            }
            #expect(found.all.allSatisfy { $0 === found.all[0] })
        }
        #expect(asked.all == [])
        withExtendedLifetime(before) {}
    }

    @Test func `objects come and go in any order, and those that stay are found`() {
        var numbers = SeededNumbers(seed: 7)
        var kept: [Int: Numbered] = [:]
        for number in 1...2_000 {
            let object = Numbered(number)
            add(object)
            kept[number] = object
            if number > 50, let gone = kept.keys.sorted().randomElement(using: &numbers) { kept[gone] = nil }
        }
        #expect(Set(list.objects.map(\.number)) == Set(kept.keys))
        withExtendedLifetime(kept) {}
    }
}
