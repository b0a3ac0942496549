import DefaultsStore
import TypedDefaults

/// The target of a watch: an object, weakly, or a value.
// Unchecked is sound because the object is a Sendable target, and the reference to it is never written.
struct WatchTarget<Target: Sendable>: @unchecked Sendable {
    /// The target, if its lifetime limits the watch.
    private(set) weak var object: AnyObject?
    private let value: Target?

    init(_ target: Target) {
        isObject = Target.self is AnyObject.Type
        object = isObject ? target as AnyObject : nil
        value = isObject ? nil : target
    }

    /// Whether the target is an object.
    let isObject: Bool

    /// The target; nil for a released object.
    var target: Target? { value ?? object as? Target }

    /// The object without its type.
    var owner: WatchOwner { WatchOwner(object: object, isObject: isObject) }
}

/// The object whose lifetime limits a watch, if there is one.
// Unchecked is sound because the object is a Sendable target, and the reference to it is never written.
struct WatchOwner: @unchecked Sendable {
    private(set) weak var object: AnyObject?
    private let isObject: Bool

    init(object: AnyObject?, isObject: Bool) {
        self.object = object
        self.isObject = isObject
    }

    /// Whether there was an object and it is released.
    var isGone: Bool { isObject && object == nil }
}

/// The identity of a target.
struct TargetIdentity: Hashable, Sendable {
    private enum Kind: Hashable {
        case object(ObjectIdentifier)
        case defaults(DefaultsSuite)
        /// All values of a type are one target.
        case value(ObjectIdentifier)
    }

    private let kind: Kind

    /// An object is the same target whatever its static type, which in a method of a base class is that
    /// class.
    init<Target>(_ target: Target) {
        if Target.self is AnyObject.Type {
            kind = .object(ObjectIdentifier(target as AnyObject))
        } else {
            kind =
                (target as? Defaults).map { .defaults($0.suite) } ?? .value(ObjectIdentifier(Target.self))
        }
    }
}
