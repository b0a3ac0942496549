public import DefaultsStore
import TypedDefaults

/// Throwing access to a container.
extension SettingsContainer {
    /// Returns the value of a setting.
    ///
    /// ```swift
    /// let settings = SettingsContainer(suite: .inMemory())
    /// settings.register { readonly("server.retries", default: .local(5)) }
    /// let retries = try settings.value("server.retries", as: Int.self)
    /// ```
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - type: any type that the value's JSON decodes to. An optional is nil if no domain has a value.
    /// - Throws: `.unregisteredKey`, with the nearest registered name. `.missingDefault` if the default comes
    ///   from a source and none has supplied it. `.typeMismatch`. For a stored setting also the failure to
    ///   read the file.
    public func value<Value: Codable & Sendable>(
        _ key: String, as type: Value.Type = Value.self
    ) throws(DefaultsError) -> Value {
        let setting = try registered(key)
        let coding = coding(Value.self, of: setting)
        let text: StoredValue?
        do { text = try setting.text(in: suite.context) } catch { throw error.inSuite(suite.name) }
        guard let text else { return try coding.missing() }
        let fallbacks = setting.fallbacks(in: suite.context)
        do throws(DefaultsError) {
            return try coding.value(of: text, over: fallbacks, in: suite.context)
        } catch {
            for other in fallbacks where other != setting.localDefault {
                do throws(DefaultsError) {
                    return try coding.value(of: other, over: fallbacks, in: suite.context)
                } catch {
                    continue
                }
            }
            throw error
        }
    }

    /// Returns the value of a setting whose key is a case of a string enum.
    ///
    /// - Throws: what ``value(_:as:)-(String,_)`` throws.
    public func value<Key: RawRepresentable, Value: Codable & Sendable>(
        _ key: Key, as type: Value.Type = Value.self
    ) throws(DefaultsError) -> Value where Key.RawValue == String {
        try value(key.rawValue, as: type)
    }

    /// Sets a setting: stored in the suite's file or kept for as long as the process runs, as it was
    /// registered.
    ///
    /// nil removes the value that was set, as ``reset(_:)-(String)`` does.
    ///
    /// - Throws: `.unregisteredKey`, with the nearest registered name. `.locked` for a readonly setting, for
    ///   one that is locked in release builds, and for one that an administrator has set. `.typeMismatch` for
    ///   a value that does not have the local default's type. And what `DefaultsSuite.set(_:to:)` throws.
    public func set<Value: Codable & Sendable>(_ key: String, to value: Value) throws(DefaultsError) {
        let setting = try writable(key)
        try write(value, to: setting)
    }

    /// Sets a setting whose key is a case of a string enum.
    ///
    /// - Throws: what ``set(_:to:)-(String,_)`` throws.
    public func set<Key: RawRepresentable, Value: Codable & Sendable>(
        _ key: Key, to value: Value
    ) throws(DefaultsError) where Key.RawValue == String {
        try set(key.rawValue, to: value)
    }

    /// Removes the value that was set, so that the default applies.
    ///
    /// - Throws: `.unregisteredKey`, `.locked`, and what `DefaultsSuite.reset(_:)` throws.
    public func reset(_ key: String) throws(DefaultsError) { try write(nil, to: try writable(key)) }

    /// Removes the value that was set for a key that is a case of a string enum.
    ///
    /// - Throws: what ``reset(_:)-(String)`` throws.
    public func reset<Key: RawRepresentable>(
        _ key: Key
    ) throws(DefaultsError) where Key.RawValue == String {
        try reset(key.rawValue)
    }
}

extension SettingsContainer {
    /// The coding of a setting as a type; without a local default this type is declared in the suite.
    func coding<Value: Codable & Sendable>(
        _ type: Value.Type, of setting: RegisteredSetting
    ) -> SettingCoding<Value> {
        let coding = SettingCoding<Value>(setting.name, in: suite.context)
        if setting.declaration == nil { coding.register(in: suite.context) }
        return coding
    }

    /// The setting of a key, if this build can set it.
    ///
    /// - Throws: `.unregisteredKey`, `.locked`.
    func writable(_ key: String) throws(DefaultsError) -> RegisteredSetting {
        let setting = try registered(key)
        if let lock = setting.lock(isRelease: isRelease) { throw lock.inSuite(suite.name) }
        return setting
    }

    /// The text to set for a value; nil removes.
    ///
    /// - Throws: `.encodingFailed`, `.valueTooLarge`; `.typeMismatch` for a value that does not have the
    ///   local default's type.
    func text<Value: Codable & Sendable>(
        of value: Value, for setting: RegisteredSetting
    ) throws(DefaultsError) -> StoredValue? {
        let coding = SettingCoding<Value>(setting.name, in: suite.context)
        let text = try coding.text(of: value)
        // A key of its name may have become secret since it was registered.
        if let text,
            let objection = setting.declaration?.objection(text, isSecret: coding.place.isSecret)
        {
            throw objection.ofGivenValue
        }
        return text
    }

    /// Sets a value by the setting's persistence; a stored array or object is an edit of the present one.
    func write<Value: Codable & Sendable>(
        _ value: Value, to setting: RegisteredSetting
    ) throws(DefaultsError) {
        let text = try text(of: value, for: setting)
        guard setting.persistence == .userDefaults else { return try write(text, to: setting) }
        try SettingCoding<Value>(setting.name, in: suite.context)
            .write(text, over: setting.fallbacks(in: suite.context), in: suite.context)
    }

    /// Sets a text by the setting's persistence; nil removes.
    func write(_ text: StoredValue?, to setting: RegisteredSetting) throws(DefaultsError) {
        switch setting.persistence {
        case .userDefaults: try suite.context.write(text, forKey: setting.name)
        default: try suite.context.setTransient([(setting.name, text)])
        }
    }
}

/// Access to a container that does not throw: `container[key]`.
extension SettingsContainer {
    /// The value of a setting, of the type that the caller requests.
    ///
    /// ```swift
    /// let settings = SettingsContainer(suite: .inMemory())
    /// settings.register { userDefault("volume", default: .local(0.5)) }
    /// settings["volume"] = 0.7
    /// let volume: Double = settings["volume"]
    /// ```
    ///
    /// It traps on a programmer's error, and reports the text to the suite's `failures` first:
    /// - a key that is not registered;
    /// - a write of a setting that is readonly, or locked in this build;
    /// - a write of a value that does not have the local default's type;
    /// - a read of a local default as a type that it does not decode to;
    /// - a read without a local default before a source has supplied one of that type.
    ///
    /// With a local default, values from outside never trap. A value that does not decode is reported, and
    /// the registered default, else the local one, is returned. A value that cannot be stored, or that an
    /// administrator has locked, is reported, and the old one stays. ``value(_:as:)-(String,_)`` throws all
    /// these.
    ///
    /// `container[key] += 1` is a read and a write: another thread or process may write between the two. It
    /// begins with what reading returns, from whichever domain, and sets nothing if the value stays the same.
    /// It does not store a secret that is not from the file, and reports it as `.wouldStoreSecret`.
    public subscript<Value: Codable & Sendable>(key: String) -> Value {
        get {
            var refusal: DefaultsError?
            return served(key, refusal: &refusal)
        }
        set { store(newValue, key) }
        _modify {
            var change = SettingChange<Value>(key, in: self)
            // The code after a `yield` does not run if the caller throws, so the end is in a `defer`.
            defer { change.finish() }
            yield &change.value
        }
    }

    /// The value of a setting whose key is a case of a string enum.
    ///
    /// It traps and reports where ``subscript(_:)-(String)`` does.
    public subscript<Key: RawRepresentable, Value: Codable & Sendable>(key: Key) -> Value
    where Key.RawValue == String {
        get { self[key.rawValue] }
        set { store(newValue, key.rawValue) }
        _modify { yield &self[key.rawValue] }
    }

    /// The first of the setting's texts that is a value of the type; faults of those before it are reported.
    ///
    /// - Parameter refusal: becomes the fault of the last text before it.
    func served<Value: Codable & Sendable>(_ key: String, refusal: inout DefaultsError?) -> Value {
        let setting: RegisteredSetting = found { () throws(DefaultsError) in try registered(key) }
        let coding = coding(Value.self, of: setting)
        var counted: StoredValue?
        do { counted = try setting.text(in: suite.context) } catch { suite.context.reportLasting(error) }
        let fallbacks = setting.fallbacks(in: suite.context)
        for text in [counted].compactMap(\.self) + fallbacks {
            do throws(DefaultsError) {
                return try coding.value(of: text, over: fallbacks, in: suite.context)
            } catch {
                if text == setting.localDefault { trap(error) }
                suite.context.reportLasting(error)
                refusal = error
            }
        }
        do throws(DefaultsError) { return try coding.missing() } catch { trap(refusal ?? error) }
    }

    private func store<Value: Codable & Sendable>(_ value: Value, _ key: String) {
        let setting: RegisteredSetting = found { () throws(DefaultsError) in try writable(key) }
        storing { () throws(DefaultsError) in try write(value, to: setting) }
    }

    /// Runs a body that sets a setting; a wrong type is a programmer's error, any other failure is reported.
    func storing(_ body: () throws(DefaultsError) -> Void) {
        do throws(DefaultsError) {
            try body()
        } catch  where error.code == .typeMismatch {
            trap(error)
        } catch {
            suite.context.report(error)
        }
    }

    func found<Result>(_ body: () throws(DefaultsError) -> Result) -> Result {
        do { return try body() } catch { trap(error) }
    }
}
