/// A value as the settings file holds it.
///
/// Equality is by meaning: numbers are compared by their decimal value (`1 == 1.0`), strings by their UTF-8 bytes,
/// objects regardless of the order of their members.
public enum DefaultsValue: Hashable, Sendable {
    /// An explicit `null`, which is a stored value and not a missing one.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number with every digit it was written with.
    case number(DefaultsNumber)
    /// A text.
    case string(String)
    /// An ordered list.
    case array([DefaultsValue])
    /// Named members in their order.
    case object(DefaultsObject)
    /// What none of these can hold, as its JSON text: a text with half of a surrogate pair, or what is inside more than 128
    /// arrays and objects.
    case rawJSON(DefaultsRawJSON)

    /// Whether both are the same JSON value.
    @inline(never)  // It calls itself, which the optimiser would unfold in each of many places.
    public static func == (left: DefaultsValue, right: DefaultsValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): left.hasBytes(of: right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        case (.rawJSON(let left), .rawJSON(let right)): left == right
        default: false
        }
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null:
            hasher.combine(0)
        case .bool(let bool):
            hasher.combine(1)
            hasher.combine(bool)
        case .number(let number):
            hasher.combine(2)
            hasher.combine(number)
        case .string(let string):
            hasher.combine(3)
            string.hashBytes(into: &hasher)
        case .array(let array):
            hasher.combine(4)
            hasher.combine(array)
        case .object(let object):
            hasher.combine(5)
            hasher.combine(object)
        case .rawJSON(let rawJSON):
            hasher.combine(6)
            hasher.combine(rawJSON)
        }
    }
}

extension DefaultsValue: CustomStringConvertible {
    /// The value's JSON text on one line.
    public var description: String {
        String(decoding: JSONWriter.text(of: self), as: UTF8.self)
    }
}

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

    /// The inverse of ``name(ofNonFinite:)``.
    static func nonFinite(named name: String) -> Double? {
        [Double.nan, .infinity, -.infinity].first { DefaultsValue.name(ofNonFinite: $0) == name }
    }
}

/// Reads one kind of value: each property is nil for a value of another kind and never converts.
extension DefaultsValue {
    /// Whether this is ``null``.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The Boolean.
    public var bool: Bool? {
        if case .bool(let bool) = self { bool } else { nil }
    }

    /// The number, if it is whole and fits: 3 for `3.0`, nil for `3.5`.
    public var int: Int? {
        if case .number(let number) = self { number.exactly(Int.self) } else { nil }
    }

    /// The nearest `Double`, nil for a number beyond its range.
    public var double: Double? {
        if case .number(let number) = self { number.double } else { nil }
    }

    /// The string.
    public var string: String? {
        if case .string(let string) = self { string } else { nil }
    }

    /// The elements.
    public var array: [DefaultsValue]? {
        if case .array(let array) = self { array } else { nil }
    }

    /// The members.
    public var object: DefaultsObject? {
        if case .object(let object) = self { object } else { nil }
    }

    /// The element at a position of an array, nil outside its bounds.
    public subscript(index: Int) -> DefaultsValue? {
        guard let array, array.indices.contains(index) else { return nil }
        return array[index]
    }

    /// The member of an object with that name.
    public subscript(key: String) -> DefaultsValue? {
        object?[key]
    }

    /// Whether arrays and objects are nested here more deeply; a file takes values of up to 128 levels.
    ///
    /// Looks no deeper than that, because a value may be deeper than a thread's stack.
    package func isDeeper(than levels: Int) -> Bool {
        switch self {
        case .null, .bool, .number, .string: false
        case .array(let elements): levels == 0 || elements.contains { $0.isDeeper(than: levels - 1) }
        case .rawJSON(let rawJSON): rawJSON.depth > levels
        case .object(let members): levels == 0 || members.contains { $0.value.isDeeper(than: levels - 1) }
        }
    }
}

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

/// Values from JSON text.
extension DefaultsValue {
    /// Reads a text that is one JSON value, with what a settings file may have besides: comments, trailing commas.
    ///
    /// ```swift
    /// let value = try DefaultsValue(json: #"{"width": 800}"#)
    /// print(value["width"]?.int ?? 0)
    /// ```
    ///
    /// Every digit of a number is kept. If a name occurs twice, both members are kept, and the last one applies. The
    /// text of a value is its ``description``.
    ///
    /// - Throws: `.malformedText` with the line and column, also if it is nested more deeply than a settings file may
    ///   be.
    public init(json text: String) throws(DefaultsError) {
        do {
            // A file's values may have all levels, so the object around them must not take one.
            try self.init(reading: Array(text.utf8), levels: JSONScanner.deepest + 1)
        } catch {
            throw DefaultsError(
                .malformedText, line: error.line, column: error.column, underlyingDescription: error.reason)
        }
    }

    /// Reads a text that is one JSON value.
    ///
    /// - Parameter levels: how deeply it may be nested; what is inside too many levels is kept as its text.
    package init(reading text: [UInt8], levels: Int = .max) throws(JSONFault) {
        var scanner = JSONScanner(text[...], levels: levels)
        try scanner.skipStart()
        let value = try scanner.value()
        try scanner.skipEnd()
        self = value
    }
}
