import Libc
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

    /// Makes so many children one after the other, which are refused, while the parent's threads add to `parent`.
    ///
    /// - Returns: how often the parent added, and whatever went wrong.
    func run(_ count: Int) throws -> String {
        let observation = suite.observe(forKey: "parent") { _ in }
        let ended = Mailbox<Void>()
        let uses = [add, set, read, readTyped, setText, readTexts]
        // A fork in the moment in which the Swift runtime first makes a type is beyond us (Concurrency.md), so all
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
        if ended.take(uses.count) == nil { failures.append("a thread of the parent does not end") }
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

    private func setText() throws {
        let number = added.load(ordering: .relaxed)
        try suite.set(.string("\(number) of a length that needs memory"), forKey: "text")
    }

    /// Reads by the short way, so that at a fork somebody may be in the middle of keeping a value.
    private func readTexts() throws {
        for _ in 0..<8 {
            let text = Defaults[ForkStorm.texts(suite)]
            guard text.hasSuffix(" of a length that needs memory") else {
                throw ForkRefused(call: text, errno: 0)
            }
            guard Defaults[ForkStorm.counts(suite)] >= 0 else { throw ForkRefused(call: "a count", errno: 0) }
        }
    }

    private func key(_ name: String) -> Defaults.Key<Int> {
        Defaults.Key<Int>(name, default: 0, suite: suite)
    }

    /// Keys that last, so that their caches are in use at the forks.
    private struct Standing: Sendable {
        let parent: Defaults.Key<Int>
        let count: Defaults.Key<Int>
        let text: Defaults.Key<String>
    }

    private static func standing(_ suite: DefaultsSuite) -> Defaults.Key<Int> { keys(suite).parent }
    private static func counts(_ suite: DefaultsSuite) -> Defaults.Key<Int> { keys(suite).count }
    private static func texts(_ suite: DefaultsSuite) -> Defaults.Key<String> { keys(suite).text }

    private static func keys(_ suite: DefaultsSuite) -> Standing {
        kept.withLock { kept in
            let keys =
                kept
                ?? Standing(
                    parent: .init("parent", default: 0, suite: suite),
                    count: .init("parent", default: 0, suite: suite),
                    text: .init("text", default: "0 of a length that needs memory", suite: suite))
            kept = keys
            return keys
        }
    }
    private static let kept = Locked<Standing?>(nil)

    /// A child's whole life: one that does not get on is ended by the alarm.
    private func live(_ number: Int) -> Never {
        var none = sigset_t()
        sigemptyset(&none)
        sigprocmask(SIG_SETMASK, &none, nil)
        alarm(60)
        var status: Int32 = 2
        // Unchecked, because a check looks for declared keys under a lock that another thread may have had.
        do { try suite.setUnchecked(.number(DefaultsNumber(number)), forKey: "child") } catch {
            status = error.code == .forkedChild ? 0 : 3
        }
        if number % 2 == 0 { _exit(status) }
        exit(status)
    }
}
