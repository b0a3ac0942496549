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
/// The properties are in a JSON file that people can edit, with the promises of any suite. Writes survive a
/// kill, several processes may write at once, and `suite.observe(forKey:)` reports the changes of a property.
///
/// A class provides a method that copies the properties of another instance, so that a `let` can be loaded:
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
    /// Creates the settings before any change.
    init()

    /// The suite whose members the properties are.
    ///
    /// By default its file has the type's name, in the folder of the standard suite's: `PlayerSettings.json`.
    /// The file should have only the properties: `delete()` and `reset()` remove other members. Except the
    /// name of a schema and the completed steps of `migrate`, which are not settings.
    ///
    /// - Throws: why there is no such suite; by default `.conflictingTypes`.
    static var suite: DefaultsSuite { get throws(DefaultsError) }

    /// Copies the properties of another value.
    ///
    /// A struct need not implement it.
    mutating func assign(from other: Self)
}

extension SettingsManageable {
    /// The suite in a file of the type's name in the folder of the standard suite's; in memory if that one
    /// is.
    ///
    /// The name does not include those of surrounding types. So of two types with one name, `Audio.Settings`
    /// and `Video.Settings`, one has to name another suite:
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
    /// Explains that a class has to implement it.
    @available(*, unavailable, message: "a class has to implement assign(from:)")
    public mutating func assign(from other: Self) {}
}
