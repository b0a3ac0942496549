/// How a program's array or object becomes an edit of the one that is stored, so that what the program's type does not
/// know stays.
package enum ValueEdit {
    /// How a program's value and the stored one belong together.
    package enum Rule: Sendable {
        case whole
        /// What is stored is a part of the value, combined with what is below it.
        case part(DefaultsMerge, below: StoredValue?)

        var isWhole: Bool { if case .whole = self { true } else { false } }
    }
}

extension ValueEdit.Rule {
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
            let edited = own.merging(from: reading.value, to: whole.value)
            return edited == own ? stored.detached : edited == whole.value ? whole : StoredValue(edited)
        case .part(let merge, let below):
            let after = whole.value
            let part = merge.part(
                of: after, from: reading?.value, over: stored?.value, above: below?.value)
            return part == after ? whole : StoredValue(part)
        }
    }
}

extension StoredValue {
    package func isOfKind(of other: StoredValue) -> Bool { isList && bytes.first == other.bytes.first }
}
