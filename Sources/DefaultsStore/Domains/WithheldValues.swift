/// The stored values that are not served, because starts of the program failed with them; in their place those of the last
/// healthy start are.
///
/// What is withheld is a text, not a key: as soon as another one is stored, by whomever, it is served.
package final class WithheldValues: Sendable {
    /// What a key has in the settings file, and what it had at the last healthy start; nil for nothing.
    struct Pair {
        let stored, good: StoredValue?
    }

    let pairs: [KeyName: Pair]
    let failedStarts: Int
    private let good: DropIns.File

    /// - Parameter good: the file with the values of the last healthy start.
    init(_ pairs: [KeyName: Pair], after failedStarts: Int, good: DropIns.File) {
        (self.pairs, self.failedStarts, self.good) = (pairs, failedStarts, good)
    }

    func withholds(_ stored: StoredValue?, of key: KeyName) -> Bool {
        pairs[key].map { $0.stored.isSame(as: stored) } ?? false
    }

    func served(_ stored: StoredValue?, of key: KeyName) -> StoredValue? {
        guard let pair = pairs[key], pair.stored.isSame(as: stored) else { return stored }
        return pair.good
    }

    /// Returns the value that is served and the one that is withheld; nil if the stored one is served.
    func candidates(_ key: KeyName, stored: StoredValue?) -> [DomainStack.Candidate]? {
        guard withholds(stored, of: key) else { return nil }
        let served = pairs[key]?.good.map {
            DomainStack.Candidate(domain: .stored, location: .memory, value: $0, file: good)
        }
        var withheld = DomainStack.Candidate(domain: .stored, location: .memory, value: nil)
        withheld.bare = stored.map { String(decoding: $0.bytes, as: UTF8.self) }
        withheld.failedStarts = failedStarts
        return (served.map { [$0] } ?? []) + [withheld]
    }

    /// Returns the rest without some keys; nil if nothing is left.
    fileprivate func without(_ keys: [KeyName]) -> WithheldValues? {
        let rest = pairs.filter { !keys.contains($0.key) }
        return rest.isEmpty ? nil : WithheldValues(rest, after: failedStarts, good: good)
    }
}

extension DomainStack {
    package func withholds(_ stored: StoredValue?, of key: KeyName) -> Bool {
        contents.withheld?.withholds(stored, of: key) ?? false
    }

    /// The same domains without withholding anything.
    package var servingStored: DomainStack {
        contents.withheld == nil ? self : changing { $0.withheld = nil }
    }

    /// Returns the same domains without withholding the values of some keys.
    func serving(_ keys: [KeyName]) -> DomainStack {
        keys.isEmpty ? self : changing { $0.withheld = $0.withheld?.without(keys) }
    }
}
