/// A JSON number that keeps the text it was written with, so that no digit is lost.
///
/// Two numbers are equal if their decimal values are, exactly: `1`, `1.0` and `10e-1`. `-0` and `0` are two, as a `Double`
/// tells them apart.
public struct DefaultsNumber: Hashable, Sendable, CustomStringConvertible {
    /// The number as JSON text.
    public let text: String

    /// Creates a number from a text that is a JSON number and nothing else: no blanks, no `+1`, `.5`, `1.`, `01` or
    /// `NaN`.
    public init?(_ text: String) {
        guard JSONScanner.isNumber(text) else { return nil }
        self.text = text
    }

    /// Creates a number from an integer of any size.
    public init(_ value: some BinaryInteger) {
        text = String(value)
    }

    /// Creates a number from a finite `Double`; its text is the shortest that reads back as the same value.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        text = Self.withoutEmptyFraction(value.description)
    }

    /// Creates a number from a finite `Float`; its text is the shortest that reads back as the same value.
    public init?(_ value: Float) {
        guard value.isFinite else { return nil }
        text = Self.withoutEmptyFraction(value.description)
    }

    /// The scanner has read the text as a number.
    init(trusted text: String) {
        self.text = text
    }

    private static func withoutEmptyFraction(_ text: String) -> String {
        text.utf8.suffix(2).elementsEqual(".0".utf8) ? String(text.dropLast(2)) : text
    }

    /// The text.
    public var description: String { text }

    /// Whether both have the same decimal value.
    public static func == (left: DefaultsNumber, right: DefaultsNumber) -> Bool {
        left.text == right.text || DecimalValue(left.text) == DecimalValue(right.text)
    }

    /// Hashes the decimal value.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(DecimalValue(text))
    }
}

extension DefaultsNumber {
    /// The nearest `Double`, nil if that would be infinite.
    public var double: Double? {
        // The short path saves a program's first read the C library's conversion.
        let plain = text.utf8.withContiguousStorageIfAvailable { PlainNumber($0)?.double }
        if case .some(.some(let plain)) = plain { return plain }
        guard let nearest = Double(text), nearest.isFinite else { return nil }
        return nearest
    }

    /// Returns the number as an integer type, nil if it has a fraction or does not fit.
    public func exactly<Integer: FixedWidthInteger>(_ type: Integer.Type) -> Integer? {
        Integer(text) ?? DecimalValue(text).integer()
    }
}
