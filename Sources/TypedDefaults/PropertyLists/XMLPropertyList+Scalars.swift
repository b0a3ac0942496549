/// The texts inside the elements of an XML property list.
extension XMLPropertyList {
    /// The value of an element that holds nothing but text.
    func scalar(_ name: String, _ text: String, at start: Int) throws(PropertyListFault) -> PropertyListValue
    {
        let value: PropertyListValue? =
            switch name {
            case "string": .string(text)
            case "integer": XMLPropertyList.integer(text).map { .integer($0) }
            case "real": XMLPropertyList.real(text).map { .real($0) }
            case "date": DateText.seconds(of: XMLPropertyList.trimmed(text)).map { .date($0) }
            case "data": Base64.bytes(of: text.utf8).map { .data($0) }
            default: throw fault("the element is none a property list has", at: start)
            }
        guard let value else { throw fault("the text is no <\(name)>", at: start) }
        return value
    }

    private static func trimmed(_ text: String) -> String {
        let isBlank: (UInt8) -> Bool = { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        let rest = text.utf8.drop(while: isBlank)
        let blanks = rest.reversed().prefix(while: isBlank).count
        return String(Substring(rest.dropLast(blanks)))
    }

    /// Decimal, or hexadecimal after `0x`, with a sign or without.
    private static func integer(_ text: String) -> Int128? {
        var digits = trimmed(text)[...]
        let isNegative = digits.hasPrefix("-")
        if isNegative || digits.hasPrefix("+") { digits.removeFirst() }
        let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
        if isHexadecimal { digits.removeFirst(2) }
        guard let first = digits.utf8.first, first != UInt8(ascii: "-"), first != UInt8(ascii: "+") else {
            return nil
        }
        return Int128((isNegative ? "-" : "") + digits, radix: isHexadecimal ? 16 : 10)
    }

    private static func real(_ text: String) -> Double? {
        let text = trimmed(text)
        switch text.lowercased() {
        case "nan": return .nan
        case "inf", "infinity", "+inf", "+infinity": return .infinity
        case "-inf", "-infinity": return -.infinity
        default:
            // `Double` reads more than a property list may hold, such as hexadecimal and `nan(1)`.
            let isDecimal = text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || "+-.eE".utf8.contains(byte)
            }
            guard isDecimal, let real = Double(text), real.isFinite else { return nil }
            return real
        }
    }
}
