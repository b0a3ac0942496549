public import Configuration
public import TypedDefaults

/// A suite as a provider of swift-configuration: its effective values, live.
///
/// The key `http.port` is what the declared key `http.port` gives, or the member `port` of what the declared key `http` gives;
/// where neither is declared, the setting `http.port`, otherwise the member `port` of the object `http`. Values come through
/// all domains, as `value(forKey:)` gives them: what an administrator, the command line or the environment says applies
/// where the suite has been told of it, and a declared key's default applies at the end. What an administrator has locked
/// goes before all else in either spelling: nothing named `http.port` hides the member `port` of a locked `http`.
///
/// ```swift
/// let reader = ConfigReader(provider: DefaultsConfigProvider(.standard))
/// let port = reader.int(forKey: "http.port", default: 8080)
/// ```
///
/// A value of another type throws `DefaultsError` with the code `.typeMismatch`; it is never taken for a missing one.
/// `null` is a missing one. Bytes are base64, or numbers from 0 to 255. A whole number such as `8080.0` is an `Int` too,
/// and every number a `Double`. Values of keys that are declared as secret are secret, and so are their members.
///
/// The context of a configuration key does not count here.
public struct DefaultsConfigProvider: ConfigProvider {
    /// The suite whose values it gives.
    public let suite: DefaultsSuite
    /// The provider's name in access reports: `DefaultsConfigProvider[com.example.player]`.
    public let providerName: String

    /// Makes a suite a provider; nothing is read yet.
    public init(_ suite: DefaultsSuite = .standard) {
        self.suite = suite
        providerName = "DefaultsConfigProvider[\(suite.name)]"
    }

    private var view: DefaultsConfigSnapshot {
        DefaultsConfigSnapshot(providerName: providerName, suite: suite, values: suite.snapshot())
    }

    /// Returns the value of a key as it is now.
    ///
    /// A settings file that cannot be read is reported to the suite's `failures`, and the last good values are used;
    /// ``fetchValue(forKey:type:)`` throws instead.
    ///
    /// - Throws: `.typeMismatch` for a value of another type.
    public func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
        try view.value(forKey: key, type: type)
    }

    /// Returns the value of a key, and makes sure that the settings can be read.
    ///
    /// - Cost: all that is stored is read.
    /// - Throws: what prevents the settings from being read, such as `.malformedFile`; `.typeMismatch`.
    public func fetchValue(forKey key: AbsoluteConfigKey, type: ConfigType) async throws -> LookupResult {
        _ = try suite.storedValues()
        return try view.value(forKey: key, type: type)
    }

    /// Gives a key's value now, and then each time that it has changed, whoever changed it.
    ///
    /// The kernel tells of other processes' changes and of edits by hand. A value that is asked for later than the next
    /// one comes is skipped, so that the last one given is the present one.
    public func watchValue<Return: ~Copyable>(
        forKey key: AbsoluteConfigKey, type: ConfigType,
        updatesHandler: (ConfigUpdatesAsyncSequence<Result<LookupResult, any Error>, Never>) async throws ->
            Return
    ) async throws -> Return {
        let (rings, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let observations = SettingPath(key).names.map { name in
            suite.observe(forKey: name, options: []) { _ in bell.yield() }
        }
        defer { observations.forEach { $0.invalidate() } }
        let values = PresentValues(rings: rings, isSame: ==) { view.result(forKey: key, type: type) }
        return try await updatesHandler(
            ConfigUpdatesAsyncSequence(values.map { result in result.mapError { $0 as any Error } }))
    }

    /// Returns all values as they are now: one consistent state, whatever is written afterwards.
    public func snapshot() -> any ConfigSnapshot { view }

    /// Gives all values now, and then each time that any of them has changed.
    ///
    /// A transaction is one change.
    public func watchSnapshot<Return: ~Copyable>(
        updatesHandler: (ConfigUpdatesAsyncSequence<any ConfigSnapshot, Never>) async throws -> Return
    ) async throws -> Return {
        let (rings, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let observation = suite.observeAll(options: []) { bell.yield() }
        defer { observation.invalidate() }
        let values = PresentValues(rings: rings, isSame: { _, _ in false }) { view as any ConfigSnapshot }
        return try await updatesHandler(ConfigUpdatesAsyncSequence(values))
    }
}

extension DefaultsConfigProvider: CustomStringConvertible {
    /// The provider's name.
    public var description: String { providerName }
}
