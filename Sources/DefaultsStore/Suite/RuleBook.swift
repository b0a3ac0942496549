import Synchronization

/// A rule across keys that the suite's effective values have to keep.
struct DefaultsRule: Sendable {
    let name: String
    /// Whether a state keeps the rule; user code.
    let isKept: @Sendable (DefaultsSnapshot) -> Bool
}

/// The keys whose values a rule has read.
final class RuleReads: Sendable {
    private let names = Locked<Set<KeyName>>([])  // A leaf.

    /// Records a key.
    func note(_ key: KeyName) { _ = names.withLock { $0.insert(key) } }

    /// All keys recorded so far.
    var all: Set<KeyName> { names.withLock { $0 } }
}

/// The rules of a suite in the order in which they were added, each with the observation that monitors it.
final class RuleBook: Sendable {
    private struct Entry {
        let rule: DefaultsRule
        var observed: Set<KeyName> = []
        var observation: DefaultsObservation?
    }

    private let entries = Locked<[Entry]>([])  // A leaf.
    private let hasRules = Atomic<Bool>(false)

    /// All rules.
    var all: [DefaultsRule] { entries.withLock { $0.map(\.rule) } }

    /// Whether there is no rule; every commit asks.
    var isEmpty: Bool { !hasRules.load(ordering: .acquiring) }

    /// Returns the rule of a name.
    subscript(name: String) -> DefaultsRule? { all.first { $0.name == name } }

    /// Adds a rule, replacing one of the same name.
    func add(_ rule: DefaultsRule) {
        let old = entries.withLock { entries in
            let old = entries
            entries.removeAll { $0.rule.name == rule.name }
            entries.append(Entry(rule: rule))
            hasRules.store(true, ordering: .releasing)
            return old
        }
        withExtendedLifetime(old) {}
    }

    /// Whether a rule has read a key that is not observed for it yet.
    func needsObserver(_ name: String, for keys: Set<KeyName>) -> Bool {
        entries.withLock { entries in
            entries.first { $0.rule.name == name }.map { !keys.isSubset(of: $0.observed) } ?? false
        }
    }

    /// The keys observed for a rule.
    func observed(_ name: String) -> Set<KeyName> {
        entries.withLock { entries in entries.first { $0.rule.name == name }?.observed ?? [] }
    }

    /// Keeps the observation of a rule's keys, replacing the one before.
    func keep(_ observation: DefaultsObservation, of keys: Set<KeyName>, for name: String) {
        let old = entries.withLock { entries -> DefaultsObservation? in
            guard let place = entries.firstIndex(where: { $0.rule.name == name }) else { return observation }
            let old = entries[place].observation
            entries[place].observation = observation
            entries[place].observed = keys
            return old
        }
        old?.invalidate()
    }
}
