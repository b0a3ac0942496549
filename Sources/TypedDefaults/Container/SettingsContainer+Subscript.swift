import DefaultsStore

/// `container[key]`: the face of a container that does not throw.
extension SettingsContainer {
    /// The value of a setting, of the type the caller asks for.
    ///
    /// ```swift
    /// let settings = SettingsContainer(suite: .inMemory())
    /// settings.register { userDefault("volume", default: .local(0.5)) }
    /// settings["volume"] = 0.7
    /// let volume: Double = settings["volume"]
    /// ```
    ///
    /// Traps over a programmer's errors: a key that is not registered; a setting that is written although it is
    /// readonly, or locked in this build; a value written that is none of the local default's type; a local default
    /// read as a type it is none of; a setting read without a local default while no source has supplied one of that
    /// type. The text also goes to the suite's `failures`.
    ///
    /// What comes from outside never traps where there is a local default: a value that does not decode is reported,
    /// and the registered default, else the local one, is served in its place. A value that cannot be stored, or that
    /// an administrator has locked, is reported and the old one stays. ``value(_:as:)-(String,_)`` throws all these.
    ///
    /// `container[key] += 1` is a read and a write: another thread or process may write between the two. It begins with
    /// what reading returns, whichever domain that comes from, and sets nothing if it leaves the value as it was; a
    /// secret from elsewhere than the file is not stored by it, which is reported as `.secretFromElsewhere`.
    public subscript<Value: Codable & Sendable>(key: String) -> Value {
        get { served(key) }
        set { store(newValue, key) }
        _modify {
            var change = SettingChange<Value>(key, in: self)
            // The code after a `yield` does not run if the caller throws, so the end is in a `defer`.
            defer { change.finish() }
            yield &change.value
        }
    }

    /// The same with a string enum's case as the key.
    public subscript<Key: RawRepresentable, Value: Codable & Sendable>(key: Key) -> Value
    where Key.RawValue == String {
        get { served(key.rawValue) }
        set { store(newValue, key.rawValue) }
        _modify { yield &self[key.rawValue] }
    }

    /// The first of the setting's texts that is a value of the type; what is wrong with those before it is reported.
    func served<Value: Codable & Sendable>(_ key: String) -> Value {
        let setting: RegisteredSetting = found { () throws(DefaultsError) in try registered(key) }
        let coding = coding(Value.self, of: setting)
        var counted: StoredValue?
        var refusal: DefaultsError?
        do { counted = try setting.text(in: suite.core) } catch { suite.core.reportStanding(error) }
        for text in [counted].compactMap(\.self) + setting.fallbacks(in: suite.core) {
            do throws(DefaultsError) { return try coding.value(of: text, in: suite.core) } catch {
                if text == setting.localDefault { trap(error) }
                suite.core.reportStanding(error)
                refusal = error
            }
        }
        do throws(DefaultsError) { return try coding.missing() } catch { trap(refusal ?? error) }
    }

    private func store<Value: Codable & Sendable>(_ value: Value, _ key: String) {
        let setting: RegisteredSetting = found { () throws(DefaultsError) in try writable(key) }
        storing { () throws(DefaultsError) in try write(value, to: setting) }
    }

    /// Runs a body that sets a setting; a value of another type than the local default's is a programmer's error, any
    /// other failure is reported.
    func storing(_ body: () throws(DefaultsError) -> Void) {
        do throws(DefaultsError) {
            try body()
        } catch  where error.code == .typeMismatch {
            trap(error)
        } catch {
            suite.core.report(error)
        }
    }

    func found<Result>(_ body: () throws(DefaultsError) -> Result) -> Result {
        do { return try body() } catch { trap(error) }
    }
}
