import Synchronization

/// The current version of an immutable object of one class: read without a lock, replaced in one step.
package struct Published<Object: AnyObject & Sendable>: Sendable {
    private let cell: VersionCell

    package init(_ object: Object) { cell = VersionCell(object) }

    /// Never waits.
    package func load() -> Object {
        // Unchecked is sound because only `init` and `store` fill the cell, with objects of this class.
        unsafeDowncast(cell.load(), to: Object.self)
    }

    /// Counts no reference and never waits; the body must be short.
    @inline(__always)
    func withPresent<Result>(_ body: (Object) -> Result) -> Result {
        // Unchecked is sound because only `init` and `store` fill the cell, with objects of this class.
        cell.withPresent { version in
            version._withUnsafeGuaranteedRef { body(unsafeDowncast($0, to: Object.self)) }
        }
    }

    func isPresent(_ object: Object) -> Bool { cell.isPresent(object) }

    /// Replaces the current version.
    ///
    /// - Returns: what is to be released, with no lock held.
    package func store(_ object: Object) -> DisplacedVersions { cell.store(object) }
}

/// Versions that were replaced and that nobody reads any more; they end with this value, so it has to leave every
/// lock that the caller holds.
package struct DisplacedVersions: Sendable {
    /// Usually the only one.
    fileprivate var first: (any AnyObject & Sendable)?
    fileprivate var others: [any AnyObject & Sendable] = []

    package init() {}
}

/// What ``Published`` does, for objects of any class: not generic, so that a client's generic code pays for no metadata on
/// its way here.
///
/// A reader waits for nobody, and nobody waits for a reader. The idea is read-copy-update with two reader counts, as
/// in liburcu, but with a list of versions that are not released yet instead of waiting for readers.
///
/// Proof that no reader gets a released object. A version leaves the list only after each of the two counts was seen
/// at zero later than the exchange that removed the version from `pointer`. A reader counts itself in before it loads
/// `pointer`, and out after it has retained what it found, or has finished with it. All these operations are
/// sequentially consistent. So a reader that found the version had counted itself in before the exchange. A zero of
/// its count seen after the exchange means that it has counted itself out, and so holds a reference of its own, or
/// needs none. A reader that counts itself in after the exchange finds a later version. `turn` plays no part in this:
/// it only sends new readers to the other count, so that each count reaches zero.
private final class VersionCell: Sendable {
    private struct Retired {
        let address: UInt
        var seenIdle: (Bool, Bool) = (false, false)
    }

    private let pointer: Atomic<UInt>
    private let turn = Atomic<Int>(0)
    private let evenReaders = Atomic<Int>(0)
    private let oddReaders = Atomic<Int>(0)
    // A leaf: nothing else is taken under it, and nothing is released.
    private let retired = Locked<[Retired]>([])
    /// Whether the list may have a version: a check that comes too late leaves it to the next store.
    private let hasRetired = Atomic<Bool>(false)

    init(_ object: any AnyObject & Sendable) {
        pointer = Atomic(VersionCell.address(retaining: object))
    }

    deinit {
        // Nobody else holds `self` any more, so no reader is inside.
        let left = retired.withLock { $0.map(\.address) }
        for address in left + [pointer.load(ordering: .sequentiallyConsistent)] {
            _ = VersionCell.owned(address)
        }
    }

    /// - Cost: three atomic operations and a retain; never waits.
    func load() -> any AnyObject & Sendable {
        if turn.load(ordering: .relaxed) & 1 == 0 { return load(countedBy: evenReaders) }
        return load(countedBy: oddReaders)
    }

    /// Runs a body with the current version, which stays alive while the body runs, without counting a reference.
    ///
    /// - Parameter body: usually short, because what is replaced meanwhile is kept until the next replacement; it
    ///   must not run user code.
    /// - Cost: two atomic operations; never waits.
    @inline(__always)
    func withPresent<Result>(_ body: (Unmanaged<AnyObject>) -> Result) -> Result {
        let isEven = turn.load(ordering: .relaxed) & 1 == 0
        if isEven {
            evenReaders.wrappingAdd(1, ordering: .sequentiallyConsistent)
        } else {
            oddReaders.wrappingAdd(1, ordering: .sequentiallyConsistent)
        }
        defer {
            if isEven {
                evenReaders.wrappingSubtract(1, ordering: .sequentiallyConsistent)
            } else {
                oddReaders.wrappingSubtract(1, ordering: .sequentiallyConsistent)
            }
        }
        return body(VersionCell.unmanaged(pointer.load(ordering: .sequentiallyConsistent)))
    }

    /// Compares addresses; the caller holds the version.
    func isPresent(_ object: any AnyObject & Sendable) -> Bool {
        pointer.load(ordering: .sequentiallyConsistent)
            == UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    }

    /// Replaces the current version.
    ///
    /// - Returns: what is to be released now: usually the old version, or some before it. One that is being read is
    ///   returned by a later replacement.
    func store(_ object: any AnyObject & Sendable) -> DisplacedVersions {
        let old = pointer.exchange(VersionCell.address(retaining: object), ordering: .sequentiallyConsistent)
        var displaced = DisplacedVersions()
        // Usually both counts are at zero here, later than the exchange: no reader is using the old version.
        if !hasRetired.load(ordering: .relaxed), areIdle == (true, true) {
            displaced.first = VersionCell.owned(old)
            return displaced
        }
        let free = retired.withLock { list in
            list.append(Retired(address: old))
            defer { hasRetired.store(!list.isEmpty, ordering: .relaxed) }
            return takeUnread(&list)
        }
        displaced.others = free.compactMap(VersionCell.owned)
        return displaced
    }

    private var areIdle: (Bool, Bool) {
        (
            evenReaders.load(ordering: .sequentiallyConsistent) == 0,
            oddReaders.load(ordering: .sequentiallyConsistent) == 0
        )
    }

    private func load(countedBy count: borrowing Atomic<Int>) -> any AnyObject & Sendable {
        count.wrappingAdd(1, ordering: .sequentiallyConsistent)
        let object = VersionCell.strong(pointer.load(ordering: .sequentiallyConsistent))
        count.wrappingSubtract(1, ordering: .sequentiallyConsistent)
        return object
    }

    /// Removes from the list the versions that no reader can be using any more.
    private func takeUnread(_ list: inout [Retired]) -> [UInt] {
        let idle = areIdle
        turn.add(1, ordering: .relaxed)
        for index in list.indices {
            list[index].seenIdle.0 = list[index].seenIdle.0 || idle.0
            list[index].seenIdle.1 = list[index].seenIdle.1 || idle.1
        }
        let free = list.filter { $0.seenIdle == (true, true) }.map(\.address)
        list.removeAll { $0.seenIdle == (true, true) }
        return free
    }

    private static func address(retaining object: any AnyObject & Sendable) -> UInt {
        UInt(bitPattern: Unmanaged.passRetained(object).toOpaque())
    }

    /// Returns a reference of the caller's own.
    ///
    /// Never inlined, because the optimiser may move a retain past an atomic operation but not out of a function that
    /// returns the object owned; the reader must hold it before it counts itself out.
    @inline(never)
    private static func strong(_ address: UInt) -> any AnyObject & Sendable {
        // Unchecked is sound because only objects that are Sendable are published.
        unsafeBitCast(unmanaged(address).takeUnretainedValue(), to: (any AnyObject & Sendable).self)
    }

    private static func unmanaged(_ address: UInt) -> Unmanaged<AnyObject> {
        guard let opaque = UnsafeRawPointer(bitPattern: address) else {
            preconditionFailure("a published version always has an address")
        }
        return Unmanaged<AnyObject>.fromOpaque(opaque)
    }

    /// Returns the cell's own reference to a version that it has no more.
    private static func owned(_ address: UInt) -> (any AnyObject & Sendable)? {
        guard let opaque = UnsafeRawPointer(bitPattern: address) else { return nil }
        return Unmanaged<any AnyObject & Sendable>.fromOpaque(opaque).takeRetainedValue()
    }
}
