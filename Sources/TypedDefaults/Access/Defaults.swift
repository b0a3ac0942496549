@_exported public import DefaultsStore

/// Typed settings: `Defaults[.quality]`.
///
/// Keys are declared once, in an extension of ``Keys``, and used everywhere:
///
/// ```swift
/// extension Defaults.Keys {
///     static let quality = Key<Double>("quality", default: 0.8)
/// }
///
/// Defaults[.quality] += 0.1
/// ```
///
/// On `Defaults`, writing does not throw, because a subscript cannot: a failure leaves the old value in place and is
/// reported to the suite's `failures`. On a `DefaultsSuite` the same operations throw.
public struct Defaults: Sendable {
    /// The suite of this value.
    public let suite: DefaultsSuite

    /// Creates a value for a suite, by default the standard suite.
    public init(suite: DefaultsSuite = .standard) { self.suite = suite }

    /// Creates a value for the suite with a name.
    ///
    /// - Throws: `.invalidSuiteName`.
    public init(suiteName: String) throws(DefaultsError) { suite = try DefaultsSuite(suiteName) }

    /// The value for the standard suite.
    ///
    /// The setter exists only so that `Defaults.shared.theme = "dark"` compiles if `theme` has a plain `set`.
    /// Setting it to another suite's value traps. To replace the standard suite, call
    /// `DefaultsSuite.bootstrap(standard:)` for that.
    public static var shared: Defaults {
        get { Defaults(suite: .standard) }
        set {
            precondition(
                newValue.suite == .standard,
                "Defaults.shared stands for the standard suite; use bootstrap(standard:)")
        }
    }

    /// Adds keys to their suites' catalogues.
    ///
    /// A `static let` is initialised at its first use. So a program that lists its settings, or checks the
    /// file with `problems()`, declares its keys here once at the start. Two keys with one name and different
    /// types are reported as `.conflictingKeys`.
    public static func declare(_ keys: AnyKey...) {
        for key in keys { key.declare(in: key.suite.context) }
    }

    /// Adds keys to another suite's catalogue, as each use of them there does.
    ///
    /// ```swift
    /// let volume = Defaults.Key<Double>("volume", default: 0.5)
    /// let suite = DefaultsSuite.inMemory()
    /// Defaults.declare(volume, in: suite)
    /// try suite.set(text: "0.7", forKey: "volume")
    /// ```
    public static func declare(_ keys: AnyKey..., in suite: DefaultsSuite) {
        for key in keys { key.declare(in: suite.context) }
    }
}
