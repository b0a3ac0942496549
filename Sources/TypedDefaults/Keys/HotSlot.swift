public import DefaultsStore
public import Synchronization

// Unchecked is sound because everything is atomic or under a lock, and the one address in it leads to a cell, which
// is Sendable and never freed.
/// A key's value where reads find it: the fast path of `Defaults[.key]`, compiled into the caller.
///
/// A read compares one number with one sum (``FreshnessCell/moment``), and is done: no lock, no system call, no cast.
/// A plain value of up to 16 bytes is in two words, a string in a ``CountedText``, any other value in memory of its
/// own that readers borrow.
///
/// **Two words: a seqlock.** A writer, which holds the lock, sets `stamp` to 0, then, after a release fence, changes
/// the words, then sets the new stamp by a releasing store. A reader reads `stamp`, the words, and, after an acquire
/// fence, `stamp` again. A torn pair of words would be of two states; but because of the two fences, a reader that
/// finds a word of the later state also finds the stamp at 0 or later, and discards both. No stamp recurs: of one
/// cell only a later moment than the last one is ever kept, and a key gets another cell only in a forked child, whose
/// cells begin later than all of its parent's.
///
/// **Memory of its own: hazard pointers** (Michael, 2004). A reader notes the address of the value, then reads
/// `stamp` again: if it is unchanged, the value had not been replaced when the note was made. A writer sets `stamp`
/// to 0, replaces the address by a releasing store, which the reader's load of it acquires, and then checks the
/// notes. The note, the second read of `stamp`, its setting to 0 and the check of the notes are in one total order.
/// So a reader that found the stamp unchanged did so before it was set to 0, and its earlier note is seen: the value
/// is kept until the note is gone. A reader that found the new address finds the stamp at 0 or later. A reader that
/// finds all notes in use takes the slow path.
///
/// `missing` guards nothing but itself, so it is only set. A reader compares it with a sum that it has made before it
/// reads `missing`. If they are equal, the finding is of a state that was current during the call: not earlier,
/// because all earlier sums are lower, and not later, because it had been kept when `missing` was read. That requires
/// each kept moment to have been the sum of both numbers at one time, which the code that makes a state's moment
/// ensures (``SuiteStamp/moment``).
///
/// In a forked child there may be notes of threads that do not exist there. No read reaches a note before the child
/// has kept its first finding, because the cells of the parent's stores match nothing there; that first finding
/// clears them.
@usableFromInline
struct HotSlot: ~Copyable, @unchecked Sendable {
    /// The moment of the value; 0 for none.
    @usableFromInline let stamp = Atomic<UInt64>(0)
    /// The moment at which nothing is stored or registered, so that the key's own default counts; 0 for none.
    @usableFromInline let missing = Atomic<UInt64>(0)
    /// The address of the cell of the store in which the key was found; a number, because a pointer is checked at
    /// each load.
    @usableFromInline let cell = Atomic<UInt>(UInt(bitPattern: FreshnessCell.never))
    @usableFromInline let first = Atomic<UInt64>(0)
    @usableFromInline let second = Atomic<UInt64>(0)
    @usableFromInline let text = CountedText()
    /// The address of a value that does not fit into the words; 0 for none.
    @usableFromInline let place = Atomic<UInt>(0)
    @usableFromInline let notes = HazardNotes()
    let kept = TryLocked { Kept() }  // Lets go of nothing while it is locked, so no person's code runs there.

    /// What only the slow path uses.
    struct Kept: Sendable {
        var finding = KeyFinding.missing
        /// The state that the finding belongs to.
        var stamp = SuiteStamp.none
        /// Whether it is what the slot contains.
        var stands = false
        /// The values that were replaced while a reader had noted them.
        var retired: [UInt] = []
        /// The fingerprint of the plain string that was kept last.
        var fingerprint: UInt64 = 0
        /// A room that a value was moved out of; 0 for none.
        var spare: UInt = 0
        /// Releases a value, knowing its type.
        var release: (@Sendable (UInt) -> Void)?
        /// The moment and the cell of what stands in the slot.
        var moment: UInt64 = 0
        var cell: UInt = 0

        /// Whether a moment comes after the one of what stands in the slot.
        func isBefore(_ other: UInt64, _ place: UInt) -> Bool {
            cell != place || Int64(bitPattern: other &- moment) > 0
        }
    }

    init() {}

    deinit {
        // Nobody else holds the key any more, so nobody reads.
        let known = kept.withLockIfAvailable { ($0.retired, $0.spare, $0.release) }
        guard let (retired, spare, release) = known else { return }
        for place in retired + [place.load(ordering: .relaxed)] where place != 0 { release?(place) }
        UnsafeMutableRawPointer(bitPattern: spare)?.deallocate()
    }
}

/// Reading, compiled into the caller.
extension HotSlot {
    /// The moment of the known value, and then the current one: if they are equal the value counts, unless they are
    /// 0, which a damaged lock file may have made of the current one.
    @inlinable @inline(__always)
    var moments: (noted: UInt64, present: UInt64) {
        let noted = stamp.load(ordering: .acquiring)
        return (noted, moment)
    }

    /// Returns the value of a moment; nil if it is being replaced right now, or if too many threads read it.
    @inlinable @inline(__always)
    func value<Value: Sendable>(_ type: Value.Type, at moment: UInt64) -> Value? {
        if HotSlot.isPlain(type) { return words(type, at: moment) }
        guard type == String.self else { return borrowed(type, at: moment) }
        guard let text = text.copy(stamp, at: moment) else { return borrowedText(type, at: moment) }
        // Unchecked is sound because the two types are the same.
        return unsafeBitCast(text, to: type)
    }

    /// Returns a string on systems where the meaning of its words is unknown; otherwise nil.
    @inlinable @inline(never)
    func borrowedText<Value: Sendable>(_ type: Value.Type, at moment: UInt64) -> Value? {
        place.load(ordering: .relaxed) == 0 ? nil : borrowed(type, at: moment)
    }

    /// Whether it is known that nothing is stored or registered at a moment that the caller has found to be the
    /// current one.
    @inlinable @inline(__always)
    func isMissing(at moment: UInt64) -> Bool {
        moment != 0 && missing.load(ordering: .acquiring) == moment
    }

    /// Whether values of a type are kept in the two words.
    @inlinable @inline(__always)
    static func isPlain<Value>(_ type: Value.Type) -> Bool {
        _isPOD(type) && MemoryLayout<Value>.size <= 16 && MemoryLayout<Value>.alignment <= 8
    }

    /// The current moment of the store in which the key was found last.
    @inlinable @inline(__always)
    var moment: UInt64 {
        // Unsafe is sound because there is always a cell, and none is ever freed.
        UnsafePointer<FreshnessCell>(bitPattern: cell.load(ordering: .acquiring)).unsafelyUnwrapped.pointee
            .moment
    }

    /// Returns the value in the two words; nil if they were changed meanwhile.
    @inlinable @inline(__always)
    func words<Value>(_ type: Value.Type, at moment: UInt64) -> Value? {
        let words = (
            first.load(ordering: .relaxed),
            MemoryLayout<Value>.size > 8 ? second.load(ordering: .relaxed) : 0
        )
        atomicMemoryFence(ordering: .acquiring)
        guard stamp.load(ordering: .relaxed) == moment else { return nil }
        // Unsafe is sound because `isPlain` was checked: the bytes are all there is to the value, and fit.
        return withUnsafeBytes(of: words) { $0.load(as: type) }
    }

    /// Returns a copy of the value in memory of its own; nil if it was changed meanwhile, or if too many threads read
    /// it.
    @inlinable @inline(__always)
    func borrowed<Value: Sendable>(_ type: Value.Type, at moment: UInt64) -> Value? {
        let place = place.load(ordering: .acquiring)
        guard notes.take(notes.first, for: place) else {
            return borrowedBesideOthers(type, place, at: moment)
        }
        return borrowed(type, place, at: moment, notes.first)
    }

    @inlinable @inline(never)
    func borrowedBesideOthers<Value: Sendable>(_ type: Value.Type, _ place: UInt, at moment: UInt64) -> Value?
    {
        if notes.take(notes.second, for: place) { return borrowed(type, place, at: moment, notes.second) }
        if notes.take(notes.third, for: place) { return borrowed(type, place, at: moment, notes.third) }
        if notes.take(notes.fourth, for: place) { return borrowed(type, place, at: moment, notes.fourth) }
        return nil
    }

    @inlinable @inline(__always)
    func borrowed<Value: Sendable>(
        _ type: Value.Type, _ place: UInt, at moment: UInt64, _ note: borrowing Atomic<UInt>
    ) -> Value? {
        guard stamp.load(ordering: .sequentiallyConsistent) == moment else {
            note.store(0, ordering: .releasing)
            return nil
        }
        // Unsafe is sound because a noted address is that of a value of the key's type, which is alive.
        let value = copyOfBorrowed(UnsafePointer<Value>(bitPattern: place).unsafelyUnwrapped)
        note.store(0, ordering: .releasing)
        return value
    }
}

/// Returns a copy of a value that is noted.
///
/// In a function of its own and for all types at once, because the optimiser may move a retain past an atomic
/// operation, and out of a function that returns a value in registers. This one returns it in memory: when it does,
/// the copy is the caller's own, and the note may be removed.
@usableFromInline @inline(never) @_semantics("optimize.sil.specialize.generic.never")
func copyOfBorrowed<Value>(_ place: UnsafePointer<Value>) -> Value { place.pointee }
