import Synchronization

/// An object that is created at its first use and found by one load, because none is released before its owner.
///
/// For what stays from then on. ``Published`` releases what was replaced, and its readers pay for that with four operations
/// that keep other processors waiting.
///
/// Beyond that it does what `AtomicLazyReference` does. The code of that type is in a library that cannot know the class,
/// so that its first use has the runtime instantiate its type, which takes a new process as long as opening several files.
package struct LazyReference<Object: AnyObject & Sendable>: ~Copyable, Sendable {
    private let address = Atomic<UInt>(0)

    package init() {}

    deinit {
        if let place = UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring)) {
            Unmanaged<Object>.fromOpaque(place).release()
        }
    }

    /// Nil if there is no object yet.
    package func load() -> Object? {
        // Unsafe is sound because the only address that is ever set is that of an object kept until the end.
        UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring))
            .map { Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Counts no reference; nil if there is no object yet.
    @inline(__always)
    func withLoaded<Value, Failure: Error>(
        _ body: (Object) throws(Failure) -> Value
    ) throws(Failure) -> Value? {
        guard let place = UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring)) else { return nil }
        // Unsafe is sound for the same reason.
        let outcome = Unmanaged<Object>.fromOpaque(place)._withUnsafeGuaranteedRef {
            object -> Result<Value, Failure> in
            do throws(Failure) { return .success(try body(object)) } catch { return .failure(error) }
        }
        return try outcome.get()
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
