/// The scalar types.
///
/// All are listed here, because to ask whether a type conforms makes the runtime search the conformances of
/// all libraries. In a new process that costs as much as opening a suite.
enum ScalarTypes {
    /// A type as a scalar one; nil if it is not.
    static func scalar(_ type: any Any.Type) -> (any ScalarCoded.Type)? {
        if let alone = alone(type) { return alone }
        // The optionals come later, since the first mention of each of them costs a new process time.
        return common(type) ?? signed(type) ?? unsigned(type)
    }

    /// A type if it is one of the most common.
    private static func alone(_ type: any Any.Type) -> (any ScalarCoded.Type)? {
        if type == Bool.self { return Bool.self }
        if type == Int.self { return Int.self }
        if type == Double.self { return Double.self }
        return type == String.self ? String.self : nil
    }

    private static func common(_ type: any Any.Type) -> (any ScalarCoded.Type)? {
        same(type, Bool.self) ?? same(type, Int.self) ?? same(type, Double.self) ?? same(type, String.self)
            ?? same(type, Float.self)
    }

    private static func signed(_ type: any Any.Type) -> (any ScalarCoded.Type)? {
        same(type, Int8.self) ?? same(type, Int16.self) ?? same(type, Int32.self) ?? same(type, Int64.self)
            ?? same(type, Int128.self)
    }

    private static func unsigned(_ type: any Any.Type) -> (any ScalarCoded.Type)? {
        same(type, UInt.self) ?? same(type, UInt8.self) ?? same(type, UInt16.self) ?? same(type, UInt32.self)
            ?? same(type, UInt64.self) ?? same(type, UInt128.self)
    }

    /// A scalar type or its optional, if the type is one of the two.
    private static func same<Scalar: ScalarCoded>(
        _ type: any Any.Type, _ scalar: Scalar.Type
    ) -> (any ScalarCoded.Type)? {
        if type == scalar { return scalar }
        return type == Scalar?.self ? Scalar?.self : nil
    }
}
