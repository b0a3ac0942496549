public import DefaultsStore
public import Synchronization

// Unchecked is sound because everything is atomic or under a lock, and the one address in it leads to a cell, which
// is Sendable and never freed.
/// A key's value where reads find it: the fast path of `Defaults[.key]`, compiled into the caller.
///
/// A read compares one number with one sum (``FreshnessCell/version``), and is done: no lock, no system call,
/// no cast. A plain value of up to 16 bytes is in two words. Any other value is in its own memory, which
/// readers borrow.
///
/// - The two words are a seqlock: a reader never returns words of two states.
/// - Its own memory is guarded by hazard pointers (Michael, 2004): no value is released while it is copied.
/// - `missing` guards only itself: it was true at some time during the call.
///
/// Proofs.md has the proof of each. ``SuiteStamp/version`` says what the proofs need of a state's version.
@usableFromInline
struct ValueCache: ~Copyable, @unchecked Sendable {
    /// The version of the value; 0 for none.
    @usableFromInline let stamp = Atomic<UInt64>(0)
    /// The version at which nothing is stored or registered, so that the key's own default applies; 0 for
    /// none.
    @usableFromInline let missing = Atomic<UInt64>(0)
    /// The address of the cell of the store in which the key was found.
    ///
    /// A number, because a pointer is checked at each load.
    @usableFromInline let cell = Atomic<UInt>(UInt(bitPattern: FreshnessCell.never))
    @usableFromInline let first = Atomic<UInt64>(0)
    @usableFromInline let second = Atomic<UInt64>(0)
    /// The address of a value that does not fit into the words; 0 for none.
    @usableFromInline let place = Atomic<UInt>(0)
    @usableFromInline let hazards = HazardPointers()
    let kept = TryLocked(Kept())  // Lets go of nothing while it is locked, so no person's code runs there.

    /// The state of the slow path.
    struct Kept: Sendable {
        var finding = KeyFinding.missing
        /// The state that the finding belongs to.
        var stamp = SuiteStamp.none
        /// Whether the finding is in the slot.
        var stands = false
        /// The values that were replaced while a hazard pointer protected them.
        var retired: [UInt] = []
        /// Memory that a value was moved out of; 0 for none.
        var spare: UInt = 0
        /// Releases a value of the key's type.
        var release: (@Sendable (UInt) -> Void)?
        /// The version and the cell of the value in the slot.
        var version: UInt64 = 0
        var cell: UInt = 0

        /// Whether a version is newer than that of the value in the slot.
        func isBefore(_ other: UInt64, _ place: UInt) -> Bool {
            cell != place || Int64(bitPattern: other &- version) > 0
        }
    }

    init() {}

    deinit {
        // The key has no other reference, so no reader.
        let known = kept.withLockIfAvailable { ($0.retired, $0.spare, $0.release) }
        guard let (retired, spare, release) = known else { return }
        for place in retired + [place.load(ordering: .relaxed)] where place != 0 { release?(place) }
        UnsafeMutableRawPointer(bitPattern: spare)?.deallocate()
    }
}

/// Reading, compiled into the caller.
extension ValueCache {
    /// The version of the known value, then the current one.
    ///
    /// The value is current if the two are equal and not 0, which a damaged lock file may have made of the
    /// current one.
    @inlinable @inline(__always)
    var versions: (recorded: UInt64, present: UInt64) {
        let recorded = stamp.load(ordering: .acquiring)
        return (recorded, version)
    }

    /// Returns the value of a version; nil if it is being replaced right now, or if too many threads read it.
    @inlinable @inline(__always)
    func value<Value: Sendable>(_ type: Value.Type, at version: UInt64) -> Value? {
        ValueCache.isPlain(type) ? words(type, at: version) : borrowed(type, at: version)
    }

    /// Whether nothing is known to be stored or registered at a version that the caller has found to be
    /// current.
    @inlinable @inline(__always)
    func isMissing(at version: UInt64) -> Bool {
        version != 0 && missing.load(ordering: .acquiring) == version
    }

    /// Whether values of a type are kept in the two words.
    @inlinable @inline(__always)
    static func isPlain<Value>(_ type: Value.Type) -> Bool {
        _isPOD(type) && MemoryLayout<Value>.size <= 16 && MemoryLayout<Value>.alignment <= 8
    }

    /// The current version of the store in which the key was found last.
    @inlinable @inline(__always)
    var version: UInt64 {
        // Unsafe is sound because there is always a cell, and none is ever freed.
        UnsafePointer<FreshnessCell>(bitPattern: cell.load(ordering: .acquiring)).unsafelyUnwrapped.pointee
            .version
    }

    /// Returns the value in the two words; nil if they were changed meanwhile.
    @inlinable @inline(__always)
    func words<Value>(_ type: Value.Type, at version: UInt64) -> Value? {
        let words = (
            first.load(ordering: .relaxed),
            MemoryLayout<Value>.size > 8 ? second.load(ordering: .relaxed) : 0
        )
        atomicMemoryFence(ordering: .acquiring)
        guard stamp.load(ordering: .relaxed) == version else { return nil }
        // Unsafe is sound because `isPlain` was checked: the bytes are all there is to the value, and fit.
        return withUnsafeBytes(of: words) { $0.load(as: type) }
    }

    /// A copy of the value in its own memory; nil if it was changed meanwhile, or if too many threads read
    /// it.
    @inlinable @inline(__always)
    func borrowed<Value: Sendable>(_ type: Value.Type, at version: UInt64) -> Value? {
        let place = place.load(ordering: .acquiring)
        guard hazards.take(hazards.first, for: place) else {
            return borrowedBesideOthers(type, place, at: version)
        }
        return borrowed(type, place, at: version, hazards.first)
    }

    @inlinable @inline(never)
    func borrowedBesideOthers<Value: Sendable>(_ type: Value.Type, _ place: UInt, at version: UInt64)
        -> Value?
    {
        if hazards.take(hazards.second, for: place) {
            return borrowed(type, place, at: version, hazards.second)
        }
        if hazards.take(hazards.third, for: place) {
            return borrowed(type, place, at: version, hazards.third)
        }
        if hazards.take(hazards.fourth, for: place) {
            return borrowed(type, place, at: version, hazards.fourth)
        }
        return nil
    }

    @inlinable @inline(__always)
    func borrowed<Value: Sendable>(
        _ type: Value.Type, _ place: UInt, at version: UInt64, _ hazard: borrowing Atomic<UInt>
    ) -> Value? {
        guard stamp.load(ordering: .sequentiallyConsistent) == version else {
            hazard.store(0, ordering: .releasing)
            return nil
        }
        // Unsafe is sound because an address in a hazard pointer is that of a value of the key's type, which is alive.
        let value = copyOfBorrowed(UnsafePointer<Value>(bitPattern: place).unsafelyUnwrapped)
        hazard.store(0, ordering: .releasing)
        return value
    }
}

/// Returns a copy of a value that a hazard pointer protects.
///
/// One function for all types, and never inlined, because the optimiser may move a retain past an atomic
/// operation, and out of a function that returns a value in registers. This one returns it in memory: at its
/// return the copy belongs to the caller, and the hazard pointer is free again.
@usableFromInline @inline(never) @_semantics("optimize.sil.specialize.generic.never")
func copyOfBorrowed<Value>(_ place: UnsafePointer<Value>) -> Value { place.pointee }

/// Caching a finding.
///
/// A thread that finds another one doing so caches nothing: the next read that misses tries again.
extension ValueCache {
    /// Returns the last finding, which also holds in a later state if the key's text is the same.
    ///
    /// - Returns: the finding, and whether it is in the slot for the next reads. Then only the stamp had to
    ///   be changed, whatever the size of the value. Nil if the text is another one.
    func renewed(at stamp: SuiteStamp, text: StoredValue?) -> (finding: KeyFinding, stands: Bool)? {
        // Objects that only the old stamp refers to are released after the lock.
        let looked = kept.withLockIfAvailable { kept -> ((finding: KeyFinding, stands: Bool)?, SuiteStamp) in
            let old = kept.stamp
            guard old.isOfSameStore(as: stamp),
                kept.finding.isOf(text, inItsState: old.isOfSameState(as: stamp))
            else { return (nil, old) }
            guard kept.stands, let version = stamp.version else { return ((kept.finding, false), old) }
            if kept.isBefore(version, kept.cell) {
                (kept.stamp, kept.version) = (stamp, version)
                if text == nil {
                    missing.store(version, ordering: .releasing)
                } else {
                    self.stamp.store(version, ordering: .releasing)
                }
            }
            return ((kept.finding, true), old)
        }
        return looked?.0
    }

    /// Keeps a finding for the next reads.
    func keep<Value: Sendable>(_ finding: KeyFinding, at stamp: SuiteStamp, _ type: Value.Type) {
        // The replaced value is released after the lock.
        _ = kept.withLockIfAvailable { kept -> (Replaced<Value>, KeyFinding, SuiteStamp) in
            let old = (kept.finding, kept.stamp)
            (kept.finding, kept.stamp, kept.stands) = (finding, stamp, false)
            guard let version = stamp.version, let cell = stamp.freshness?.cell, finding.isSound,
                kept.isBefore(version, UInt(bitPattern: cell))
            else { return (Replaced(), old.0, old.1) }
            kept.stands = true
            return (put(finding.value(type), at: version, UInt(bitPattern: cell), &kept), old.0, old.1)
        }
    }

    /// Keeps a value for the next reads, without its origin; nil for the key's own default.
    @inline(__always)
    func keep<Value: Sendable>(_ value: Value?, at version: UInt64, _ cell: FreshnessCell.Place) {
        // The replaced value is released after the lock.
        _ = kept.withLockIfAvailable { kept -> (Replaced<Value>, SuiteStamp?) in
            guard kept.isBefore(version, UInt(bitPattern: cell)) else { return (Replaced(), nil) }
            let old = kept.forgetFinding()
            return (put(value, at: version, UInt(bitPattern: cell), &kept), old)
        }
    }

    /// Publishes a value, nil for the default, together with its version.
    @inline(__always)
    func put<Value>(_ value: Value?, at version: UInt64, _ place: UInt, _ kept: inout Kept) -> Replaced<Value>
    {
        kept.version = version
        if kept.cell != place { turn(to: place, &kept) }
        guard let value else {
            missing.store(version, ordering: .releasing)
            return Replaced()
        }
        var replaced = Replaced<Value>()
        if ValueCache.isPlain(Value.self) {
            putPlain(value)
        } else {
            replaced = putBorrowed(value, &kept)
        }
        stamp.store(version, ordering: .releasing)
        return replaced
    }

    /// Takes the version from the cell of the store, which has been opened since the last finding.
    @inline(never)
    private func turn(to place: UInt, _ kept: inout Kept) {
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
    private func putBorrowed<Value>(_ value: Value, _ kept: inout Kept) -> Replaced<Value> {
        if kept.release == nil {
            kept.release = { address in
                // Unsafe is sound because this memory only ever has values of the key's type.
                let room = UnsafeMutablePointer<Value>(bitPattern: address)
                room?.deinitialize(count: 1)
                room?.deallocate()
            }
        }
        // Unsafe is sound because a value of the key's type was moved out of the spare memory.
        let fresh = UnsafeMutablePointer<Value>(bitPattern: kept.spare) ?? .allocate(capacity: 1)
        kept.spare = 0
        fresh.initialize(to: value)
        stamp.store(0, ordering: .sequentiallyConsistent)
        let old = place.load(ordering: .relaxed)
        place.store(UInt(bitPattern: fresh), ordering: .releasing)
        return retire(old, &kept)
    }

    /// Returns those of the replaced and retired values that may be released.
    ///
    /// Each is checked against the hazard pointers once: a reader that publishes it later finds another
    /// stamp.
    @inline(__always)
    private func retire<Value>(_ replaced: UInt, _ kept: inout Kept) -> Replaced<Value> {
        var gone = Replaced<Value>()
        if replaced != 0 {
            if hazards.has(replaced) {
                kept.retired.append(replaced)
            } else {
                gone.first = kept.take(replaced)
            }
        }
        guard !kept.retired.isEmpty else { return gone }
        let split = kept.retired.partition { !hazards.has($0) }
        let unread = kept.retired[split...]
        kept.retired.removeSubrange(split...)
        gone.others = unread.compactMap { kept.take($0) }
        return gone
    }

    /// Values without a reader.
    struct Replaced<Value> {
        /// The first one; usually there is no other.
        var first: Value?
        var others: [Value] = []
    }
}

extension ValueCache.Kept {
    /// Drops the value's origin.
    ///
    /// - Returns: objects to release after the lock. Usually there are none, because the previous value was
    ///   cached the same way.
    @inline(__always)
    mutating func forgetFinding() -> SuiteStamp? {
        stands = false
        guard stamp.freshness != nil else { return nil }
        defer { stamp = .none }
        return stamp
    }

    /// Moves a value out of its memory, which is kept for the next one.
    @inline(__always)
    fileprivate mutating func take<Value>(_ address: UInt) -> Value? {
        // Unsafe is sound because the caller has found the value in the slot or among the retired.
        guard let room = UnsafeMutablePointer<Value>(bitPattern: address) else { return nil }
        let value = room.move()
        if spare == 0 { spare = address } else { room.deallocate() }
        return value
    }
}

/// Caching a plain string.
extension ValueCache {
    /// Returns the value of a plain JSON string and caches it for a `String` key; nil if the text is not
    /// plain.
    ///
    /// A string that is in the slot already is not created again.
    @inline(__always)
    func keepPlain(
        _ text: UnsafeBufferPointer<UInt8>, at version: UInt64, _ cell: FreshnessCell.Place
    ) -> String? {
        // With an escape, the same bytes would mean another string.
        guard let plain = PlainText(text) else { return nil }
        // The replaced value is released after the lock.
        let looked = kept.withLockIfAvailable { kept -> (value: String?, Replaced<String>, SuiteStamp?) in
            let place = UInt(bitPattern: cell)
            guard kept.isBefore(version, place) else { return (plain.string, Replaced(), nil) }
            let old = kept.forgetFinding()
            if kept.cell == place, let value = current(plain) {
                kept.version = version
                stamp.store(version, ordering: .releasing)
                return (value, Replaced(), old)
            }
            guard let made = plain.string else { return (nil, Replaced(), old) }
            return (made, put(made, at: version, place, &kept), old)
        }
        guard let looked else { return plain.string }
        return looked.value
    }

    /// Returns the string in the slot, if it has those bytes.
    @inline(__always)
    private func current(_ text: PlainText) -> String? {
        // Unsafe is sound because only the holder of the lock releases a value.
        guard let current = UnsafePointer<String>(bitPattern: place.load(ordering: .relaxed)),
            current.pointee.hasBytes(UnsafeRawBufferPointer(text.bytes))
        else { return nil }
        return current.pointee
    }
}
