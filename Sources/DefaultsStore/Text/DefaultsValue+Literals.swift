/// Lets a literal of any JSON kind stand for a value: `["volume": 0.5, "muted": nil]`.
extension DefaultsValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// Creates ``null``.
    public init(nilLiteral: ()) {
        self = .null
    }

    /// Creates a ``bool(_:)``.
    public init(booleanLiteral value: Bool) {
        self = .bool(value)
    }

    /// Creates a ``number(_:)``; literals of up to 128 bits are exact.
    public init(integerLiteral value: Int128) {
        self = .number(DefaultsNumber(value))
    }

    /// Creates a ``number(_:)`` with the shortest text that reads back as the same `Double`.
    ///
    /// A literal too large for a `Double` traps, as the compiler warns.
    public init(floatLiteral value: Double) {
        guard let number = DefaultsNumber(value) else {
            preconditionFailure("a literal that overflows Double cannot be a JSON number")
        }
        self = .number(number)
    }

    /// Creates a ``string(_:)``.
    public init(stringLiteral value: String) {
        self = .string(value)
    }

    /// Creates an ``array(_:)``.
    public init(arrayLiteral elements: DefaultsValue...) {
        self = .array(elements)
    }

    /// Creates an ``object(_:)`` with its members in the order written.
    public init(dictionaryLiteral elements: (String, DefaultsValue)...) {
        self = .object(DefaultsObject(elements.map { (key: $0.0, value: $0.1) }))
    }
}
