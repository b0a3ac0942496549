/// Handlers that go on changing what they observe: the write returns, somebody is told, and the chain goes on behind.
@testable import DefaultsStore
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread) struct EndlessChangesTests {
    private let suite = DefaultsSuite.inMemory()
    private let failures = Recorder<DefaultsError>()

    init() {
        let failures = failures
        suite.onFailure = { failures.append($0) }
    }

    /// Has a handler of one key raise another.
    private func raise(_ other: String, when key: String, upTo last: Int = .max) -> DefaultsObservation {
        suite.observe(forKey: key, options: [.new]) { [suite] change in
            guard let number = change.newValue?.int, number < last else { return }
            do { try suite.set(DefaultsValue(number + 1), forKey: other) } catch { Issue.record(error) }
        }
    }

    private func value(_ key: String) -> Int { suite.integer(forKey: key) }

    /// Writes on a thread that is waited for with a limit.
    private func set(_ key: String, to number: Int) {
        let returned = Recorder<Void>()
        Thread.detachNewThread { [suite] in
            do { try suite.set(DefaultsValue(number), forKey: key) } catch { Issue.record(error) }
            returned.append(())
        }
        #expect(returned.wait(for: 1))
    }

    @Test func `a handler that always raises its own key does not keep the write, and is reported once`() {
        let observation = raise("a", when: "a")
        set("a", to: 1)
        #expect(failures.wait(for: 1))
        #expect(failures.all == [DefaultsError(.feedbackLoop, suite: suite.name, key: "a")])
        // It goes on in the background, and each change is told.
        let reached = value("a")
        #expect(eventually { value("a") > reached + 3_000 })
        #expect(failures.all.count == 1)
        observation.invalidate()
    }

    @Test func `two handlers that raise each other's key do not keep the write`() {
        let observations = [raise("b", when: "a"), raise("a", when: "b")]
        set("a", to: 1)
        #expect(failures.wait(for: 1))
        #expect(Set(failures.all.map(\.code)) == [.feedbackLoop])
        let reached = value("b")
        #expect(eventually { value("b") > reached + 1_000 })
        observations.forEach { $0.invalidate() }
    }

    @Test func `a chain that comes to its end is told before the write returns, and nobody is reported`() {
        let observation = raise("a", when: "a", upTo: 900)
        set("a", to: 1)
        #expect(value("a") == 900)
        #expect(failures.all.isEmpty)
        observation.invalidate()
    }

    @Test func `what other threads write, and a handler answers each time, is no chain`() {
        // Each write is answered once, and the answer is not.
        let observation = suite.observe(forKey: "a", options: [.new]) { [suite] change in
            guard let number = change.newValue?.int, number % 2 == 1 else { return }
            do { try suite.set(DefaultsValue(number + 1), forKey: "a") } catch { Issue.record(error) }
        }
        withThreads(4) { [suite] thread in
            for number in 0..<1_000 {
                do { try suite.set(DefaultsValue((thread * 1_000 + number) * 2 + 1), forKey: "a") } catch {
                    Issue.record(error)
                }
            }
        }
        #expect(failures.all.isEmpty)
        observation.invalidate()
    }

    @Test func `what others have written while the handler was at work is no chain, however much it is`() {
        let (entered, goes) = (TestSupport.Gate(), TestSupport.Gate())
        let observation = suite.observe(forKey: "a", options: [.new]) { [suite] change in
            guard let number = change.newValue?.int, number % 2 == 1 else { return }
            if number == 1 {
                entered.open()
                #expect(goes.wait())
            }
            do { try suite.set(DefaultsValue(number + 1), forKey: "a") } catch { Issue.record(error) }
        }
        withThreads(2) { [suite] thread in
            guard thread == 1 else { return set("a", to: 1) }
            #expect(entered.wait())
            for number in 1...1_500 {
                do { try suite.set(DefaultsValue(number * 2 + 1), forKey: "a") } catch { Issue.record(error) }
            }
            goes.open()
        }
        #expect(value("a") == 3_002)
        #expect(failures.all.isEmpty)
        observation.invalidate()
    }

    @Test func `a handler that answers each change with two is reported before they are too many`() {
        let observation = suite.observe(forKey: "a", options: [.new]) { [suite] change in
            for step in 1...2 {
                do { try suite.set(DefaultsValue((change.newValue?.int ?? 0) + step), forKey: "a") } catch {
                    Issue.record(error)
                }
            }
        }
        set("a", to: 1)
        #expect(failures.wait(for: 1))
        observation.invalidate()
    }

    @Test func `a handler on a queue of its own is reported too, and its queue gets on with other work`() {
        let queue = DispatchQueue(label: "own")
        let observation = suite.observe(
            forKey: "a", options: [.new], on: .custom { queue.async(execute: $0) }
        ) {
            [suite] change in
            do { try suite.set(DefaultsValue((change.newValue?.int ?? 0) + 1), forKey: "a") } catch {
                Issue.record(error)
            }
        }
        set("a", to: 1)
        #expect(failures.wait(for: 1))
        for _ in 0..<5 {
            let done = Recorder<Void>()
            queue.async { done.append(()) }
            #expect(done.wait(for: 1))
        }
        observation.invalidate()
    }

    @Test func `a chain that was reported, and has ended, is reported again when it begins anew`() {
        for round in 1...2 {
            let observation = raise("a", when: "a", upTo: round * 10_000 + 3_000)
            set("a", to: round * 10_000)
            #expect(eventually { value("a") == round * 10_000 + 3_000 })
            #expect(failures.wait(for: round))
            observation.invalidate()
        }
        #expect(failures.all.count == 2)
    }
}
