public import DefaultsStore

/// Typed steps of a migration.
extension DefaultsMigration {
    /// Changes a stored value of one type into one of another, under its key or a new one; nil removes it.
    ///
    /// ```swift
    /// let suite = DefaultsSuite.inMemory()
    /// try suite.migrate([
    ///     .transform("percent to parts", from: "volume", as: Int.self) {
    ///         Double($0) / 100
    ///     }
    /// ])
    /// ```
    ///
    /// A key that is not stored is left alone. If a value is already stored under the new key, it stays and
    /// the old one is removed, as in a rename. The migration fails with `.typeMismatch` for a stored value
    /// that is not of the old type, and with `.encodingFailed` for a new value that cannot be written.
    /// Everything stays as it was then. These errors leave out the value if a secret key of either name has
    /// been declared before.
    ///
    /// - Parameters:
    ///   - name: the step's name, by which it runs once.
    ///   - old: the key whose stored value changes.
    ///   - type: the type of the stored value.
    ///   - new: the key for the new value; nil to keep the old key.
    ///   - change: returns the new value; nil removes it.
    public static func transform<Old: Codable & Sendable, New: Codable & Sendable>(
        _ name: String, from old: String, as type: Old.Type, to new: String? = nil,
        _ change: @escaping @Sendable (Old) throws -> New?
    ) -> DefaultsMigration {
        DefaultsMigration(name) { transaction in
            let (source, target) = (KeyName(old), try transaction.validated(new ?? old))
            guard let text = try transaction.open.stored(source) else { return }
            if source != target, try transaction.open.stored(target) != nil {
                return try transaction.stage(nil, forKey: source)
            }
            let (context, suite) = (transaction.context, transaction.context.name)
            let isSecret = [source, target].contains { context.isSecret($0) }
            let value: Old
            do { value = try DefaultsCodec<Old>.codable.decode(Array(text.bytes)) } catch {
                throw KeyPlace(key: source, suite: suite, isSecret: isSecret)
                    .error(.typeMismatch, foreign: describe(error), expecting: Old.self)
            }
            let changed = try change(value)
            try transaction.stage(nil, forKey: source)
            let coding = KeyCoding<New>(codec: .codable, validation: nil)
            let place = KeyPlace(key: target, suite: suite, isSecret: isSecret)
            try transaction.stage(try changed.map { try coding.text(of: $0, at: place) }, forKey: target)
        }
    }
}
