import DefaultsStore

/// The JSON Schema of the stored values of a type that the library knows, or that lists its values.
///
/// It states only what is certain of every value, so that it rejects no value that would decode. Except that
/// `allCases` of an enumeration is assumed to be complete: a case that it leaves out cannot be seen from
/// outside. ``TypeSchema`` has the schemas of all other types.
enum ValueSchema {
    /// The most cases that are listed.
    private static let greatestNumberOfCases = 1_000

    /// The schema of a type; empty if the type does not determine it.
    static func of(_ type: any Any.Type) -> DefaultsObject {
        if let described = type as? any SchemaDescribed.Type { return described.schema }
        if let foundation = FoundationType(type) { return foundation.schema }
        guard type is any RawRepresentable.Type, let type = type as? any (CaseIterable & Encodable).Type,
            let cases = cases(of: type)
        else { return [:] }
        return ["enum": .array(cases)]
    }

    /// The schema of an enumeration with raw values that need not be `CaseIterable`; empty for any other type.
    static func ofRawValues(_ type: any Any.Type) -> DefaultsObject {
        guard let type = type as? any (RawRepresentable & Encodable).Type, let cases = rawCases(of: type)
        else {
            return [:]
        }
        return ["enum": .array(cases)]
    }

    private static func rawCases<Value: RawRepresentable & Encodable>(of type: Value.Type) -> [DefaultsValue]?
    {
        guard let all = EnumerationCases.all(of: type) else { return nil }
        return stored(all)
    }

    /// The values of a type that lists them, each as on a command line; nil for any other type.
    static func allowedTexts(of type: any Any.Type) -> [String]? {
        guard type is any RawRepresentable.Type, case .array(let cases) = of(type)["enum"] else { return nil }
        return cases.map(AllowedValues.text)
    }

    /// The values of a type in their stored form; nil if there are too many, or one cannot be stored.
    private static func cases<Value: CaseIterable & Encodable>(of type: Value.Type) -> [DefaultsValue]? {
        let all = Array(Value.allCases.prefix(greatestNumberOfCases + 1))
        // A type that is not an enumeration, such as an option set, has more values than its list.
        guard let first = all.first, Mirror(reflecting: first).displayStyle == .enum,
            all.count <= greatestNumberOfCases
        else { return nil }
        return stored(all)
    }

    private static func stored(_ all: [some Encodable]) -> [DefaultsValue]? {
        do { return try all.map { try EncodingPlace.root.encode($0) } } catch {
            // A case that cannot be encoded cannot be in a file either, but then nothing is certain about the
            // others.
            return nil
        }
    }

    /// Whether the values of a type are numbers, ordered as the numbers in the file are.
    static func isOfNumbers(_ type: any Any.Type) -> Bool {
        type is any Numeric.Type && (type is any SchemaDescribed.Type || FoundationType(type) == .decimal)
    }

    /// Whether each value of a type can be written in one way only, apart from the spelling of numbers.
    static func isWrittenInOneWay(_ type: any Any.Type) -> Bool {
        if type == Bool.self || type == String.self || isOfNumbers(type) { return true }
        return of(type)["enum"] != nil || !ofRawValues(type).isEmpty
    }

    /// The schema of a type, restricted by a validation.
    ///
    /// Two bounds exclude the words for non-finite numbers.
    static func narrowed(_ schema: DefaultsObject, by validation: DefaultsObject) -> DefaultsObject {
        let isFinite = validation["minimum"] != nil && validation["maximum"] != nil
        let kept = schema.compactMap { name, value -> DefaultsObject.Element? in
            guard isFinite, schema["pattern"] != nil else { return (name, validation[name] ?? value) }
            if name == "pattern" { return nil }
            guard name == "type", let types = value.array?.filter({ $0 != "string" }) else {
                return (name, validation[name] ?? value)
            }
            return (name, types.count == 1 ? types[0] : .array(types))
        }
        return DefaultsObject(kept + validation.filter { schema[$0.key] == nil })
    }

    /// The schema of values that may also be `null`.
    static func orNull(_ schema: DefaultsObject) -> DefaultsObject {
        DefaultsObject(
            schema.map { name, value in
                switch (name, value) {
                case ("enum", .array(let cases)):
                    (name, cases.contains(.null) ? value : .array(cases + [nil]))
                case ("oneOf", .array(let choices)):
                    (name, .array(choices.contains(ofNull) ? choices : choices + [ofNull]))
                case ("type", .array(let types)):
                    (name, .array(types.contains("null") ? types : types + ["null"]))
                case ("type", "null"): (name, value)
                case ("type", _): (name, [value, "null"])
                default: (name, value)
                }
            })
    }

    private static let ofNull: DefaultsValue = ["type": "null"]
}

/// A type that determines the shape of its values.
protocol SchemaDescribed {
    /// Its schema.
    static var schema: DefaultsObject { get }
}

extension Bool: SchemaDescribed {
    static var schema: DefaultsObject { ["type": "boolean"] }
}

extension String: SchemaDescribed {
    static var schema: DefaultsObject { ["type": "string"] }
}

/// The schemas of numbers.
extension ValueSchema {
    /// The schema of a whole number between two bounds.
    fileprivate static func whole(_ least: some BinaryInteger, _ greatest: some BinaryInteger)
        -> DefaultsObject
    {
        [
            "type": "integer", "minimum": .number(DefaultsNumber(least)),
            "maximum": .number(DefaultsNumber(greatest)),
        ]
    }

    /// The schema of a number, or of the words for those that JSON cannot represent.
    fileprivate static let floating: DefaultsObject = [
        "type": ["number", "string"], "pattern": "^(-?Infinity|NaN)$",
    ]
}

extension FixedWidthInteger where Self: SchemaDescribed {
    /// Whole numbers in the type's range.
    static var schema: DefaultsObject { ValueSchema.whole(min, max) }
}

extension BinaryFloatingPoint where Self: SchemaDescribed {
    /// Numbers, and the words for those that are not finite.
    static var schema: DefaultsObject { ValueSchema.floating }
}

extension Int: SchemaDescribed {}
extension Int8: SchemaDescribed {}
extension Int16: SchemaDescribed {}
extension Int32: SchemaDescribed {}
extension Int64: SchemaDescribed {}
extension Int128: SchemaDescribed {}
extension UInt: SchemaDescribed {}
extension UInt8: SchemaDescribed {}
extension UInt16: SchemaDescribed {}
extension UInt32: SchemaDescribed {}
extension UInt64: SchemaDescribed {}
extension UInt128: SchemaDescribed {}
extension Float: SchemaDescribed {}
extension Double: SchemaDescribed {}
