/// One named step that brings stored values from an older shape into a newer one.
///
/// ```swift
/// let suite = DefaultsSuite.inMemory()
/// try suite.migrate([
///     .rename("volume is loudness", from: "volume", to: "loudness"),
///     .remove("no cache", keys: "cache", "cacheSize"),
///     DefaultsMigration("both sizes are one window") { tx in
///         tx[key: "window"] = ["width": try tx.storedValue(forKey: "width") ?? 800]
///         tx.remove(key: "width")
///     },
/// ])
/// ```
public struct DefaultsMigration: Sendable {
    /// The name by which the file records the step; never change it or use it again.
    public let name: String
    let body: @Sendable (inout DefaultsTransaction) throws -> Void

    /// Creates a custom step.
    ///
    /// The body runs in a transaction: it holds the writer's lock, and if it throws, everything stays as it was. Read
    /// stored values with ``DefaultsTransaction/storedValue(forKey:)``, because a subscript gives the effective
    /// value, which may be an administrator's or a default. What it stores by name need not be of the type of a key that
    /// this version of the program declares: a later step may change it.
    public init(_ name: String, _ body: @escaping @Sendable (inout DefaultsTransaction) throws -> Void) {
        self.name = name
        self.body = body
    }

    /// Moves a stored value to another key, without changing its text.
    ///
    /// If both keys are stored, the new key keeps its value and the old one is removed.
    public static func rename(_ name: String, from old: String, to new: String) -> DefaultsMigration {
        DefaultsMigration(name) { transaction in
            let (source, target) = (KeyName(old), try transaction.validated(new))
            guard source != target, let value = try transaction.open.stored(source) else { return }
            if try transaction.open.stored(target) == nil { try transaction.stage(value, forKey: target) }
            try transaction.stage(nil, forKey: source)
        }
    }

    /// Removes stored values, also of names that no program could store, such as an empty one.
    public static func remove(_ name: String, keys: String...) -> DefaultsMigration {
        DefaultsMigration(name) { transaction in
            // Of any name, because a file that somebody has written may have one that no program could store.
            for key in keys { try transaction.stage(nil, forKey: KeyName(key)) }
        }
    }

    /// Changes a stored value; nil removes it, and a key that is not stored is left alone.
    public static func transform(
        _ name: String, key: String, _ change: @escaping @Sendable (DefaultsValue) throws -> DefaultsValue?
    ) -> DefaultsMigration {
        DefaultsMigration(name) { transaction in
            guard let old = try transaction.storedValue(forKey: key) else { return }
            transaction[key: key] = try change(old)
        }
    }
}

extension DefaultsTransaction {
    /// Returns the stored value of a key as the transaction sees it, whatever other domains have.
    ///
    /// - Throws: what prevented the files from being read.
    public func storedValue(forKey key: String) throws(DefaultsError) -> DefaultsValue? {
        do {
            try open.store.checkIsOwn()
            return try open.stored(KeyName(key))?.value
        } catch {
            throw error.inSuite(core.name)
        }
    }
}
