/// What may be set under a key's name, if a key is declared under it.
extension SuiteCore {
    /// Refuses a text that the declared key of a name could not use; runs the decoding of its type, and its rule.
    ///
    /// - Throws: `.typeMismatch`, `.invalidValue`.
    func checkUse(of text: StoredValue, forKey key: KeyName) throws(DefaultsError) {
        guard let objection = catalogue.declaration(key)?.objection(toSetting: text) else { return }
        throw objection.ofGivenValue.inSuite(name)
    }

    /// Returns what a text means to the declared key of a name, as it would on the command line.
    ///
    /// - Throws: `.unregisteredKey` with the nearest name, `.invalidKey`, `.typeMismatch`, `.invalidValue`,
    ///   `.valueTooLarge`.
    func reading(_ text: String, forKey key: String) throws(DefaultsError) -> (KeyName, StoredValue) {
        do throws(DefaultsError) {
            let known = try KeyName.validated(key)
            guard let declaration = catalogue.declaration(known) else { throw undeclared(known) }
            do throws(DefaultsError) {
                let value = try declaration.reading([text]).checkingSize(forKey: key, in: name)
                try checkUse(of: value, forKey: known)
                return (known, value)
            } catch {
                throw error.ofGivenText(example: declaration.example())
            }
        } catch {
            throw error.inSuite(name)
        }
    }

    private func undeclared(_ key: KeyName) -> DefaultsError {
        let nearest = NearestName.of(key.string, among: catalogue.all.map(\.name))
        return DefaultsError(
            .unregisteredKey, key: key.string,
            underlyingDescription: nearest.map { "the nearest declared key is \"\($0)\"" }
                ?? "no key is declared")
    }
}

extension DefaultsError {
    /// The same error for a value that was given and is nowhere yet, so that there is nothing to correct.
    package var ofGivenValue: DefaultsError {
        code == .typeMismatch ? advising("Give a value of the key's type; nothing has changed.") : self
    }

    /// The same for a text, with another one that would be taken.
    package func ofGivenText(example: String?) -> DefaultsError {
        guard let example, code == .typeMismatch || code == .invalidValue else { return ofGivenValue }
        return advising("Give another text, such as \(example); nothing has changed.")
    }
}

extension DefaultsSuite {
    /// Stores the value that a text stands for, by the type, the rule and the `merge:` of the declared key, as a tool's
    /// `set KEY VALUE` needs it.
    ///
    /// The text is read like one of the command line, ``addArguments(_:)``: as it is for a key of `String`, otherwise as
    /// JSON or a bare word.
    ///
    /// - Cost: decodes the value; otherwise that of ``set(_:forKey:)-(DefaultsValue,_)``.
    /// - Throws: `.unregisteredKey` with the nearest name if no key of the name is declared, because a text has no
    ///   meaning without a type; `.typeMismatch`; and what ``set(_:forKey:)-(DefaultsValue,_)`` throws.
    public func set(text: String, forKey key: String) throws(DefaultsError) {
        let (key, value) = try core.reading(text, forKey: key)
        try core.write(value, forKey: key)
    }
}
