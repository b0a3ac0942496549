/// What a key asks of a type that may be an `Optional`, when only the running program knows.
///
/// `Value.self as? any OptionalValue.Type` says whether it is one. The codec writes every nil as `null` and
/// reads `null` as the outermost nil; a key of `T??` tells the two apart with `someNil`.
package protocol OptionalValue {
    /// Whether this is the outermost nil.
    var isNil: Bool { get }
    /// The outermost nil.
    static var nilValue: Self { get }
    /// `.some(nil)`, where the type is an optional of an optional.
    static var someNil: Self? { get }
    /// The type of what it may hold.
    static var wrappedType: any Any.Type { get }
}

extension Optional: OptionalValue {
    package var isNil: Bool {
        switch self {
        case .none: true
        case .some: false
        }
    }

    package static var nilValue: Self { .none }

    package static var wrappedType: any Any.Type { Wrapped.self }

    package static var someNil: Self? {
        guard let inner = Wrapped.self as? any OptionalValue.Type else { return nil }
        return (inner.nilValue as? Wrapped).map { .some($0) }
    }
}
