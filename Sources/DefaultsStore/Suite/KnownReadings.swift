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
