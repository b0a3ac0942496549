import Synchronization

/// An object that is created at its first use and found by one load, because none is released before its owner.
///
/// For what stays from then on, or is hardly ever replaced, for example by a forked child. ``Published`` releases what was
/// replaced, and its readers pay for that with four operations that keep other processors waiting.
///
/// Beyond that it does what `AtomicLazyReference` does. The code of that type is in a library that cannot know the class,
/// so that its first use has the runtime instantiate its type, which takes a new process as long as opening several files.
package struct LazyReference<Object: AnyObject & Sendable>: ~Copyable, Sendable {
    private let address = Atomic<UInt>(0)
    /// The address of the list of those that were replaced; 0 for none.
    private let earlier = Atomic<UInt>(0)

    package init() {}

    deinit {
        if let place = UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring)) {
            Unmanaged<Object>.fromOpaque(place).release()
        }
        if let place = UnsafeRawPointer(bitPattern: earlier.load(ordering: .acquiring)) {
            Unmanaged<Earlier>.fromOpaque(place).release()
        }
    }

    /// Returns the object; nil if there is none yet.
    package func load() -> Object? {
        // Unsafe is sound because the only addresses that are ever set are those of objects kept until the end.
        UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring))
            .map { Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Runs a body with the object, without counting a reference; nil if there is none yet.
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

    /// Puts an object in place of the one that is there; by one thread at a time.
    package func replace(with object: Object) {
        let fresh = UInt(bitPattern: Unmanaged.passRetained(object).toOpaque())
        let old = address.exchange(fresh, ordering: .acquiringAndReleasing)
        guard let place = UnsafeRawPointer(bitPattern: old) else { return }
        let before = UnsafeRawPointer(bitPattern: earlier.load(ordering: .relaxed))
        // Both references, which were counted when they were stored, are the list's from here on.
        let list = Earlier(
            Unmanaged<Object>.fromOpaque(place).takeRetainedValue(),
            before.map { Unmanaged<Earlier>.fromOpaque($0).takeRetainedValue() })
        earlier.store(UInt(bitPattern: Unmanaged.passRetained(list).toOpaque()), ordering: .releasing)
    }
}

/// What was replaced, and what before it.
private final class Earlier: Sendable {
    private let object: any AnyObject & Sendable
    private let next: Earlier?

    init(_ object: any AnyObject & Sendable, _ next: Earlier?) { (self.object, self.next) = (object, next) }
}
