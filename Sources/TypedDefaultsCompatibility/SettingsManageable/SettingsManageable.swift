public import DefaultsStore
import TypedDefaults

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
/// The properties are in a JSON file that people can edit, and what is true of any suite is true here: writes survive
/// a kill, several processes may write at once, and `suite.observe(key:)` is notified when a property changes.
///
/// A class provides a method that takes over the properties of another instance, so that a `let` can be loaded:
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
/// Whether the type is `Sendable` is its own decision; one value belongs to one thread at a time.
public protocol SettingsManageable: Codable {
    /// Creates the settings as they are before anybody has changed one.
    init()

    /// The suite whose members the properties are.
    ///
    /// By default a file of the type's name beside the standard suite's: `PlayerSettings.json`. Only the properties
    /// should be in it: `delete()` and `reset()` remove whatever else is there, except what is not a setting: the
    /// name of a schema and the completed steps of `migrate`.
    static var suite: DefaultsSuite { get throws(DefaultsError) }

    /// Takes over the properties of another value.
    ///
    /// A struct need not implement it.
    mutating func assign(from other: Self)
}

extension SettingsManageable {
    /// The suite in a file of the type's name beside the standard suite's; in memory if that one is.
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
    /// - Throws: `.conflictingTypes`, with both names, if another type has the file already.
    public static var suite: DefaultsSuite {
        get throws(DefaultsError) { try WholeSettings.suite(of: Self.self) }
    }

    /// Becomes the other value.
    public mutating func assign(from other: Self) { self = other }
}

extension SettingsManageable where Self: AnyObject {
    /// Explains that a class has to take over the properties itself.
    @available(*, unavailable, message: "a class has to implement assign(from:)")
    public mutating func assign(from other: Self) {}
}
