public import DefaultsStore

/// Steps of a migration that know the types.
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
    /// One that is not stored is left alone. A stored value that is not of the old type throws `.typeMismatch`, and a new
    /// one that cannot be written `.encodingFailed`: everything stays as it was.
    public static func transform<Old: Codable & Sendable, New: Codable & Sendable>(
        _ name: String, from old: String, as type: Old.Type, to new: String? = nil,
        _ change: @escaping @Sendable (Old) throws -> New?
    ) -> DefaultsMigration {
        DefaultsMigration(name) { transaction in
            let (source, target) = (KeyName(old), try KeyName.validated(new ?? old))
            guard let text = try transaction.open.stored(source) else { return }
            let suite = transaction.core.name
            let value: Old
            do { value = try DefaultsCodec<Old>.codable.decode(Array(text.bytes)) } catch {
                throw KeyPlace(key: source, suite: suite).error(.typeMismatch, describe(error))
            }
            let changed = try change(value)
            try transaction.stage(nil, forKey: source)
            let coding = KeyCoding<New>(codec: .codable, validation: nil)
            let place = KeyPlace(key: target, suite: suite)
            try transaction.stage(try changed.map { try coding.text(of: $0, at: place) }, forKey: target)
        }
    }
}
