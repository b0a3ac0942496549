public import DefaultsStore

/// Typed steps of a migration.
extension DefaultsMigration {
    /// Changes a stored value of one type into one of another, under its key or a new one; nil removes it.
    ///
    /// ```swift
    /// let suite = DefaultsSuite.inMemory()
    /// try suite.migrate([
    ///     .transform("percent to parts", from: "volume", as: Int.self) { Double($0) / 100 }
    /// ])
    /// ```
    ///
    /// A key that is not stored is left alone. If the new key is another one and is stored too, its value stays and
    /// the old one is removed, as in a rename. A stored value that is not of the old type throws `.typeMismatch`, and
    /// a new one that cannot be written `.encodingFailed`: everything stays as it was. What these errors say about a
    /// value is left out if a secret key of either name has been declared before.
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
