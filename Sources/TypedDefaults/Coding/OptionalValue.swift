/// What a key asks of a type that may be an `Optional`, when only the running program knows.
///
/// ``optionalType(_:)`` says whether it is one. The codec writes every nil as `null` and
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
        guard let inner = optionalType(Wrapped.self) else { return nil }
        return (inner.nilValue as? Wrapped).map { .some($0) }
    }
}

/// A type as an optional one; nil where it is none.
///
/// Of a type that does not conform, the runtime finds that out by looking through the conformances of all libraries,
/// which costs a new process as much as opening a suite, for each type. So structures, enumerations and classes are
/// told first.
func optionalType(_ type: any Any.Type) -> (any OptionalValue.Type)? {
    mayBeOptional(type) ? type as? any OptionalValue.Type : nil
}

/// Whether a type may be an optional one, or hold one: false for structures, other enumerations and classes.
func mayBeOptional(_ type: any Any.Type) -> Bool {
    let kind = kind(of: type)
    return kind != kindOfStructures && kind != kindOfEnumerations && !(type is AnyObject.Type)
}

private let kindOfStructures = kind(of: Int.self)
private let kindOfEnumerations = kind(of: Never.self)

/// The number that tells kinds of types apart, with which begins what the runtime knows of a type.
///
/// Were an optional of the kind of other enumerations, `OptionalValueTests` would fall.
private func kind(of type: any Any.Type) -> UInt {
    // Sound because a type is the address of that, as "Type Metadata" in the documents of Swift's ABI says, and it
    // stays.
    unsafeBitCast(type, to: UnsafePointer<UInt>.self).pointee
}
