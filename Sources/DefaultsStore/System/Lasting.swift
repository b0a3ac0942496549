import Synchronization

/// Objects of one class, of which the one set last counts: found by one load, since none goes before its owner does.
///
/// For what is hardly ever replaced, such as by a forked child. ``Published`` lets go of what was replaced, and its
/// readers pay for that with four steps that keep other processors waiting.
struct Lasting<Object: AnyObject & Sendable>: ~Copyable, Sendable {
    private let address = Atomic<UInt>(0)
    private let all = Locked<[Object]>([])  // A leaf: nothing is taken or called under it.

    /// The one set last, if any.
    var last: Object? { withLast { $0 } }

    /// Runs a body with the one set last, which need not be counted for that; nil where there is none.
    @inline(__always)
    func withLast<Value, Failure: Error>(
        _ body: (Object) throws(Failure) -> Value
    ) throws(Failure) -> Value? {
        guard let place = UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring)) else { return nil }
        // Unsafe is sound because `set` alone fills the address, with objects that stay in `all` as long as `self`.
        let outcome = Unmanaged<Object>.fromOpaque(place)._withUnsafeGuaranteedRef {
            object -> Result<Value, Failure> in
            do throws(Failure) { return .success(try body(object)) } catch { return .failure(error) }
        }
        return try outcome.get()
    }

    /// Sets the one that counts from here on.
    func set(_ object: Object) {
        all.withLock { $0.append(object) }
        address.store(UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()), ordering: .releasing)
    }
}
