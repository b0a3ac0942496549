package import DefaultsStore

/// What a property list's values are as JSON: the same forms as the codec of `Date`, `Data` and `Double` writes.
extension PropertyListValue {
    /// The value as JSON.
    ///
    /// Dates become ISO 8601 in UTC, data base64, numbers that are not finite their names, and inside an array or a
    /// dictionary the text `$null`, which `PropertyListEncoder` writes for nil, becomes `null`.
    ///
    /// - Throws: for references, which are no values.
    package func defaultsValue() throws(PropertyListFault) -> DefaultsValue {
        switch self {
        case .bool(let bool): return .bool(bool)
        case .integer(let integer): return .number(DefaultsNumber(integer))
        case .real(let real): return PropertyListValue.number(real)
        case .string(let string): return .string(string)
        case .date(let seconds):
            return DateText.text(of: seconds).map { .string($0) } ?? PropertyListValue.number(seconds)
        case .data(let bytes): return .string(Base64.text(of: bytes))
        case .reference:
            throw PropertyListFault("it holds a reference of a keyed archive, which is no setting")
        case .array(let elements):
            var values: [DefaultsValue] = []
            for element in elements { values.append(try element.inside()) }
            return .array(values)
        case .dictionary(let members):
            var values: [DefaultsObject.Element] = []
            for member in members { values.append((member.key, try member.value.inside())) }
            return .object(DefaultsObject(values))
        }
    }

    /// The members of the outermost dictionary.
    ///
    /// - Throws: where the list is another kind of value.
    package func layer() throws(PropertyListFault) -> [String: DefaultsValue] {
        guard case .dictionary(let members) = self else {
            throw PropertyListFault("the outermost value is no dictionary")
        }
        var layer: [String: DefaultsValue] = [:]
        for member in members { layer[member.key] = try member.value.inside() }
        return layer
    }

    /// The value as JSON inside an array or a dictionary, where nil has a text of its own.
    private func inside() throws(PropertyListFault) -> DefaultsValue {
        self == .string("$null") ? .null : try defaultsValue()
    }

    private static func number(_ real: Double) -> DefaultsValue {
        if let number = DefaultsNumber(real) { return .number(number) }
        return .string(real.isNaN ? "NaN" : real < 0 ? "-Infinity" : "Infinity")
    }
}
