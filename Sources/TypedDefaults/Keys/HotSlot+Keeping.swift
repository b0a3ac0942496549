import DefaultsStore
import Synchronization

/// Keeping what was found.
extension HotSlot {
    /// The last finding, which holds in a later state too where the key's text is what it was.
    ///
    /// - Returns: the finding, and whether it stands in the slot for the next reads: then only the stamp had to change,
    ///   whatever the value takes. Nil where the text is another one.
    func renewed(at stamp: SuiteStamp, text: StoredValue?) -> (finding: KeyFinding, stands: Bool)? {
        // What the old stamp may be the last to hold goes when the lock is given back.
        let (known, _) = kept.withLock { kept -> ((finding: KeyFinding, stands: Bool)?, SuiteStamp) in
            let old = kept.stamp
            guard old.isOfSameStore(as: stamp), kept.finding.isOf(text) else { return (nil, old) }
            guard kept.stands, let moment = stamp.moment else { return ((kept.finding, false), old) }
            if kept.isBefore(moment, kept.cell) {
                (kept.stamp, kept.moment) = (stamp, moment)
                if text == nil {
                    missing.store(moment, ordering: .sequentiallyConsistent)
                } else {
                    self.stamp.store(moment, ordering: .sequentiallyConsistent)
                }
            }
            return ((kept.finding, true), old)
        }
        return known
    }

    /// Keeps a finding for the next reads.
    func keep<Value: Sendable>(_ finding: KeyFinding, at stamp: SuiteStamp, _ type: Value.Type) {
        let fresh = HotSlot.isPlain(type) ? 0 : HotSlot.room(for: finding.value(type))
        // The old finding and its stamp go when the lock is given back.
        let (free, _) = kept.withLock { kept -> (Freed, (KeyFinding, SuiteStamp)) in
            let old = (kept.finding, kept.stamp)
            (kept.finding, kept.stamp, kept.stands) = (finding, stamp, false)
            guard let moment = stamp.moment, let freshness = stamp.freshness,
                finding.refusal == nil, kept.isBefore(moment, UInt(bitPattern: freshness.cell))
            else { return (Freed(first: fresh), old) }
            begin(at: moment, UInt(bitPattern: freshness.cell), &kept)
            kept.stands = true
            guard let value = finding.value(type) else {
                missing.store(moment, ordering: .sequentiallyConsistent)
                return (Freed(), old)
            }
            let replaced = put(value, fresh, &kept)
            self.stamp.store(moment, ordering: .sequentiallyConsistent)
            return (retire(replaced, &kept), old)
        }
        free.release(type)
    }

    /// Keeps a value for the next reads, and nothing of where it came from; nil for the key's own default.
    @inline(__always)
    func keep<Value: Sendable>(_ value: Value?, at moment: UInt64, _ cell: FreshnessCell.Place) {
        let (free, _) = kept.withLock { kept -> (Freed, SuiteStamp?) in
            guard kept.isBefore(moment, UInt(bitPattern: cell)) else { return (Freed(), nil) }
            // Mostly there is none: what was kept before was kept this way too.
            let old = kept.stamp.freshness == nil ? nil : kept.stamp
            if old != nil { kept.stamp = .none }
            kept.stands = false
            guard let value else {
                begin(at: moment, UInt(bitPattern: cell), &kept)
                missing.store(moment, ordering: .sequentiallyConsistent)
                return (Freed(), old)
            }
            let isThere = isThere(value)
            let fresh = HotSlot.isPlain(Value.self) || isThere ? 0 : HotSlot.room(for: value)
            begin(at: moment, UInt(bitPattern: cell), &kept)
            let replaced = isThere ? 0 : put(value, fresh, &kept)
            stamp.store(moment, ordering: .sequentiallyConsistent)
            return (retire(replaced, &kept), old)
        }
        free.release(Value.self)
    }

    /// Whether the very same text stands in the slot already.
    @inline(__always)
    private func isThere<Value>(_ value: Value) -> Bool {
        guard Value.self == String.self,
            let place = UnsafePointer<String>(bitPattern: place.load(ordering: .relaxed))
        else { return false }
        // Unsafe is sound because the two types are the same, and only the holder of the lock lets go of a value.
        return place.pointee.hasBytes(of: unsafeBitCast(value, to: String.self))
    }

    /// From here on no reader finds anything, until a new moment is set.
    private func begin(at moment: UInt64, _ place: UInt, _ kept: inout Kept) {
        if kept.fork != Fork.count { notes.clear() }
        (kept.moment, kept.cell, kept.fork) = (moment, place, Fork.count)
        stamp.store(0, ordering: .sequentiallyConsistent)
        missing.store(0, ordering: .sequentiallyConsistent)
        cell.store(place, ordering: .sequentiallyConsistent)
    }

    /// Puts a value where readers find it.
    ///
    /// - Parameter fresh: where it stands already, if it does not fit into the words.
    /// - Returns: where the value stands that it replaces; 0 for nowhere.
    @inline(__always)
    private func put<Value>(_ value: Value, _ fresh: UInt, _ kept: inout Kept) -> UInt {
        guard HotSlot.isPlain(Value.self) else {
            if kept.release == nil { kept.release = { Freed(first: $0).release(Value.self) } }
            return place.exchange(fresh, ordering: .sequentiallyConsistent)
        }
        var words: (UInt64, UInt64) = (0, 0)
        withUnsafeBytes(of: value) { bytes in
            // Unsafe is sound because `isPlain` was asked: the bytes are all there is to the value, and fit.
            withUnsafeMutableBytes(of: &words) { $0.copyMemory(from: bytes) }
        }
        first.store(words.0, ordering: .relaxed)
        second.store(words.1, ordering: .relaxed)
        return 0
    }

    /// What may go of a value that was replaced and of those before it.
    ///
    /// Each is looked for once: a reader that notes it later finds another stamp.
    private func retire(_ replaced: UInt, _ kept: inout Kept) -> Freed {
        var freed = Freed()
        if replaced != 0 {
            if notes.has(replaced) { kept.retired.append(replaced) } else { freed.first = replaced }
        }
        guard !kept.retired.isEmpty else { return freed }
        let split = kept.retired.partition { !notes.has($0) }
        freed.others = Array(kept.retired[split...])
        kept.retired.removeSubrange(split...)
        return freed
    }

    /// Puts a value into memory of its own; 0 for none.
    private static func room<Value>(for value: Value?) -> UInt {
        guard let value else { return 0 }
        let place = UnsafeMutablePointer<Value>.allocate(capacity: 1)
        place.initialize(to: value)
        return UInt(bitPattern: place)
    }

    /// Values that nobody reads any more.
    private struct Freed: Sendable {
        /// The one there mostly is; 0 for none.
        var first: UInt = 0
        var others: [UInt] = []

        @inline(__always)
        func release<Value>(_ type: Value.Type) {
            if first != 0 { Freed.release(first, type) }
            for place in others { Freed.release(place, type) }
        }

        private static func release<Value>(_ place: UInt, _ type: Value.Type) {
            guard let place = UnsafeMutablePointer<Value>(bitPattern: place) else { return }
            place.deinitialize(count: 1)
            place.deallocate()
        }
    }
}
