import Glibc
import Synchronization
import DefaultsStore
import TypedDefaults

/// Forks without pause while other threads of the parent use the suite without pause.
final class ForkStorm: Sendable {
    private let suite: DefaultsSuite
    private let added = Atomic<Int>(0)
    private let isOver = Atomic<Bool>(false)
    private let failures = Mailbox<String>()

    init(_ suite: DefaultsSuite) { self.suite = suite }

    /// Makes so many children one after the other; each adds 1 three times to `child`, the parent's threads add to
    /// `parent`.
    ///
    /// - Returns: how often the parent added, and whatever went wrong.
    func run(_ count: Int) throws -> String {
        let observation = suite.observe(key: "parent") { _ in }
        let ended = Mailbox<Void>()
        let uses = [add, set, read, readTyped]
        // A fork in the moment in which the Swift runtime first makes a type is beyond us (Docs/Concurrency.md), so all
        // that the threads use is made before.
        for use in uses { try use() }
        for use in uses {
            try startThread { [self] in
                do { while !isOver.load(ordering: .relaxed) { try use() } } catch {
                    failures.append("\(error)")
                }
                ended.append(())
            }
        }
        for number in 0..<count {
            let child = try forkProcess()
            if child == 0 { live(number) }
            let status = statusOfChild(child)
            if status != 0 { failures.append("child \(number): \(status)") }
        }
        isOver.store(true, ordering: .relaxed)
        if ended.take(4) == nil { failures.append("a thread of the parent does not end") }
        observation.invalidate()
        return "\(added.load(ordering: .relaxed)) " + failures.all.joined(separator: ", ")
    }

    private func add() throws {
        try suite.modify(key("parent")) { $0 += 1 }
        added.add(1, ordering: .relaxed)
    }

    private func set() throws { try suite.set(.number(DefaultsNumber(1)), forKey: "other") }
    private func read() throws { _ = suite.dictionaryRepresentation() }
    private func readTyped() throws { _ = try suite.value(ForkStorm.standing(suite)) + suite[key("child")] }

    private func key(_ name: String) -> Defaults.Key<Int> {
        Defaults.Key<Int>(name, default: 0, suite: suite)
    }

    /// One key that lasts, so that its cache is in use at the forks.
    private static func standing(_ suite: DefaultsSuite) -> Defaults.Key<Int> {
        kept.withLock { kept in
            let key = kept ?? Defaults.Key<Int>("parent", default: 0, suite: suite)
            kept = key
            return key
        }
    }
    private static let kept = Locked<Defaults.Key<Int>?>(nil)

    /// A child's whole life: one that does not get on is ended by the alarm.
    private func live(_ number: Int) -> Never {
        var none = sigset_t()
        sigemptyset(&none)
        sigprocmask(SIG_SETMASK, &none, nil)
        alarm(60)
        let refused = Atomic<Int32>(0)
        do {
            _ = suite[ForkStorm.standing(suite)]
            if number % 3 == 0 {
                let storm = self
                let result = Mailbox<Void>()
                try withThreads(3) { _ in
                    do { try storm.suite.modify(storm.key("child")) { $0 += 1 } } catch { return }
                    result.append(())
                }
                if result.all.count < 3 { refused.store(2, ordering: .relaxed) }
            } else {
                for _ in 0..<3 { try suite.modify(key("child")) { $0 += 1 } }
            }
        } catch {
            refused.store(3, ordering: .relaxed)
        }
        let status = refused.load(ordering: .relaxed)
        if number % 2 == 0 { _exit(status) }
        exit(status)
    }
}
