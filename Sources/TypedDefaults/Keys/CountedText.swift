import DefaultsStore
public import Synchronization

// Unchecked is sound because of the proof below.
/// A text that readers take a copy of in one atomic step, or in none.
///
/// A copy of a `String` takes a reference to the object that has its bytes. To take one safely of an object that another
/// thread may let go of needs two atomic steps: one that keeps the object meanwhile, one that counts. Here they are one:
/// references are counted ahead, and a reader takes one of those. The idea is that of split reference counts (Williams,
/// "C++ Concurrency in Action", 7.2.4). A text with nothing to count lies in two words, as any plain value.
///
/// **What is owned.** `counter` has the object's address divided by 16 in its lower 44 bits, and above them how many
/// references readers have taken. Of 65,536 references the slot owns what is left. So whoever adds one to the number, and
/// finds the address beside it in the same step, owns one reference; whoever replaces the address, in one step too, finds
/// how many there are left, and gives those back. No reader can come upon an object with none left: from 32,768 on,
/// each one counts as many ahead again and takes them off the number, before it goes on. That would fail with 32,768
/// threads between these two steps at one time.
///
/// **What is whole.** The seqlock of ``HotSlot``: a writer, alone under the slot's lock, sets `stamp` to 0, then, behind a
/// fence that releases, changes the words and the counter, then sets the new stamp. A reader that finds anything of a
/// later text finds the stamp changed behind its own fence. Then it drops the words, and gives back a reference that it
/// has taken, whosever object that is of. One that finds no address any more has added to a number that nobody asks for.
///
/// Where nothing is counted, `second` is that of the text, and guarded like `first`. Where something is, it is the object's
/// address, for those who look for memory that nobody refers to (LeakSanitizer): nobody reads it.
///
/// In a forked child a reference that another thread was about to take is never given back: its memory is lost to that
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

/// Reading, in the caller's code.
extension CountedText {
    /// A copy of the text; nil where there is none, or it was changed since `stamp` had been found to be `moment`.
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

    /// How many references are counted ahead.
    @inlinable @inline(__always)
    static var ahead: UInt64 { 65_536 }

    /// The address in a counter; 0 for none.
    @inlinable @inline(__always)
    static func object(_ counter: UInt64) -> UInt64 { (counter << 20) >> 16 }

    /// The text of two words, and with it the reference that the caller owns.
    @inlinable @inline(__always)
    static func text(_ first: UInt64, _ second: UInt64) -> String {
        var words = (first, second)
        // Unsafe is sound because they are the two words of one text, and nobody else makes a text of this reference.
        return withUnsafeMutableBytes(of: &words) {
            $0.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: String.self).move()
        }
    }

    /// The copy of a reader that has taken one of the last references, or one of a text that is not what it looked for.
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

    /// Counts ahead again, unless somebody else has done so; the caller owns a reference.
    func countAhead(_ object: UInt64, _ counting: ReferenceCounting) {
        let half = CountedText.ahead / 2
        counting.retain(object, UInt32(half))
        var found = counter.load(ordering: .relaxed)
        // An object that the caller owns is no other one at the same address.
        while CountedText.object(found) == object, found >> 44 >= half {
            let (isDone, other) = counter.compareExchange(
                expected: found, desired: found - half << 44, ordering: .acquiringAndReleasing)
            if isDone { return }
            found = other
        }
        counting.release(object, UInt32(half))
    }
}

/// Keeping, by the one who holds the slot's lock and has set the stamp to 0.
extension CountedText {
    /// Puts a text where readers find it.
    ///
    /// - Parameter text: just made of bytes, so that nobody else has its object: references are counted in 30 bits, and
    ///   ahead by a step that is not atomic.
    /// - Returns: whether it could be; not where its object has an address of more than 48 bits.
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

    /// A copy of what stands there.
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

    /// Gives back what is left of the references that were counted ahead.
    @inline(__always)
    private static func giveBack(_ counter: UInt64, _ counting: ReferenceCounting) {
        let object = object(counter)
        if object != 0 { counting.release(object, UInt32(ahead - counter >> 44)) }
    }
}
