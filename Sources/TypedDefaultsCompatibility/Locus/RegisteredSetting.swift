import DefaultsStore
import TypedDefaults

/// A setting that is registered in a container, and the domains of the suite that it is read from.
struct RegisteredSetting: Sendable {
    let name: KeyName
    let persistence: SettingConfiguration.Persistence
    let releaseLocked: Bool
    /// The declaration of its local default, with the type; nil if the default comes from a source.
    let declaration: KeyDeclaration?
    /// The local default as JSON; nil if there is none.
    let localDefault: StoredValue?

    /// Creates a setting from a configuration, and declares its local default in the suite.
    ///
    /// - Throws: `.invalidKey`, `.encodingFailed`, `.valueTooLarge`.
    init(_ configuration: SettingConfiguration, in suite: DefaultsSuite) throws(DefaultsError) {
        name = try KeyName.validated(configuration.key)
        persistence = configuration.persistence
        releaseLocked = configuration.releaseLocked
        declaration = configuration.defaultValue.declaration?(configuration.key, suite)
        localDefault = try declaration?.defaultText()
    }

    /// Returns the effective text; nil if neither a domain that the setting uses nor its local default has
    /// one.
    ///
    /// - Throws: the failure to read the file, if the setting is stored in it.
    func text(in context: SuiteContext) throws(DefaultsError) -> StoredValue? {
        let counted =
            switch persistence {
            case .userDefaults: try context.view().first(name)
            // These are not in a file, so an unreadable one hides nothing.
            case .transient: context.viewReporting().domains.first(name, stored: nil)
            case .none: context.viewReporting().domains.firstUnset(name)
            }
        return counted ?? localDefault
    }

    /// The substitutes for a text that cannot be used, the best first: the domains' texts, then the local
    /// default.
    func fallbacks(in context: SuiteContext) -> [StoredValue] {
        let view = context.viewReporting()
        var stored: StoredValue?
        if persistence == .userDefaults {
            do { stored = try view.stored(name) } catch { context.reportLasting(error) }
        }
        let all = view.domains.candidates(name, stored: stored)
        return all.filter { persistence != .none || $0.domain != .transient }.compactMap(\.value)
            + [localDefault].compactMap(\.self)
    }

    /// Why the program cannot set it in this build; nil if it can.
    func lock(isRelease: Bool) -> DefaultsError? {
        let reason: String
        switch persistence {
        case .none: reason = "it is registered as readonly"
        case _ where releaseLocked && isRelease: reason = "it is registered as locked in release builds"
        default: return nil
        }
        return DefaultsError(.locked, key: name.string, underlyingDescription: reason)
    }
}
