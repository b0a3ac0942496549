import DefaultsStore

/// When two values of a key are considered equal.
extension Defaults.Key {
    /// Whether two values are equal: by `==` if the type has it, otherwise by their text.
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

    /// Returns the result of `==`; nil if the type has none.
    func areEquatablyEqual(_ left: Value, _ right: Value) -> Bool? {
        func compare<Comparand: Equatable>(_ left: Comparand) -> Bool? {
            (right as? Comparand).map { $0 == left }
        }
        guard let left = left as? any Equatable else { return nil }
        return compare(left)
    }

    /// Whether the effective value is the registered default, else the key's own.
    ///
    /// If the key's own default answers in both cases, it is not evaluated: it may be another one at each use.
    func countsAsDefault(in core: SuiteCore) -> Bool {
        ReadRecorder.note(keyName, in: core)
        welcome(in: core)
        let view = core.viewReporting()
        let (found, below) = (find(in: core, view), find(below: view.domains, in: core))
        guard found.isValue || below.isValue else {
            for refusal in [found, below].compactMap(\.refusal) { core.reportStanding(refusal.value) }
            return true
        }
        return areEqual(value(of: found, in: core), value(of: below, in: core), in: core)
    }
}
