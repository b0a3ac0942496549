public import DefaultsStore

/// Typed keys in a transaction and in a snapshot.
extension DefaultsTransaction {
    /// The value of a key as the transaction sees it; assigning stages the value for the commit.
    ///
    /// A value that cannot be encoded or is not allowed makes the whole transaction fail with that error when its
    /// body returns; so does a value that could not be read. In place of a value that cannot be used the default is
    /// read. An access in place (`+= 1`, `.append(x)`) begins with what reading returns, whichever domain that comes
    /// from, and stages nothing if it leaves the value as it was. A change of a value that cannot be used makes the
    /// transaction fail with `.typeMismatch` or `.invalidValue`, and one of a secret from elsewhere than the file with
    /// `.secretFromElsewhere`.
    public subscript<Value>(key: Defaults.Key<Value>) -> Value {
        get {
            do { _ = try context.view().first(key.keyName) } catch { refuse(error) }
            return key.value(in: context)
        }
        nonmutating set {
            do { try set(key, to: newValue) } catch { refuse(error) }
        }
        nonmutating _modify {
            let context = context
            var stored: StoredValue?
            do {
                _ = try context.view().first(key.keyName)
                stored = try open.stored(key.keyName)
            } catch {
                refuse(error)
            }
            var (value, isOfStored, refusal) = key.valueToChange(stored, in: context)
            // Taken at the start, because the body may change an object in place. A failure counts as a change.
            let original = Result { [value] () throws(DefaultsError) in
                try key.textOfWhole(value, in: context)
            }
            let objection = context.refusalOfForeignSecret(key.keyName) ?? refusal
            // The code after a `yield` does not run if the caller throws, so the end is in a `defer`.
            defer {
                do { try stage(value, of: key, unless: original, isOfStored: isOfStored, objection) } catch {
                    refuse(error)
                }
            }
            yield &value
        }
    }

    /// Stages what an access in place has made of a value, unless it is what it was.
    ///
    /// - Parameters:
    ///   - isOfStored: whether what it was is what is stored.
    ///   - objection: why a change must not be stored.
    func stage<Value>(
        _ value: Value, of key: Defaults.Key<Value>, unless original: Result<StoredValue?, DefaultsError>,
        isOfStored: Bool, _ objection: DefaultsError?
    ) throws(DefaultsError) {
        let text = try key.textOfWhole(value, in: context)
        guard original != .success(text) else { return }
        if let objection { throw objection }
        guard text?.isList == true else { return try stage(text, forKey: key.keyName) }
        let stored = try open.stored(key.keyName)
        let before = isOfStored ? original.known : nil
        try stage(try key.edited(text, over: stored, from: before, in: context), forKey: key.keyName)
    }

    /// Stages a value for the commit; nil removes the stored one, unless the key has another default and
    /// `storesNil`.
    ///
    /// - Throws: `.invalidKey`, `.encodingFailed`, `.invalidValue`, `.valueTooLarge`, at once: a body that catches it can
    ///   go on, and the others of its changes are committed.
    public func set<Value>(_ key: Defaults.Key<Value>, to value: Value) throws(DefaultsError) {
        key.register(in: context)
        let text = try key.textToStore(value, in: context)
        guard text?.isList == true else { return try stage(text, forKey: key.keyName) }
        try DefaultsError.refuseInChild()
        let stored = try open.stored(key.keyName)
        try stage(try key.edited(text, over: stored, from: nil, in: context), forKey: key.keyName)
    }

    /// Stages the removal of the stored values of some keys, also of locked ones, so that their defaults count.
    ///
    /// - Throws: `.forkedChild` in a child that the body has forked.
    public func reset(_ keys: Defaults.AnyKey...) throws(DefaultsError) {
        for key in keys {
            key.register(in: context)
            try stageRemoval(ofKey: key.keyName)
        }
    }

    /// Stages the removal of a key's stored value.
    public func remove(_ key: Defaults.AnyKey) {
        key.register(in: context)
        do { try stageRemoval(ofKey: key.keyName) } catch { refuse(error) }
    }
}

extension DefaultsSnapshot {
    /// The value of a key at the snapshot's moment.
    ///
    /// - Cost: decodes at each use.
    public subscript<Value>(key: Defaults.Key<Value>) -> Value {
        key.value(in: self)
    }
}
