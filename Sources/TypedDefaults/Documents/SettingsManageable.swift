public import DefaultsStore

/// Settings that are one value: a `Codable` type whose properties are the members of a suite.
///
/// ```swift
/// struct PlayerSettings: SettingsManageable {
///     var volume = 0.8
///     var lives = 3
/// }
///
/// var settings = PlayerSettings()
/// try settings.load()
/// settings.lives = 5
/// try settings.update()
/// ```
///
/// The properties stand in a JSON file that people can edit, and what holds for any suite holds here: writes survive
/// a kill, several processes may write at once, and `suite.observe(key:)` hears a property change.
///
/// A class brings a method that takes over the properties of another instance, so that a `let` can be loaded:
///
/// ```swift
/// final class GameSettings: SettingsManageable {
///     var level = 1
///     func assign(from other: GameSettings) { level = other.level }
/// }
///
/// let settings = try GameSettings.loaded()
/// settings.level += 1
/// try settings.update()
/// ```
///
/// It is the type's own matter to be `Sendable` or not; one value belongs to one thread at a time.
public protocol SettingsManageable: Codable {
    /// The settings as they are before anybody has changed one.
    init()

    /// The suite whose members the properties are.
    ///
    /// By default a file of the type's name beside the standard suite's: `PlayerSettings.json`. Only the properties
    /// should be in it: `delete()` and `reset()` remove whatever else is there, but for what is no setting, the name
    /// of a schema and the steps of `migrate` that were done.
    static var suite: DefaultsSuite { get throws(DefaultsError) }

    /// Takes over the properties of another value.
    ///
    /// A struct need not bring one.
    mutating func assign(from other: Self)
}

extension SettingsManageable {
    /// The suite in a file of the type's name beside the standard suite's; in memory where that one is.
    ///
    /// The name is the type's own, without those of the types around it. So of two types of one name,
    /// `Audio.Settings` and `Video.Settings`, one has to say where else it is kept:
    ///
    /// ```swift
    /// enum Video {
    ///     struct Settings: SettingsManageable {
    ///         var width = 1_920
    ///         static var suite: DefaultsSuite {
    ///             get throws(DefaultsError) { try DefaultsSuite("player.video") }
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// - Throws: `.conflictingTypes`, with both names, where another type has the file already.
    public static var suite: DefaultsSuite {
        get throws(DefaultsError) { try WholeSettings.suite(of: Self.self) }
    }

    /// Becomes the other value.
    public mutating func assign(from other: Self) { self = other }
}

extension SettingsManageable where Self: AnyObject {
    /// Says that a class has to take over the properties itself.
    @available(*, unavailable, message: "a class has to implement assign(from:)")
    public mutating func assign(from other: Self) {}
}
