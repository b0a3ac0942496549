/// Values of what a program computes: `DefaultsValue(count)`, and `"user \(number)"` as a literal.
extension DefaultsValue: ExpressibleByStringInterpolation {
    /// Creates a ``string(_:)``.
    public init(_ value: String) {
        self = .string(value)
    }

    /// Creates a ``bool(_:)``.
    public init(_ value: Bool) {
        self = .bool(value)
    }

    /// Creates a ``number(_:)`` from an integer of any size.
    public init(_ value: some BinaryInteger) {
        self = .number(DefaultsNumber(value))
    }

    /// Creates a ``number(_:)`` with the shortest text that reads back as the same value.
    ///
    /// JSON has no number for what is not finite, so that becomes the text `"Infinity"`, `"-Infinity"` or `"NaN"`, which
    /// a key of `Double` and `double(forKey:)` read as the same value again. `DefaultsNumber(_:)` gives nil for it.
    public init(_ value: Double) {
        self = DefaultsNumber(value).map { .number($0) } ?? .string(DefaultsValue.name(ofNonFinite: value))
    }

    /// Creates a ``number(_:)`` with the shortest text that reads back as the same value, like that from a `Double`.
    public init(_ value: Float) {
        self = DefaultsNumber(value).map { .number($0) } ?? .string(DefaultsValue.name(ofNonFinite: value))
    }

    /// The text that stands for an infinite number, or for what is not a number.
    package static func name(ofNonFinite value: some FloatingPoint) -> String {
        if value.isNaN { return "NaN" }
        return value < 0 ? "-Infinity" : "Infinity"
    }

    /// The number that a text of ``name(ofNonFinite:)`` stands for.
    static func nonFinite(named name: String) -> Double? {
        [Double.nan, .infinity, -.infinity].first { DefaultsValue.name(ofNonFinite: $0) == name }
    }
}
