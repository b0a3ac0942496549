public import DefaultsStore

/// Messages of the compiler for uses of keys that cannot compile, in place of its own.
///
/// Where a value is assigned, the key is optional. An overload for the left side then costs the compiler more
/// than one for the right side; otherwise `Defaults[.a] = Defaults[.b]` would be ambiguous.
extension Defaults {
    /// Explains that a key's values are of another type than the requested one.
    @available(*, unavailable, message: "the key's values are of another type; see the key's declaration")
    @_disfavoredOverload
    public static subscript<Value, Other>(key: Defaults.Key<Value>) -> Other {
        preconditionFailure("unavailable: the compiler refuses every use")
    }

    /// Explains that a key's values are optional.
    @available(
        *, unavailable, message: "the key's value is optional: unwrap it, or declare the key with a default"
    )
    @_disfavoredOverload
    public static subscript<Value>(key: Defaults.Key<Value?>) -> Value {
        preconditionFailure("unavailable: the compiler refuses every use")
    }

    /// Explains that a key's values are of another type than the assigned one.
    @available(*, unavailable, message: "the key's values are of another type; see the key's declaration")
    @_disfavoredOverload
    public static subscript<Value, Other>(key: Defaults.Key<Value>?) -> Other {
        get { preconditionFailure("unavailable: the compiler refuses every use") }
        set { preconditionFailure("unavailable: the compiler refuses every use") }
    }
}

extension DefaultsSuite {
    /// Explains that a key's values are of another type than the requested one.
    @available(*, unavailable, message: "the key's values are of another type; see the key's declaration")
    @_disfavoredOverload
    public subscript<Value, Other>(key: Defaults.Key<Value>) -> Other {
        preconditionFailure("unavailable: the compiler refuses every use")
    }

    /// Explains that a key's values are optional.
    @available(
        *, unavailable, message: "the key's value is optional: unwrap it, or declare the key with a default"
    )
    @_disfavoredOverload
    public subscript<Value>(key: Defaults.Key<Value?>) -> Value {
        preconditionFailure("unavailable: the compiler refuses every use")
    }

    /// Explains that a key's values are of another type than the assigned one.
    @available(*, unavailable, message: "the key's values are of another type; see the key's declaration")
    @_disfavoredOverload
    public subscript<Value, Other>(key: Defaults.Key<Value>?) -> Other {
        get { preconditionFailure("unavailable: the compiler refuses every use") }
        set { preconditionFailure("unavailable: the compiler refuses every use") }
    }

    /// Explains that a typed key comes first.
    @available(*, unavailable, message: "a typed key comes first: set(key, to: value); forKey: takes a name")
    public func set<Value, Other>(_ value: Other, forKey key: Defaults.Key<Value>) {
        preconditionFailure("unavailable: the compiler refuses every use")
    }
}

extension DefaultsTransaction {
    /// Explains that a key's values are of another type than the requested one.
    @available(*, unavailable, message: "the key's values are of another type; see the key's declaration")
    @_disfavoredOverload
    public subscript<Value, Other>(key: Defaults.Key<Value>) -> Other {
        preconditionFailure("unavailable: the compiler refuses every use")
    }

    /// Explains that a key's values are optional.
    @available(
        *, unavailable, message: "the key's value is optional: unwrap it, or declare the key with a default"
    )
    @_disfavoredOverload
    public subscript<Value>(key: Defaults.Key<Value?>) -> Value {
        preconditionFailure("unavailable: the compiler refuses every use")
    }

    /// Explains that a key's values are of another type than the assigned one.
    @available(*, unavailable, message: "the key's values are of another type; see the key's declaration")
    @_disfavoredOverload
    public subscript<Value, Other>(key: Defaults.Key<Value>?) -> Other {
        get { preconditionFailure("unavailable: the compiler refuses every use") }
        nonmutating set { preconditionFailure("unavailable: the compiler refuses every use") }
    }

    /// Explains that a typed key comes first.
    @available(*, unavailable, message: "a typed key comes first: set(key, to: value); forKey: takes a name")
    public func set<Value, Other>(_ value: Other, forKey key: Defaults.Key<Value>) {
        preconditionFailure("unavailable: the compiler refuses every use")
    }
}

extension DefaultsSnapshot {
    /// Explains that a key's values are of another type than the requested one.
    @available(*, unavailable, message: "the key's values are of another type; see the key's declaration")
    @_disfavoredOverload
    public subscript<Value, Other>(key: Defaults.Key<Value>) -> Other {
        preconditionFailure("unavailable: the compiler refuses every use")
    }

    /// Explains that a key's values are optional.
    @available(
        *, unavailable, message: "the key's value is optional: unwrap it, or declare the key with a default"
    )
    @_disfavoredOverload
    public subscript<Value>(key: Defaults.Key<Value?>) -> Value {
        preconditionFailure("unavailable: the compiler refuses every use")
    }
}
