/// A type that may be an `Optional`, if that is known only at run time.
///
/// ``optionalType(_:)`` finds out. The codec writes every nil as `null` and reads `null` as the outermost
/// nil; a key of `T??` distinguishes the two by `someNil`.
package protocol OptionalValue {
    /// Whether this is the outermost nil.
    var isNil: Bool { get }
    /// The outermost nil.
    static var nilValue: Self { get }
    /// `.some(nil)`, if the type is an optional of an optional.
    static var someNil: Self? { get }
    /// The wrapped type.
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

/// A type as an optional one; nil if it is not.
///
/// For a type that does not conform, the runtime searches the conformances of all libraries. In a new process
/// that costs as much as opening a suite, for each type. So structures, other enumerations and classes are
/// ruled out first.
package func optionalType(_ type: any Any.Type) -> (any OptionalValue.Type)? {
    mayBeOptional(type) ? type as? any OptionalValue.Type : nil
}

/// Whether a type may be an optional one, or contain one: false for structures, other enumerations and classes.
func mayBeOptional(_ type: any Any.Type) -> Bool {
    let kind = kind(of: type)
    return kind != kindOfStructures && kind != kindOfEnumerations && !(type is AnyObject.Type)
}

/// Whether a type is an enumeration, but no optional.
func isEnumeration(_ type: any Any.Type) -> Bool { kind(of: type) == kindOfEnumerations }

private let kindOfStructures = kind(of: Int.self)
private let kindOfEnumerations = kind(of: Never.self)

/// The number of a type's kind, with which the runtime's metadata begins.
///
/// If optionals shared the kind of other enumerations, `OptionalValueTests` would fail.
private func kind(of type: any Any.Type) -> UInt {
    // Sound because a type is the address of its metadata, as "Type Metadata" in the documents of Swift's ABI says,
    // and metadata is never freed.
    unsafeBitCast(type, to: UnsafePointer<UInt>.self).pointee
}
