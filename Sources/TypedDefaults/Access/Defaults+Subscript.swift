public import DefaultsStore

/// `Defaults[.key]`: the value of a key in its own suite.
extension Defaults {
    /// The value of a key.
    ///
    /// Reading returns the value of the highest domain that has one, such as the stored one, otherwise the
    /// key's default. A value that does not decode or is not allowed is reported once, and the next domain's
    /// is returned. Assigning stores the value, even if it equals the default. Assigning nil removes it,
    /// unless the key has another default and `storesNil`.
    ///
    /// An access in place (`+= 1`, `.append(x)`) is atomic between threads and processes. It begins with what
    /// reading returns, from whichever domain, and stores the result. It writes nothing if the value stays
    /// the same. Two changes are reported and not stored:
    /// - that of a value that cannot be used, as `.typeMismatch` or `.invalidValue`;
    /// - that of a secret from an argument, a variable, a transient value or a source, as
    ///   `.wouldStoreSecret`.
    ///
    /// Except through a key path, a protocol or a computed property with a getter and a setter: Swift makes
    /// the access a read and an assignment there.
    ///
    /// - Cost: reading an unchanged value makes no system call and takes no lock. The kernel reports changes
    ///   from the first observer on, or after 32 reads. Until then each read checks the files: three system
    ///   calls, whatever their size, and one more for a missing administrator's file.
    /// - Failure: is reported to the suite's `failures`; the old value stays.
    public static subscript<Value>(key: Key<Value>) -> Value {
        @inlinable get {
            let (recorded, version) = key.slot.versions
            if recorded == version, recorded != 0, let value = key.slot.value(Value.self, at: version) {
                return value
            }
            return valueOrDefault(of: key, at: version)
        }
        set { key.setReporting(newValue) }
        _modify {
            var access = KeyAccess(key, in: key.suite.context)
            // The code after a `yield` does not run if the caller throws, so the end is in a `defer`.
            defer { access.finish() }
            yield &access.value
        }
    }

    /// Changes a value atomically between threads and processes.
    ///
    /// ```swift
    /// let launches = Defaults.Key<Int>("launches", default: 0)
    /// let count = Defaults.modify(launches) { count in
    ///     count += 1
    ///     return count
    /// }
    /// ```
    ///
    /// The body runs once, on the calling thread, under the lock that all processes write under, so it has to
    /// be short. If it throws, nothing is stored. If the suite cannot be written, the body works on a copy,
    /// and the lost result is reported.
    ///
    /// - Returns: what the body returns.
    /// - Throws: what the body throws, with its type. A value that cannot be stored is reported to the
    ///   suite's `failures` instead.
    @discardableResult
    public static func modify<Value, Result, Failure: Error>(
        _ key: Key<Value>, _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var access = KeyAccess(key, in: key.suite.context)
        do {
            let result = try body(&access.value)
            access.finish()
            return result
        } catch {
            access.cancel()
            throw error
        }
    }
}

extension DefaultsSuite {
    /// The value of a key in this suite instead of its own, like `Defaults[key]`.
    ///
    /// A failure is reported to this suite's `failures`; a write that fails leaves the old value.
    ///
    /// - Cost: in the key's own suite the same as `Defaults[key]`. In another suite the value is decoded at
    ///   each read.
    public subscript<Value>(key: Defaults.Key<Value>) -> Value {
        get { key.value(in: context) }
        set { key.setReporting(newValue, in: context) }
        _modify {
            var access = KeyAccess(key, in: context)
            defer { access.finish() }
            yield &access.value
        }
    }
}

extension Defaults.Key {
    /// Stores a value in the key's own suite, or in its substitute.
    func setReporting(_ value: Value) {
        if SuiteReplacement.isAny { return setReporting(value, in: suite.context) }
        context._withUnsafeGuaranteedRef { setReporting(value, in: $0) }
    }

    /// Stores a value; a failure is reported and leaves the old one.
    @_specialize(where Value == Bool)
    @_specialize(where Value == Int)
    @_specialize(where Value == Double)
    @_specialize(where Value == String)
    func setReporting(_ value: Value, in context: SuiteContext) {
        do { try set(value, in: context) } catch { context.report(error) }
    }
}
