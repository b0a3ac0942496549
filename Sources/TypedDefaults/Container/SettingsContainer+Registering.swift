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

    /// Refuses a name that is registered already, or is there twice.
    ///
    /// Looked up one by one, because many programs register each setting in a call of its own.
    private static func check(
        _ names: [KeyName], beside known: [KeyName: RegisteredSetting], in suite: DefaultsSuite
    ) throws(DefaultsError) {
        var new: Set<KeyName> = []
        for name in names where known[name] != nil || !new.insert(name).inserted {
            throw DefaultsError(.alreadyRegistered, suite: suite.name, key: name.string)
        }
    }

    /// Ends the program because of a programmer's error, which is reported to the suite's failures first: an
    /// optimised build's trap says nothing.
    func trap(_ error: DefaultsError) -> Never {
        suite.core.failures.report(error)
        preconditionFailure("\(error)")
    }
}
