public import DefaultsStore
import TypedDefaults

/// The one place where a program declares its settings, who may change them, and their defaults.
///
/// ```swift
/// let settings = SettingsContainer(suite: .inMemory())
/// settings.register {
///     readonly("server.timeout", default: .local(30.0))
///     transient("server.retries", releaseLocked: true, default: .local(5))
///     userDefault("server.url")
/// }
/// let shipped = DictionaryDefaultValueSource(
///     ["server.url": "http://localhost"])
/// try await settings.read(sources: shipped)
/// let timeout: Double = settings["server.timeout"]
/// ```
///
/// It is based on a suite. Each setting is read through the suite's domains. First comes an administrator's
/// file, then the command line and the environment, if the program has added them. Then come the value that
/// the program has set, default value sources and `register(defaults:)`, and the local default. A stored
/// value under the key of a readonly or a transient setting is ignored, and so is a transient value of a
/// readonly one.
///
/// Keys are strings or string enums. A key that is not registered is an error that names the nearest
/// registered one. The idea, and the names, are those of Locus.
public final class SettingsContainer: Sendable {
    /// The container of the standard suite.
    public static let shared = SettingsContainer(suite: .standard)

    /// The suite that the settings are in.
    public let suite: DefaultsSuite
    /// Whether settings that are locked in release builds are locked.
    let isRelease: Bool

    struct State {
        var settings: [KeyName: RegisteredSetting] = [:]
        var feeds: [ObjectIdentifier: DefaultValueFeed] = [:]
    }

    // A leaf: nothing is taken or called under it.
    let state = Locked(State())

    /// Creates a container without settings; any number may be based on one suite.
    public convenience init(suite: DefaultsSuite = .standard) {
        // A build of unknown kind is a release build, because that locks more.
        #if DEBUG
            self.init(suite: suite, isRelease: false)
        #else
            self.init(suite: suite, isRelease: true)
        #endif
    }

    /// Creates a container for a stated kind of build.
    package init(suite: DefaultsSuite, isRelease: Bool) {
        self.suite = suite
        self.isRelease = isRelease
    }

    /// The keys that are registered, sorted.
    public var registeredKeys: [String] {
        state.withLock { $0.settings.keys.sorted().map(\.string) }
    }

    /// Returns the setting of a key.
    ///
    /// - Throws: `.unregisteredKey`, with the nearest registered name.
    func registered(_ key: String) throws(DefaultsError) -> RegisteredSetting {
        let name = KeyName(key)
        let (setting, names) = state.withLock { state in
            let setting = state.settings[name]
            return (setting, setting == nil ? Array(state.settings.keys) : [])
        }
        if let setting { return setting }
        let nearest = NearestName.of(key, among: names).map { "the nearest registered key is \"\($0)\"" }
        throw DefaultsError(
            .unregisteredKey, suite: suite.name, key: key,
            underlyingDescription: nearest ?? "no key is registered")
    }
}

extension SettingsContainer: CustomReflectable {
    /// The suite and the registered keys: a dump shows no value.
    @_documentation(visibility: internal)
    public var customMirror: Mirror {
        Mirror(self, children: ["suite": suite, "registeredKeys": registeredKeys], displayStyle: .class)
    }
}

/// Registering settings.
extension SettingsContainer {
    /// Registers settings, all of the block or none.
    ///
    /// Settings may be registered in several calls, before or after sources are read. A local default also becomes
    /// the suite's default for the key, like that of a `Defaults.Key`.
    ///
    /// It traps if a key is registered already, occurs twice in the block, is empty, or is longer than 64
    /// KiB. It also traps if a local default cannot be written as JSON.
    ///
    /// ```swift
    /// enum SettingKey: String { case serverUrl = "server.url" }
    ///
    /// let settings = SettingsContainer(suite: .inMemory())
    /// settings.register {
    ///     userDefault(SettingKey.serverUrl, default: .local("http://localhost"))
    ///     for pane in ["left", "right"] {
    ///         transient("pane.\(pane)", default: .local(true))
    ///     }
    /// }
    /// ```
    public func register(@SettingsBuilder settings: () -> [SettingConfiguration]) {
        do throws(DefaultsError) { try enter(settings()) } catch { trap(error) }
    }

    /// Registers settings, all of them or none.
    ///
    /// - Throws: `.alreadyRegistered`, `.invalidKey`, `.encodingFailed`, `.valueTooLarge`.
    package func enter(_ configurations: [SettingConfiguration]) throws(DefaultsError) {
        let (suite, names) = (suite, configurations.map { KeyName($0.key) })
        // Refused before anything of it is declared in the suite.
        try state.withLock { (state) throws(DefaultsError) in
            try SettingsContainer.check(names, beside: state.settings, in: suite)
        }
        var settings: [RegisteredSetting] = []
        for configuration in configurations {
            do { settings.append(try RegisteredSetting(configuration, in: suite)) } catch {
                throw error.inSuite(suite.name)
            }
        }
        let new = settings
        let feeds = try state.withLock { (state) throws(DefaultsError) in
            try SettingsContainer.check(names, beside: state.settings, in: suite)
            for setting in new { state.settings[setting.name] = setting }
            return Array(state.feeds.values)
        }
        for feed in feeds { feed.follow(new) }
    }

    /// Refuses a name that is registered already, or occurs twice.
    ///
    /// One lookup for each name, because many programs register each setting in a separate call.
    private static func check(
        _ names: [KeyName], beside known: [KeyName: RegisteredSetting], in suite: DefaultsSuite
    ) throws(DefaultsError) {
        var new: Set<KeyName> = []
        for name in names where known[name] != nil || !new.insert(name).inserted {
            throw DefaultsError(.alreadyRegistered, suite: suite.name, key: name.string)
        }
    }

    /// Ends the program because of a programmer's error, after a report to the suite's failures: the trap of
    /// an optimised build has no text.
    func trap(_ error: DefaultsError) -> Never {
        suite.context.failures.report(error)
        preconditionFailure("\(error)")
    }
}
