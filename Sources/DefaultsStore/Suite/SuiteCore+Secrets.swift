import Synchronization

/// Keys that are declared secret, and those that a source of secrets has.
extension SuiteCore {
    /// Whether the key, or another one of its name, is declared secret, or a source of secrets has it.
    ///
    /// - Cost: one load in a suite without secrets.
    package func isSecret(_ key: KeyName) -> Bool {
        guard hasSecrets.load(ordering: .acquiring) else { return false }
        return declaration(key)?.isSecret == true || domains.load().isSecret(key)
    }

    /// Returns why what a change in place makes of a key's value must not be stored; nil if it may be.
    ///
    /// A change in place starts with the value that is read. If that is a secret which the program was given from
    /// outside, the change would put it into a file that it was kept out of. An assignment names what it stores, and
    /// is not asked about; a key that is locked is refused by the commit.
    ///
    /// - Cost: one load if no domain but the stored one has a value.
    package func refusalOfForeignSecret(_ key: KeyName) -> DefaultsError? {
        guard !domains.areBare, isSecret(key) else { return nil }
        do {
            let view = try view()
            let all = view.domains.candidates(key, stored: try view.stored(key)).filter { $0.value != nil }
            let counted = view.domains.merge(of: key) == .replace ? all.prefix(1) : all[...]
            guard let foreign = counted.lazy.compactMap(\.foreignPlace).first else { return nil }
            return DefaultsError(
                .secretFromElsewhere, suite: name, key: key.string,
                underlyingDescription: "it comes from \(foreign)")
        } catch {
            return error.inSuite(name)
        }
    }
}

extension SearchList.Candidate {
    /// Where the value comes from, if that is neither a file of the suite's nor the program's own code.
    fileprivate var foreignPlace: String? {
        switch place {
        case .argument(_, let flag): "the argument \(flag)"
        case .variable(let name): "the variable \(name)"
        case .source(let name, _, _), .lastKnown(let name, _, _): "the source \(name)"
        default: origin == .transient ? "a transient value" : nil
        }
    }
}
