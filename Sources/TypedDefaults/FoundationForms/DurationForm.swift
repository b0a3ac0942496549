import DefaultsStore

/// A `Duration` as people write it, `1h30m`.
///
/// A number of seconds, and the pair that a `Duration` encodes itself as, are read too.
enum DurationForm {
    static func encoded(_ value: some Encodable, at place: EncodingPlace) throws -> DefaultsValue {
        let own = try place.alone.encodeItself(value)
        guard case .array(let halves) = own, let attoseconds = DurationText.attoseconds(of: halves) else {
            throw place.refusal(of: value, "Duration with more seconds than Duration.components has")
        }
        return .string(DurationText.text(of: attoseconds))
    }

    static func decoded<Value: Decodable>(_ type: Value.Type, by decoder: ValueDecoder) throws -> Value {
        let attoseconds =
            switch decoder.value {
            case .string(let text): DurationText.attoseconds(of: text)
            case .number(let number): DurationText.attoseconds(of: number.text, in: DurationText.second)
            case .array(let halves): DurationText.attoseconds(of: halves)
            default: throw DecodingError.mismatch(type, found: decoder.value, at: decoder.path)
            }
        guard let attoseconds else {
            throw DecodingError.unfit(
                "Duration in units such as h, m, s and ms", found: found(decoder.value), at: decoder.path)
        }
        let halves = DefaultsValue.array([
            .number(DefaultsNumber(Int64(attoseconds >> 64))),
            .number(DefaultsNumber(UInt64(truncatingIfNeeded: attoseconds))),
        ])
        return try type.init(from: ValueDecoder(value: halves, path: decoder.path))
    }

    private static func found(_ value: DefaultsValue) -> String {
        switch value {
        case .string: "another string"
        case .number: "a number it cannot hold"
        default: "another array"
        }
    }
}

/// A duration as text, in the units of Go's and Prometheus' durations.
enum DurationText {
    /// The attoseconds of a second.
    static let second: Int128 = 1_000_000_000_000_000_000

    private static let units: [String: Int128] = [
        "ns": second / 1_000_000_000, "us": second / 1_000_000, "µs": second / 1_000_000,
        "μs": second / 1_000_000, "ms": second / 1_000, "s": second, "m": second * 60, "h": second * 3_600,
        "d": second * 86_400, "w": second * 604_800, "y": second * 31_536_000,
    ]

    /// The texts that are read, but for durations that are too long.
    static let pattern: String = {
        let number = #"([0-9]+\.?[0-9]*|\.[0-9]+)"#
        return "^[-+]?(\(number)|(\(number)(ns|us|µs|μs|ms|s|m|h|d|w|y))+)$"
    }()

    /// Returns the text as Go writes it, without parts that are zero.
    ///
    /// Below a second it has one unit, the largest that is not more than the duration.
    static func text(of attoseconds: Int128) -> String {
        guard attoseconds != 0 else { return "0s" }
        let sign = attoseconds < 0 ? "-" : ""
        let (whole, fraction) = attoseconds.magnitude.quotientAndRemainder(dividingBy: second.magnitude)
        guard whole > 0 else {
            let (unit, size): (String, UInt128) =
                switch fraction {
                case 1_000_000_000_000_000...: ("ms", 1_000_000_000_000_000)
                case 1_000_000_000_000...: ("us", 1_000_000_000_000)
                default: ("ns", 1_000_000_000)
                }
            return sign + decimal(fraction, in: size) + unit
        }
        let (hours, minutes) = (whole / 3_600, whole / 60 % 60)
        let seconds = whole % 60 * second.magnitude + fraction
        return sign + (hours > 0 ? "\(hours)h" : "") + (minutes > 0 ? "\(minutes)m" : "")
            + (seconds > 0 ? decimal(seconds, in: second.magnitude) + "s" : "")
    }

    private static func decimal(_ attoseconds: UInt128, in unit: UInt128) -> String {
        var (digits, rest) = attoseconds.quotientAndRemainder(dividingBy: unit)
        var text = "\(digits)"
        if rest > 0 { text += "." }
        while rest > 0 {
            (digits, rest) = (rest * 10).quotientAndRemainder(dividingBy: unit)
            text += "\(digits)"
        }
        return text
    }

    /// Reads the sum of numbers with units, or a number of seconds alone.
    ///
    /// Digits below an attosecond are dropped.
    static func attoseconds(of text: String) -> Int128? {
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        let hasSign = isNegative || text.utf8.first == UInt8(ascii: "+")
        var rest = Array(text.utf8)[(hasSign ? 1 : 0)...]
        if rest.allSatisfy(isOfNumber) { rest += "s".utf8 }
        var sum: Int128 = 0
        repeat {
            let digits = rest.prefix(while: isOfNumber)
            let unit = rest[digits.endIndex...].prefix { !isOfNumber($0) }
            guard digits.count(where: { $0 == UInt8(ascii: ".") }) < min(digits.count, 2),
                let size = units[String(decoding: unit, as: UTF8.self)],
                let part = attoseconds(of: String(decoding: digits, as: UTF8.self), in: size)
            else { return nil }
            let (total, isTooLarge) = sum.addingReportingOverflow(part)
            guard !isTooLarge else { return nil }
            sum = total
            rest = rest[unit.endIndex...]
        } while !rest.isEmpty
        return held(isNegative ? -sum : sum)
    }

    /// Reads a number as JSON spells it.
    static func attoseconds(of number: String, in unit: Int128) -> Int128? {
        guard let parts = DecimalParts(number) else { return nil }
        var (mantissa, exponent) = (parts.mantissa, parts.exponent)
        // A power of ten has to fit into 128 bits; the dropped digits are below an attosecond.
        while exponent < -38 { (mantissa, exponent) = (mantissa / 10, exponent + 1) }
        var product = mantissa.multipliedFullWidth(by: unit.magnitude)
        while exponent > 0, product.high == 0 {
            product = product.low.multipliedFullWidth(by: 10)
            exponent -= 1
        }
        let divisor = (0..<max(0, -exponent)).reduce(UInt128(1)) { power, _ in power * 10 }
        guard exponent <= 0, product.high < divisor else { return nil }
        let (quotient, _) = divisor.dividingFullWidth(product)
        guard let attoseconds = Int128(exactly: quotient) else { return nil }
        return held(parts.isNegative ? -attoseconds : attoseconds)
    }

    /// Reads the pair that a `Duration` encodes itself as: the halves of its attoseconds.
    static func attoseconds(of halves: [DefaultsValue]) -> Int128? {
        guard halves.count == 2, case .number(let first) = halves[0], case .number(let second) = halves[1],
            let high = first.exactly(Int64.self), let low = second.exactly(UInt64.self)
        else { return nil }
        return held(Int128(high) << 64 | Int128(low))
    }

    /// `Duration.components` traps on more seconds than an `Int64` has.
    private static func held(_ attoseconds: Int128) -> Int128? {
        Int64(exactly: attoseconds / second) == nil ? nil : attoseconds
    }

    private static func isOfNumber(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ".") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
