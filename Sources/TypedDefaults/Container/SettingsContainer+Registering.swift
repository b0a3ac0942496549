import DefaultsStore

/// Registering settings.
extension SettingsContainer {
    /// Registers settings, all of the block or none.
    ///
    /// Settings may be registered in several calls, before or after sources are read. A local default also becomes
    /// the suite's default for the key, like that of a `Defaults.Key`.
    ///
    /// Traps if a key is registered already, or twice in the block; if it is empty or longer than 64 KiB; and if a
    /// local default cannot be written as JSON.
    ///
    /// ```swift
    /// enum SettingKey: String { case serverUrl = "server.url" }
    ///
    /// let settings = SettingsContainer(suite: .inMemory())
    /// settings.register {
    ///     userDefault(SettingKey.serverUrl, default: .local("http://localhost"))
    ///     for pane in ["left", "right"] { transient("pane.\(pane)", default: .local(true)) }
    /// }
    /// ```
    public func register(@SettingsBuilder settings: () -> [SettingConfiguration]) {
        do throws(DefaultsError) { try enter(settings()) } catch { trap(error) }
    }

    /// Registers settings, all of them or none.
    ///
    /// - Throws: `.alreadyRegistered`, `.invalidKey`, `.encodingFailed`, `.valueTooLarge`.
    package func enter(_ configurations: [SettingConfiguration]) throws(DefaultsError) {
        let known = state.withLock { $0.settings }
        // Refused before anything of it is declared in the suite.
        _ = try SettingsContainer.adding(
            configurations.map { KeyName($0.key) }, to: Set(known.keys), in: suite)
        var settings: [RegisteredSetting] = []
        for configuration in configurations {
            do { settings.append(try RegisteredSetting(configuration, in: suite)) } catch {
                throw error.inSuite(suite.name)
            }
        }
        let (suite, new) = (suite, settings)
        let feeds = try state.withLock { (state) throws(DefaultsError) in
            _ = try SettingsContainer.adding(new.map(\.name), to: Set(state.settings.keys), in: suite)
            for setting in new { state.settings[setting.name] = setting }
            return Array(state.feeds.values)
        }
        for feed in feeds { feed.follow(new) }
    }

    private static func adding(
        _ names: [KeyName], to known: Set<KeyName>, in suite: DefaultsSuite
    ) throws(DefaultsError) -> Set<KeyName> {
        var all = known
        for name in names {
            guard all.insert(name).inserted else {
                throw DefaultsError(.alreadyRegistered, suite: suite.name, key: name.string)
            }
        }
        return all
    }

    /// Ends the program because of a programmer's error, which is reported to the suite's failures first: an
    /// optimised build's trap says nothing.
    func trap(_ error: DefaultsError) -> Never {
        suite.core.failures.report(error)
        preconditionFailure("\(error)")
    }
}
