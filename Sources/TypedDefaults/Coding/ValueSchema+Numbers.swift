import DefaultsStore

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
