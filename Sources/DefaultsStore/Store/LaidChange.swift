/// A write of an array or object as an edit of the one that is stored: what a program has changed is carried into that, so
/// that what the program's type does not know stays.
package struct LaidChange: Sendable {
    /// How a program's value and the stored one belong together.
    package enum Rule: Sendable {
        /// What is stored is the value.
        case whole
        /// What is stored is a part of the value, combined with what is below it.
        case part(DefaultsMerge, below: StoredValue?)
    }

    /// A stored text, and what the program's type makes of it.
    package struct Basis: Sendable {
        package let text: StoredValue?
        /// The text of the value as the type reads it; nil if it is no value of the type, or nothing is stored.
        package let reading: StoredValue?

        package init(text: StoredValue?, reading: StoredValue?) {
            (self.text, self.reading) = (text, reading)
        }
    }

    /// What a change is computed from.
    package enum Origin: Sendable {
        /// This stored text; any other needs another computation.
        case basis(Basis)
        /// Whatever is stored, of which the program has seen this.
        case seen(StoredValue)
        /// Nothing that is known.
        case nothing
    }

    let key: KeyName
    /// The program's value.
    private let whole: StoredValue
    private let rule: Rule
    private let origin: Origin
    /// What it comes to on the basis.
    private let result: StoredValue?

    package init(_ whole: StoredValue, forKey key: KeyName, as rule: Rule = .whole, from origin: Origin) {
        (self.key, self.whole, self.rule, self.origin) = (key, whole, rule, origin)
        guard case .basis(let basis) = origin else {
            result = nil
            return
        }
        result = rule.text(of: whole, from: basis.reading, over: basis.text)
    }

    /// Returns the text to store in place of another one; nil if the program's type has to read that one first.
    func text(over present: StoredValue?) -> StoredValue? {
        switch origin {
        case .basis(let basis) where basis.text == present: return result
        case .seen(let seen): return rule.text(of: whole, from: seen, over: present)
        default:
            guard let present, whole.isOfKind(of: present) else {
                return rule.text(of: whole, from: nil, over: nil)
            }
            return nil
        }
    }
}

extension LaidChange.Rule {
    /// Returns the text to store for a program's value.
    ///
    /// - Parameters:
    ///   - reading: the value that the program has read before, as its type writes it; nil if it has read none.
    ///   - stored: what is stored; it is replaced if it is no value of the program's.
    package func text(
        of whole: StoredValue, from reading: StoredValue?, over stored: StoredValue?
    ) -> StoredValue {
        switch self {
        case .whole:
            guard let reading, let stored, whole.isOfKind(of: stored), reading != stored else { return whole }
            let own = stored.value
            let laid = own.carrying(from: reading.value, to: whole.value)
            return laid == own ? stored.detached : laid == whole.value ? whole : StoredValue(laid)
        case .part(let merge, let below):
            let after = whole.value
            let part = merge.part(
                of: after, from: reading?.value, over: stored?.value, above: below?.value)
            return part == after ? whole : StoredValue(part)
        }
    }
}

extension StoredValue {
    /// Whether both are arrays, or both are objects.
    package func isOfKind(of other: StoredValue) -> Bool { isList && bytes.first == other.bytes.first }
}

/// What a program's types make of the texts that it has stored last, so that writing a key again and again reads nothing.
package final class KnownReadings: Sendable {
    private struct Reading {
        let type: ObjectIdentifier
        let basis: LaidChange.Basis
    }

    private let known = Locked<[KeyName: Reading]>([:])  // A leaf.
    /// A program with more keys than this is not one that writes the same ones all the time.
    private static let most = 256
    /// A longer text, in bytes, is read again, so that little memory is taken twice.
    private static let longest = 1 << 20

    /// Returns what was noted of a key's values of a type.
    package func basis(of key: KeyName, _ type: Any.Type) -> LaidChange.Basis? {
        known.withLock { $0[key].flatMap { $0.type == ObjectIdentifier(type) ? $0.basis : nil } }
    }

    /// Notes what is stored for a key, and what a type makes of it.
    package func note(_ basis: LaidChange.Basis, of key: KeyName, _ type: Any.Type) {
        let isShort = (basis.text?.bytes.count ?? 0) <= KnownReadings.longest
        known.withLock { known in
            if known.count >= KnownReadings.most, known[key] == nil { known = [:] }
            known[key] = isShort ? Reading(type: ObjectIdentifier(type), basis: basis) : nil
        }
    }
}
