import DefaultsStore

/// When two values of a key count as the same.
extension Defaults.Key {
    /// Whether two values are equal: by `==` where the type has it, else by their text.
    ///
    /// Values that are not even equal to themselves, such as NaN, are compared by their text too.
    func areEqual(_ left: Value, _ right: Value, in core: SuiteCore) -> Bool {
        if let equal = areEquatablyEqual(left, right), equal || areEquatablyEqual(left, left) == true {
            return equal
        }
        do {
            return try comparableText(of: left, in: core) == comparableText(of: right, in: core)
        } catch {
            core.reportStanding(error)
            return false
        }
    }

    /// What `==` says; nil where the type has none.
    func areEquatablyEqual(_ left: Value, _ right: Value) -> Bool? {
        func compare<Comparand: Equatable>(_ left: Comparand) -> Bool? {
            (right as? Comparand).map { $0 == left }
        }
        guard let left = left as? any Equatable else { return nil }
        return compare(left)
    }

    /// Whether the effective value is the one that counts when nothing is stored.
    func countsAsDefault(in core: SuiteCore) -> Bool {
        welcome(in: core)
        let below = core.viewReporting().domains.below(keyName)
        return areEqual(value(in: core), value(of: below, in: core), in: core)
    }
}
