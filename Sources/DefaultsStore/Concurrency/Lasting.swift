import Synchronization

/// Objects of one class, the last of which is in use: found by one load, because none is released before its owner.
///
/// For what is hardly ever replaced, for example by a forked child. ``Published`` releases what was replaced, and its
/// readers pay for that with four operations that keep other processors waiting.
struct Lasting<Object: AnyObject & Sendable>: ~Copyable, Sendable {
    private let address = Atomic<UInt>(0)
    private let all = Locked<[Object]>([])  // A leaf: nothing is taken or called under it.

    /// The object set last, if any.
    var last: Object? { withLast { $0 } }

    /// Runs a body with the object set last, without counting a reference; nil if there is none.
    @inline(__always)
    func withLast<Value, Failure: Error>(
        _ body: (Object) throws(Failure) -> Value
    ) throws(Failure) -> Value? {
        guard let place = UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring)) else { return nil }
        // Unsafe is sound because only `set` stores the address, of objects that stay in `all` as long as `self`.
        let outcome = Unmanaged<Object>.fromOpaque(place)._withUnsafeGuaranteedRef {
            object -> Result<Value, Failure> in
            do throws(Failure) { return .success(try body(object)) } catch { return .failure(error) }
        }
        return try outcome.get()
    }

    /// Sets the object in use from here on.
    func set(_ object: Object) {
        all.withLock { $0.append(object) }
        address.store(UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()), ordering: .releasing)
    }
}
