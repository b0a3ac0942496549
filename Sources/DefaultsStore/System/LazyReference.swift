import Synchronization

/// An object that somebody makes at its first use, and that stays from then on.
///
/// What `AtomicLazyReference` is. The code of that one stands in a library that cannot know the class, so that its first
/// use has the runtime put its type together, which takes a new process as long as opening a file does several times.
package struct LazyReference<Object: AnyObject & Sendable>: ~Copyable, Sendable {
    private let address = Atomic<UInt>(0)

    package init() {}

    deinit {
        guard let place = UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring)) else { return }
        Unmanaged<Object>.fromOpaque(place).release()
    }

    /// The object; nil where nobody has made it yet.
    package func load() -> Object? {
        // Unsafe is sound because the one address that is ever set is of an object that is kept until the end.
        UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring))
            .map { Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Keeps an object, unless another one is kept.
    ///
    /// - Returns: the one that is kept.
    package func storeIfNil(_ object: Object) -> Object {
        let kept = Unmanaged.passRetained(object)
        let (isFirst, _) = address.compareExchange(
            expected: 0, desired: UInt(bitPattern: kept.toOpaque()), ordering: .acquiringAndReleasing)
        if isFirst { return object }
        kept.release()
        return load() ?? object
    }
}
