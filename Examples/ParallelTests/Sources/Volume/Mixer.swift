/// Code as programs have it: it names static keys, and knows nothing of tests.
public import TypedDefaults
public import TypedDefaultsCompatibility

extension Defaults.Keys {
    /// How loud it is, from 0 to 100.
    public static let volume = Key<Int>("volume", default: 5, validation: .range(0...100))
}

/// What changes the volume.
public struct Mixer: Sendable {
    /// The stored volume.
    @Default(.volume) public var volume

    /// Creates a mixer.
    public init() {}

    /// Adds 1.
    public func louder() { volume += 1 }
}

/// Settings that are one value, in a file of their own.
public struct Room: SettingsManageable {
    /// What people call the room.
    public var name = "kitchen"

    /// Creates the settings with their initial values.
    public init() {}
}
