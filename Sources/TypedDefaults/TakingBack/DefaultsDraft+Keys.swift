public import DefaultsStore

/// Typed keys in a draft.
extension DefaultsDraft {
    /// The value of a key with the draft's changes; assigning changes the draft.
    ///
    /// ```swift
    /// let volume = Defaults.Key<Double>("volume", default: 0.5, suite: .inMemory())
    /// var draft = volume.suite.draft()
    /// draft[volume] = 0.3
    /// print(draft[volume], Defaults[volume])  // 0.3 0.5
    /// ```
    ///
    /// A value that cannot be encoded or that the key's validation refuses is among `problems`, and the
    /// draft keeps the one before. So is a change in place (`+= 1`) of a secret that is not from the file.
    ///
    /// - Cost: decodes at each use.
    public subscript<Value>(key: Defaults.Key<Value>) -> Value {
        get { key.value(in: snapshot) }
        set { assign(key, to: newValue) }
        _modify {
            var value = key.value(in: snapshot)
            // At the start, because the body may change an object in place. A failure is always a change.
            let context = context
            let original = Result { [value] () throws(DefaultsError) in
                try key.textOfWhole(value, in: context)
            }
            // The code after a `yield` does not run if the caller throws, so the end is in a `defer`.
            defer { assign(key, to: value, unless: original) }
            yield &value
        }
    }

    private mutating func assign<Value>(
        _ key: Defaults.Key<Value>, to value: Value,
        unless original: Result<StoredValue?, DefaultsError>? = nil
    ) {
        key.register(in: context)
        do throws(DefaultsError) {
            let isInPlace = original != nil
            let text =
                try isInPlace ? key.textOfWhole(value, in: context) : key.textToStore(value, in: context)
            if original == .success(text) { return }
            if isInPlace, let objection = context.refusalOfForeignSecret(key.keyName) { throw objection }
            let stored = snapshot.stored(key.keyName)
            stage(try key.edited(text, over: stored, from: nil, in: context), forKey: key.keyName)
        } catch {
            refuse(error, forKey: key.keyName)
        }
    }

    /// Removes the stored values of some keys, also of locked ones, so that their defaults apply.
    public mutating func reset(_ keys: Defaults.AnyKey...) {
        for key in keys {
            key.register(in: context)
            stage(nil, forKey: key.keyName)
        }
    }
}
