public import DefaultsStore

/// Typed keys in a transaction and in a snapshot.
extension DefaultsTransaction {
    /// The value of a key as the transaction sees it; assigning stages the value for the commit.
    ///
    /// An assigned value that cannot be encoded or is not allowed makes the whole transaction fail with that
    /// error when its body returns. So does a value that could not be read. Where the value cannot be used,
    /// reading returns the default.
    ///
    /// An access in place (`+= 1`, `.append(x)`) begins with what reading returns, from whichever domain. It
    /// stages nothing if the value stays the same. A change of a value that cannot be used makes the
    /// transaction fail with `.typeMismatch` or `.invalidValue`. A change of a secret that is not from the
    /// file makes it fail with `.wouldStoreSecret`.
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
            // At the start, because the body may change an object in place. A failure is always a change.
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

    /// Stages the result of an access in place, unless the value stayed the same.
    ///
    /// - Parameters:
    ///   - isOfStored: whether the original is the stored value.
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
    /// - Throws: `.invalidKey`, `.encodingFailed`, `.invalidValue`, `.valueTooLarge`, at once. A body that
    ///   catches the error can go on, and its other changes are committed.
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
    /// A removal that is refused makes the whole transaction fail when its body returns: with `.forkedChild` in a child
    /// that the body has forked.
    public func reset(_ keys: Defaults.AnyKey...) {
        for key in keys {
            key.register(in: context)
            do { try stageRemoval(ofKey: key.keyName) } catch { refuse(error) }
        }
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
