public import TypedDefaults

/// Code that is told which suite to use: a test gives it one of its own.
public struct Player: Sendable {
    private let suite: DefaultsSuite

    /// Makes a player with the settings of a suite.
    public init(suite: DefaultsSuite = .standard) { self.suite = suite }

    /// Opens a list, which is the first of the three recent ones then.
    public func open(_ list: String) throws {
        try suite.modify(.recent) { recent in
            recent = Array(([list] + recent.filter { $0 != list }).prefix(3))
        }
    }

    /// Sets the volume.
    public func play(at volume: Double) throws { try suite.set(.volume, to: volume) }
}

/// Code that uses the standard suite, wherever it is called.
public func louder() {
    Defaults.modify(.volume) { $0 = min($0 + 0.25, 1) }
}
