import DefaultsStore
import Synchronization

/// Keeping what was found.
///
/// A thread that finds another one doing so keeps nothing: the next read that finds nothing tries again.
extension HotSlot {
    /// Returns the last finding, which also holds in a later state if the key's text is the same.
    ///
    /// - Returns: the finding, and whether it is in the slot for the next reads: then only the stamp had to be
    ///   changed, whatever the size of the value. Nil if the text is another one.
    func renewed(at stamp: SuiteStamp, text: StoredValue?) -> (finding: KeyFinding, stands: Bool)? {
        // What only the old stamp may still hold is released after the lock.
        let looked = kept.withLockIfAvailable { kept -> ((finding: KeyFinding, stands: Bool)?, SuiteStamp) in
            let old = kept.stamp
            guard old.isOfSameStore(as: stamp),
                kept.finding.isOf(text, inItsState: old.isOfSameState(as: stamp))
            else { return (nil, old) }
            guard kept.stands, let moment = stamp.moment else { return ((kept.finding, false), old) }
            if kept.isBefore(moment, kept.cell) {
                (kept.stamp, kept.moment) = (stamp, moment)
                if text == nil {
                    missing.store(moment, ordering: .releasing)
                } else {
                    self.stamp.store(moment, ordering: .releasing)
                }
            }
            return ((kept.finding, true), old)
        }
        return looked?.0
    }

    /// Keeps a finding for the next reads.
    func keep<Value: Sendable>(_ finding: KeyFinding, at stamp: SuiteStamp, _ type: Value.Type) {
        // What was replaced is released after the lock.
        _ = kept.withLockIfAvailable { kept -> (Replaced<Value>, KeyFinding, SuiteStamp) in
            let old = (kept.finding, kept.stamp)
            (kept.finding, kept.stamp, kept.stands) = (finding, stamp, false)
            guard let moment = stamp.moment, let cell = stamp.freshness?.cell, finding.refusal == nil,
                kept.isBefore(moment, UInt(bitPattern: cell))
            else { return (Replaced(), old.0, old.1) }
            kept.stands = true
            return (put(finding.value(type), at: moment, UInt(bitPattern: cell), &kept), old.0, old.1)
        }
    }

    /// Keeps a value for the next reads, without its origin; nil for the key's own default.
    @inline(__always)
    func keep<Value: Sendable>(_ value: Value?, at moment: UInt64, _ cell: FreshnessCell.Place) {
        // What was replaced is released after the lock.
        _ = kept.withLockIfAvailable { kept -> (Replaced<Value>, SuiteStamp?) in
            guard kept.isBefore(moment, UInt(bitPattern: cell)) else { return (Replaced(), nil) }
            let old = kept.forgetFinding()
            return (put(value, at: moment, UInt(bitPattern: cell), &kept), old)
        }
    }

    /// Publishes a value to readers, nil if the default counts, together with its moment.
    ///
    /// - Parameter isOwn: whether nobody else has a reference to a text's memory.
    @inline(__always)
    func put<Value>(
        _ value: Value?, at moment: UInt64, _ place: UInt, _ kept: inout Kept, isOwn: Bool = false
    ) -> Replaced<Value> {
        kept.moment = moment
        if kept.cell != place { turn(to: place, &kept) }
        guard let value else {
            missing.store(moment, ordering: .releasing)
            return Replaced()
        }
        var replaced = Replaced<Value>()
        if HotSlot.isPlain(Value.self) {
            putPlain(value)
        } else if Value.self == String.self, let counting = ReferenceCounting.ofTextsFromNowOn() {
            // Sound because the two types are the same.
            guard putText(unsafeBitCast(value, to: String.self), isOwn: isOwn, counting) else {
                kept.stands = false
                return replaced
            }
        } else {
            replaced = putBorrowed(value, &kept)
        }
        stamp.store(moment, ordering: .releasing)
        return replaced
    }

    /// Has the moment read from another cell; no earlier moment is valid any more.
    @inline(never)
    private func turn(to place: UInt, _ kept: inout Kept) {
        notes.clear()
        kept.cell = place
        stamp.store(0, ordering: .sequentiallyConsistent)
        missing.store(0, ordering: .sequentiallyConsistent)
        cell.store(place, ordering: .sequentiallyConsistent)
    }

    @inline(__always)
    private func putPlain<Value>(_ value: Value) {
        var words: (UInt64, UInt64) = (0, 0)
        withUnsafeBytes(of: value) { bytes in
            // Unsafe is sound because `isPlain` was checked: the bytes are all there is to the value, and fit.
            withUnsafeMutableBytes(of: &words) { $0.copyMemory(from: bytes) }
        }
        stamp.store(0, ordering: .relaxed)
        atomicMemoryFence(ordering: .releasing)
        first.store(words.0, ordering: .relaxed)
        if MemoryLayout<Value>.size > 8 { second.store(words.1, ordering: .relaxed) }
    }

    @inline(__always)
    private func putText(_ value: String, isOwn: Bool, _ counting: ReferenceCounting) -> Bool {
        stamp.store(0, ordering: .relaxed)
        atomicMemoryFence(ordering: .releasing)
        return text.put(isOwn ? value : String(decoding: value.utf8, as: UTF8.self), counting)
    }

    @inline(__always)
    private func putBorrowed<Value>(_ value: Value, _ kept: inout Kept) -> Replaced<Value> {
        if kept.release == nil {
            kept.release = { address in
                // Unsafe is sound because only values of the key's type are put into rooms.
                let room = UnsafeMutablePointer<Value>(bitPattern: address)
                room?.deinitialize(count: 1)
                room?.deallocate()
            }
        }
        // Unsafe is sound because a spare room is one that a value of the key's type was moved out of.
        let fresh = UnsafeMutablePointer<Value>(bitPattern: kept.spare) ?? .allocate(capacity: 1)
        kept.spare = 0
        fresh.initialize(to: value)
        stamp.store(0, ordering: .sequentiallyConsistent)
        let old = place.load(ordering: .relaxed)
        place.store(UInt(bitPattern: fresh), ordering: .releasing)
        return retire(old, &kept)
    }

    /// Returns what may be released of the replaced value and of those before it.
    ///
    /// Each is checked against the notes once: a reader that notes it later finds another stamp.
    @inline(__always)
    private func retire<Value>(_ replaced: UInt, _ kept: inout Kept) -> Replaced<Value> {
        var gone = Replaced<Value>()
        if replaced != 0 {
            if notes.has(replaced) { kept.retired.append(replaced) } else { gone.first = kept.take(replaced) }
        }
        guard !kept.retired.isEmpty else { return gone }
        let split = kept.retired.partition { !notes.has($0) }
        let unread = kept.retired[split...]
        kept.retired.removeSubrange(split...)
        gone.others = unread.compactMap { kept.take($0) }
        return gone
    }

    /// Values that nobody reads any more.
    struct Replaced<Value> {
        /// The first one; usually there is no other.
        var first: Value?
        var others: [Value] = []
    }
}

extension HotSlot.Kept {
    /// Keeps nothing about the value's origin.
    ///
    /// - Returns: what is to be released after the lock; usually nothing, because the previous value was kept the
    ///   same way.
    @inline(__always)
    mutating func forgetFinding() -> SuiteStamp? {
        stands = false
        guard stamp.freshness != nil else { return nil }
        defer { stamp = .none }
        return stamp
    }

    /// Moves a value out of its room, which is kept for the next one.
    @inline(__always)
    fileprivate mutating func take<Value>(_ address: UInt) -> Value? {
        // Unsafe is sound because the caller has found the value in the slot or among the retired.
        guard let room = UnsafeMutablePointer<Value>(bitPattern: address) else { return nil }
        let value = room.move()
        if spare == 0 { spare = address } else { room.deallocate() }
        return value
    }
}
