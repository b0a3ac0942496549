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
/// On `Defaults`, whatever writes does not throw, since a subscript cannot: a failure leaves the old value in place
/// and goes to the suite's `failures`. On a `DefaultsSuite` the same verbs throw.
public struct Defaults: Sendable {
    /// The suite this value stands for.
    public let suite: DefaultsSuite

    /// Stands for a suite; without one, for the standard suite.
    public init(suite: DefaultsSuite = .standard) { self.suite = suite }

    /// Stands for the suite of a name.
    ///
    /// - Throws: `.invalidSuiteName`.
    public init(suiteName: String) throws(DefaultsError) { suite = try DefaultsSuite(suiteName) }

    /// The value that stands for the standard suite.
    ///
    /// It has a setter only so that `Defaults.shared.theme = "dark"` compiles where `theme` has a plain `set`. Setting
    /// it to another suite's value traps: call `DefaultsSuite.bootstrap(standard:)` for that.
    public static var shared: Defaults {
        get { Defaults(suite: .standard) }
        set {
            precondition(
                newValue.suite == .standard,
                "Defaults.shared stands for the standard suite; use bootstrap(standard:)")
        }
    }

    /// Enters keys into their suites' catalogues.
    ///
    /// A `static let` is made at its first use, so a program that lists its settings, or checks the file with
    /// `problems()`, names its keys here once at the start. Two keys of one name and different types are reported as
    /// `.conflictingKeys`.
    public static func declare(_ keys: AnyKey...) {
        for key in keys { key.declare() }
    }
}
