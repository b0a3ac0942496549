import DefaultsStore
import Synchronization

/// Keeping what was found.
extension HotSlot {
    /// The last finding, whether or not it still holds.
    var last: KeyFinding { kept.withLock { $0.finding } }

    /// The last finding, if it is that of the present state.
    var present: KeyFinding? {
        let finding = last
        return finding.stamp.isPresent ? finding : nil
    }

    /// Keeps a finding for the next reads.
    func keep<Value: Sendable>(_ finding: KeyFinding, _ type: Value.Type) {
        let fresh = HotSlot.isPlain(type) ? 0 : HotSlot.room(for: finding.value(type))
        let free = kept.withLock { kept -> (KeyFinding, [UInt]) in
            let old = kept.finding
            kept.finding = finding
            guard let moment = finding.stamp.moment, let freshness = finding.stamp.freshness,
                finding.refusal == nil, kept.isBefore(moment, UInt(bitPattern: freshness.cell))
            else { return (old, [fresh]) }
            if kept.fork != Fork.count { notes.clear() }
            (kept.moment, kept.cell, kept.fork) = (moment, UInt(bitPattern: freshness.cell), Fork.count)
            kept.release = HotSlot.release(type)
            begin(at: kept.cell)
            guard let value = finding.value(type) else {
                missing.store(moment, ordering: .sequentiallyConsistent)
                return (old, [])
            }
            if HotSlot.isPlain(type) { put(value) } else { replace(with: fresh, &kept.retired) }
            stamp.store(moment, ordering: .sequentiallyConsistent)
            return (old, takeUnnoted(&kept.retired))
        }
        for place in free.1 where place != 0 { HotSlot.release(type)(place) }
    }

    /// From here on no reader finds anything, until a new moment is set.
    private func begin(at place: UInt) {
        stamp.store(0, ordering: .sequentiallyConsistent)
        missing.store(0, ordering: .sequentiallyConsistent)
        cell.store(place, ordering: .sequentiallyConsistent)
    }

    private func put<Value>(_ value: Value) {
        var words: (UInt64, UInt64) = (0, 0)
        withUnsafeBytes(of: value) { bytes in
            // Unsafe is sound because `isPlain` was asked: the bytes are all there is to the value, and fit.
            withUnsafeMutableBytes(of: &words) { $0.copyMemory(from: bytes) }
        }
        first.store(words.0, ordering: .relaxed)
        second.store(words.1, ordering: .relaxed)
    }

    private func replace(with fresh: UInt, _ retired: inout [UInt]) {
        let old = place.exchange(fresh, ordering: .sequentiallyConsistent)
        if old != 0 { retired.append(old) }
    }

    /// Each is looked for once: a reader that notes it later finds another stamp.
    private func takeUnnoted(_ retired: inout [UInt]) -> [UInt] {
        let split = retired.partition { !notes.has($0) }
        defer { retired.removeSubrange(split...) }
        return Array(retired[split...])
    }

    /// Puts a value into memory of its own; 0 for none.
    private static func room<Value>(for value: Value?) -> UInt {
        guard let value else { return 0 }
        let place = UnsafeMutablePointer<Value>.allocate(capacity: 1)
        place.initialize(to: value)
        return UInt(bitPattern: place)
    }

    private static func release<Value>(_ type: Value.Type) -> @Sendable (UInt) -> Void {
        { place in
            guard let place = UnsafeMutablePointer<Value>(bitPattern: place) else { return }
            place.deinitialize(count: 1)
            place.deallocate()
        }
    }
}
