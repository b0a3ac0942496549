import DefaultsStore
public import Synchronization

// Unchecked is sound because of the proof below.
/// A text that readers copy in one atomic step, or in none.
///
/// A copy of a `String` takes a reference to the object that holds its bytes. To take one safely while another thread
/// may release the object needs two atomic steps: one that keeps the object alive, and one that counts. Here they are
/// one: references are counted in advance, and a reader takes one of those. The idea is that of split reference
/// counts (Williams, "C++ Concurrency in Action", 7.2.4). A text without an object is two words, like any plain
/// value.
///
/// **Ownership.** `counter` holds the object's address divided by 16 in its lower 44 bits, and above them how many
/// references readers have taken. Of 65,536 references the slot owns those that are left. So a reader that adds one
/// to the number, and finds the address beside it in the same step, owns one reference. A writer that replaces the
/// address, in one step too, finds how many are left, and releases those. No reader can find an object with none
/// left: from the 32,768th on, each reader counts as many in advance again, and subtracts them from the number,
/// before it goes on. That would fail only with 32,768 threads between these two steps at one time.
///
/// **Consistency.** The seqlock of ``ValueCache``: a writer, which holds the slot's lock, sets `stamp` to 0, then, after
/// a release fence, changes the words and the counter, then sets the new stamp. A reader that finds anything of a
/// later text finds the stamp changed after its own fence. Then it discards the words, and releases the reference
/// that it has taken, no matter of which object. A reader that finds no address any more has added to a number that
/// nobody uses.
///
/// If there is no object, `second` is the text's second word, and guarded like `first`. If there is one, it is the
/// object's address, for tools that look for unreferenced memory (LeakSanitizer); nobody reads it.
///
/// In a forked child, a reference that another thread was about to take is never released: its memory is lost to that
/// child.
@usableFromInline
struct CountedText: ~Copyable, @unchecked Sendable {
    @usableFromInline let counter = Atomic<UInt64>(0)
    @usableFromInline let first = Atomic<UInt64>(0)
    /// The second word of the last text; 0 before there was one.
    @usableFromInline let second = Atomic<UInt64>(0)

    init() {}

    deinit {
        let counter = counter.load(ordering: .acquiring)
        if counter != 0, let counting = ReferenceCounting.ofTexts { CountedText.giveBack(counter, counting) }
    }
}

/// Reading, compiled into the caller.
extension CountedText {
    /// Returns a copy of the text; nil if there is none, or if it has been changed since `stamp` was found to be
    /// `moment`.
    @inlinable @inline(__always)
    func copy(_ stamp: borrowing Atomic<UInt64>, at moment: UInt64) -> String? {
        let first = first.load(ordering: .relaxed)
        if CountedText.object(counter.load(ordering: .relaxed)) == 0 {
            let second = second.load(ordering: .relaxed)
            atomicMemoryFence(ordering: .acquiring)
            guard stamp.load(ordering: .relaxed) == moment, second != 0 else { return nil }
            return CountedText.text(first, second)
        }
        let found = counter.wrappingAdd(1 << 44, ordering: .acquiring).oldValue
        atomicMemoryFence(ordering: .acquiring)
        guard stamp.load(ordering: .relaxed) == moment, found >> 44 < CountedText.ahead / 2 else {
            return rareCopy(first, found, stamp, at: moment)
        }
        return CountedText.text(first, CountedText.object(found))
    }

    /// How many references are counted in advance.
    @inlinable @inline(__always)
    static var ahead: UInt64 { 65_536 }

    /// Returns the address in a counter; 0 for none.
    @inlinable @inline(__always)
    static func object(_ counter: UInt64) -> UInt64 { (counter << 20) >> 16 }

    /// Returns the text of two words, which takes over the reference that the caller owns.
    @inlinable @inline(__always)
    static func text(_ first: UInt64, _ second: UInt64) -> String {
        var words = (first, second)
        // Unsafe is sound because they are the two words of one text, and nobody else makes a text of this reference.
        return withUnsafeMutableBytes(of: &words) {
            $0.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: String.self).move()
        }
    }

    /// Completes the copy of a reader that has taken one of the last references, or one of a text other than it was
    /// looking for.
    @usableFromInline @inline(never)
    func rareCopy(
        _ first: UInt64, _ found: UInt64, _ stamp: borrowing Atomic<UInt64>, at moment: UInt64
    ) -> String? {
        let object = CountedText.object(found)
        guard object != 0, let counting = ReferenceCounting.ofTexts else { return nil }
        if found >> 44 >= CountedText.ahead / 2 { countAhead(object, counting) }
        if stamp.load(ordering: .relaxed) == moment { return CountedText.text(first, object) }
        counting.release(object, 1)
        return nil
    }

    /// Counts in advance again, unless another reader has done so; the caller owns a reference.
    func countAhead(_ object: UInt64, _ counting: ReferenceCounting) {
        let half = CountedText.ahead / 2
        counting.retain(object, UInt32(half))
        var found = counter.load(ordering: .relaxed)
        // As long as the caller owns the object, no other one can have the same address.
        while CountedText.object(found) == object, found >> 44 >= half {
            let (isDone, other) = counter.compareExchange(
                expected: found, desired: found - half << 44, ordering: .acquiringAndReleasing)
            if isDone { return }
            found = other
        }
        counting.release(object, UInt32(half))
    }
}

/// Writing, by the thread that holds the slot's lock and has set the stamp to 0.
extension CountedText {
    /// Publishes a text to readers.
    ///
    /// - Parameter text: just made of bytes, so that nobody else has its object: references are counted in 30 bits,
    ///   and in advance by a step that is not atomic.
    /// - Returns: whether that was possible; not if its object has an address of more than 48 bits.
    @inline(__always)
    func put(_ text: String, _ counting: ReferenceCounting) -> Bool {
        withExtendedLifetime(text) {
            let words = TextWords(text)
            guard words.isUncounted || words.object != 0 else { return false }
            first.store(words.first, ordering: .relaxed)
            second.store(words.second, ordering: .relaxed)
            if words.isUncounted {
                CountedText.giveBack(counter.exchange(0, ordering: .acquiringAndReleasing), counting)
            } else {
                counting.retainAlone(words.object, UInt32(CountedText.ahead))
                let old = counter.exchange(words.object >> 4, ordering: .acquiringAndReleasing)
                CountedText.giveBack(old, counting)
            }
            return true
        }
    }

    /// Returns a copy of the current text.
    func current() -> String? {
        let (first, object) = (
            first.load(ordering: .relaxed), CountedText.object(counter.load(ordering: .relaxed))
        )
        guard object != 0 else {
            let second = second.load(ordering: .relaxed)
            return second == 0 ? nil : CountedText.text(first, second)
        }
        guard let counting = ReferenceCounting.ofTexts else { return nil }
        counting.retain(object, 1)
        return CountedText.text(first, object)
    }

    /// Releases what is left of the references that were counted in advance.
    @inline(__always)
    private static func giveBack(_ counter: UInt64, _ counting: ReferenceCounting) {
        let object = object(counter)
        if object != 0 { counting.release(object, UInt32(ahead - counter >> 44)) }
    }
}
