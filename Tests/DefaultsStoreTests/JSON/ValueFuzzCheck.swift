/// What must hold of any bytes that are taken for one JSON value; run by tests and by `.ci/fuzz`.
@testable import DefaultsStore

enum ValueFuzzCheck {
    /// What does not hold, nil when everything does.
    static func objection(to input: [UInt8]) -> String? {
        let stored: StoredValue
        do {
            stored = try StoredValue(validating: input)
        } catch {
            return faultObjection(error, in: input)
        }
        return textObjection(stored) ?? valueObjection(stored.value)
    }

    private static func faultObjection(_ fault: JSONFault, in input: [UInt8]) -> String? {
        guard 0...input.count ~= fault.offset else { return "the fault is outside the text" }
        let place = TextPlace(of: fault.offset, in: input[...])
        return (place.line, place.column) == (fault.line, fault.column)
            ? nil : "line and column are elsewhere"
    }

    /// The text stays on one line and is the same value inside a file.
    private static func textObjection(_ stored: StoredValue) -> String? {
        guard !stored.bytes.contains(where: \.isLineEnd) else { return "the text has a line end" }
        let (document, fault) = SettingsDocument.read(Array(#"{"a":"#.utf8) + stored.bytes + Array("}".utf8))
        if let fault { return "a file does not take the text: \(fault)" }
        return document.value(forKey: KeyName("a")) == stored ? nil : "a file has another text"
    }

    private static func valueObjection(_ value: DefaultsValue) -> String? {
        let written = StoredValue(value)
        do {
            guard try StoredValue(validating: Array(written.bytes)) == written else {
                return "a text of our own was rewritten"
            }
        } catch {
            return "a text of our own was refused: \(error)"
        }
        guard written.value == value else { return "the value read back is another: \(written.bytes)" }
        guard written.value.hashValue == value.hashValue else { return "equal values have different hashes" }
        guard StoredValue(written.value) == written else { return "the value read back has another text" }
        guard !value.isDeeper(than: JSONScanner.deepest) else { return "the value is too deep" }
        return accessObjection(value)
    }

    /// Numbers are asked for as each type would ask.
    private static func accessObjection(_ value: DefaultsValue) -> String? {
        switch value {
        case .null, .bool, .string, .rawJSON: nil
        case .number(let number): numberObjection(number)
        case .array(let elements): elements.lazy.compactMap(accessObjection).first
        case .object(let members): members.lazy.compactMap { accessObjection($0.value) }.first
        }
    }

    private static func numberObjection(_ number: DefaultsNumber) -> String? {
        guard DefaultsNumber(number.text) == number else { return "\(number) is not equal to itself" }
        // -0 is another number than 0, and no integer type has it.
        if let integer = number.exactly(Int128.self), integer != 0, DefaultsNumber(integer) != number {
            return "\(number) is not \(integer)"
        }
        let fits = number.exactly(Int128.self).map { 0...255 ~= $0 } ?? false
        if fits != (number.exactly(UInt8.self) != nil) { return "\(number) fits a byte and does not" }
        if let double = number.double, DefaultsNumber(double)?.double != double {
            return "\(number) changes its Double"
        }
        return nil
    }
}
