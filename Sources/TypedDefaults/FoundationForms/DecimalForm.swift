import DefaultsStore

/// A `Decimal` as a number with all its digits, or the text `NaN`; the object it encodes itself as is read too.
enum DecimalForm {
    private static let notANumber = "NaN"

    static func encoded(_ value: some Encodable) -> DefaultsValue {
        DefaultsNumber(String(describing: value)).map { .number($0) } ?? .string(notANumber)
    }

    static func decoded<Value: Decodable>(_ type: Value.Type, by decoder: ValueDecoder) throws -> Value {
        let parts: DecimalParts
        switch decoder.value {
        case .string(notANumber):
            parts = .notANumber
        case .number(let number):
            guard let read = DecimalParts(number.text) else {
                throw DecodingError.unfit("Decimal", found: "a number it cannot hold", at: decoder.path)
            }
            parts = read
        case .object(let own):
            // Checked here, because Foundation accepts whatever an object contains.
            guard let read = DecimalParts(own: own) else {
                throw DecodingError.unfit("Decimal", found: "an object that is none", at: decoder.path)
            }
            parts = read
        default:
            throw DecodingError.mismatch(type, found: decoder.value, at: decoder.path)
        }
        return try type.init(from: ValueDecoder(value: parts.ownForm, path: decoder.path))
    }
}

/// The parts of a `Decimal`: a 128-bit mantissa, and the power of ten that it is multiplied by.
struct DecimalParts: Equatable {
    private static let exponents = -128...127
    /// The exponents that may follow `e`: adding the number of digits to one of them does not overflow.
    private static let addable = -1 << 32...1 << 32

    private(set) var isNegative = false
    private(set) var mantissa: UInt128 = 0
    private(set) var exponent = 0
    private var isNumber = true

    static var notANumber: DecimalParts {
        var parts = DecimalParts()
        (parts.isNegative, parts.isNumber) = (true, false)
        return parts
    }

    private init() {}

    /// Reads a JSON number; nil if it is too large or too small.
    ///
    /// Digits that do not fit in 128 bits are cut off, as Foundation does.
    init?(_ number: String) {
        let halves = number.split(maxSplits: 1) { $0 == "e" || $0 == "E" }
        guard let digits = halves.first else { return nil }
        readDigits(digits)
        guard mantissa != 0 else {
            (isNegative, exponent) = (false, 0)
            return
        }
        if halves.count > 1 {
            guard let power = Int(halves[1]), Self.addable.contains(power) else { return nil }
            exponent += power
        }
        normalize()
        guard Self.exponents.contains(exponent) else { return nil }
    }

    /// Reads the form in which `Decimal` encodes itself, as property lists have it; nil if it is not whole.
    init?(own: DefaultsObject) {
        guard let exponent = own["exponent"]?.int, Self.exponents.contains(exponent),
            let length = own["length"]?.int, (0...8).contains(length),
            let isNegative = own["isNegative"]?.bool, own["isCompact"]?.bool != nil,
            let words = own["mantissa"]?.array, words.count == 8
        else { return nil }
        for (place, word) in words.enumerated() {
            guard let word = word.int.flatMap(UInt16.init(exactly:)) else { return nil }
            if place < length { mantissa |= UInt128(word) << (16 * place) }
        }
        guard mantissa != 0 else {
            if isNegative { self = .notANumber }
            return
        }
        (self.isNegative, self.exponent) = (isNegative, exponent)
        normalize()
    }

    private mutating func readDigits(_ digits: Substring) {
        var isFull = false
        var isFraction = false
        for byte in digits.utf8 {
            switch byte {
            case UInt8(ascii: "-"):
                isNegative = true
            case UInt8(ascii: "."):
                isFraction = true
            default:
                if isFull || !append(byte - UInt8(ascii: "0")) {
                    isFull = true
                    exponent += isFraction ? 0 : 1
                } else {
                    exponent -= isFraction ? 1 : 0
                }
            }
        }
    }

    /// Appends a digit; false if it does not fit.
    private mutating func append(_ digit: UInt8) -> Bool {
        let (tenfold, isTooLarge) = mantissa.multipliedReportingOverflow(by: 10)
        let (sum, isTooLargeBy) = tenfold.addingReportingOverflow(UInt128(digit))
        guard !isTooLarge && !isTooLargeBy else { return false }
        mantissa = sum
        return true
    }

    /// Removes trailing zeros, because values are compared without them, or adds some if the exponent is too
    /// large.
    private mutating func normalize() {
        while mantissa.isMultiple(of: 10), exponent < Self.exponents.upperBound {
            (mantissa, exponent) = (mantissa / 10, exponent + 1)
        }
        while exponent > Self.exponents.upperBound, append(0) { exponent -= 1 }
    }

    /// The form in which `Decimal` encodes and decodes itself.
    var ownForm: DefaultsValue {
        let words = (0..<8).map { UInt16(truncatingIfNeeded: mantissa >> (16 * $0)) }
        let length = words.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
        return .object([
            "exponent": .number(DefaultsNumber(exponent)), "length": .number(DefaultsNumber(length)),
            "isNegative": .bool(isNegative), "isCompact": .bool(isNumber && mantissa != 0),
            "mantissa": .array(words.map { .number(DefaultsNumber($0)) }),
        ])
    }
}
