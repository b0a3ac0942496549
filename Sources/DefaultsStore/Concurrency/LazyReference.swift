import Synchronization

/// An object that is created at its first use, and stays from then on.
///
/// It does what `AtomicLazyReference` does. The code of that type is in a library that cannot know the class, so that
/// its first use has the runtime instantiate its type, which takes a new process as long as opening several files.
package struct LazyReference<Object: AnyObject & Sendable>: ~Copyable, Sendable {
    private let address = Atomic<UInt>(0)

    package init() {}

    deinit {
        guard let place = UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring)) else { return }
        Unmanaged<Object>.fromOpaque(place).release()
    }

    /// Returns the object; nil if it has not been created yet.
    package func load() -> Object? {
        // Unsafe is sound because the only address that is ever set is that of an object which is kept until the end.
        UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring))
            .map { Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Keeps an object, unless another one is kept already.
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
