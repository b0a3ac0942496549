import Synchronization

/// Keeps what a forked child inherits from its parent consistent, and distinguishes it from what is the child's own.
///
/// A child has a copy of all memory but only the thread that forked. Two rules make the library usable in it:
///
/// 1. No fork happens while any thread is inside ``holdingOff(_:)``: under a ``Locked``, or while it records a file that
///    it has opened. So in the child every list is intact and no ``Locked`` is left locked. Every inherited descriptor
///    and mapping that could keep a lock of the parent's held is known, and released there at once.
/// 2. What outlives a lock (stores with their locks, threads, observers) records the ``count`` under which it was
///    made. Under another count it is an ancestor's: it does nothing, and the child makes its own.
///
/// Nothing inside waits for a file system, because one that has stopped answering would keep the fork for ever. A fork
/// that finds no instant announces that it waits, and each thread then rests once before it enters. Proofs.md says why
/// this causes no deadlock.
package enum Fork {
    /// The bit that is set while a fork is under way; the bits below this one and the next count the threads inside.
    private static let underWay: UInt32 = 1 << 31
    /// The bit that is set while a fork waits for its instant.
    private static let isWanted: UInt32 = 1 << 30
    /// How long a thread rests then before it enters, in nanoseconds.
    private static let rest: UInt64 = 100_000
    private static let inside = Atomic<UInt32>(0)
    private static let forks = Atomic<UInt32>(0)
    private static let begun = Atomic<UInt32>(0)

    /// How many forks lie between the first process of the program and this one; it never changes within a process.
    @inline(__always)
    package static var count: UInt32 { forks.load(ordering: .relaxed) }

    /// How many forks this process has begun.
    ///
    /// Whoever finds, inside ``holdingOff(_:)``, what it has found before knows that there was none in between.
    static var countBegun: UInt32 { begun.load(ordering: .relaxed) }

    /// Runs a body during which no fork happens; it may be nested, and must not run user code.
    package static func holdingOff<Result: ~Copyable, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        enter()
        defer { leave() }
        return try body()
    }

    @inline(__always)
    static func enter() {
        let before = inside.wrappingAdd(1, ordering: .acquiring).oldValue
        if before & (underWay | isWanted) != 0 { makeRoom(before) }
    }

    @inline(__always)
    static func leave() { inside.wrappingSubtract(1, ordering: .releasing) }

    /// Lets a waiting fork go first, waits until a fork under way is over, and enters then.
    @inline(never)
    private static func makeRoom(_ found: UInt32) {
        var before = found
        if before & underWay == 0 {
            leave()
            SystemCalls.pause(nanoseconds: rest)
            before = inside.wrappingAdd(1, ordering: .acquiring).oldValue
        }
        while before & underWay != 0 {
            leave()
            SystemCalls.pause(nanoseconds: 20_000)
            before = inside.wrappingAdd(1, ordering: .acquiring).oldValue
        }
    }

    /// Makes forks obey the rules, once for the process and its children.
    static func arm() { _ = isArmed }

    private static let isArmed: Bool = {
        SystemCalls.atFork(
            before: { Fork.begin() }, inParent: { Fork.end() }, inChild: { Fork.begunChild() })
        return true
    }()

    private static func begin() {
        awaitInstant()
        begun.add(1, ordering: .relaxed)
    }

    private static func awaitInstant() {
        if inside.compareExchange(expected: 0, desired: underWay, ordering: .acquiring).exchanged { return }
        // Announced again each time: another thread's fork clears the bit when it begins.
        repeat {
            SystemCalls.pause(nanoseconds: 1_000)
            inside.bitwiseOr(isWanted, ordering: .relaxed)
        } while !inside.compareExchange(expected: isWanted, desired: underWay, ordering: .acquiring).exchanged
    }

    // Threads that check whether the fork is over count themselves in and out meanwhile.
    private static func end() { inside.bitwiseAnd(~underWay, ordering: .releasing) }

    /// The child's first step, on its only thread.
    private static func begunChild() {
        forks.add(1, ordering: .relaxed)
        // Threads of the parent that were checking whether the fork is over are not here to count themselves out.
        inside.store(0, ordering: .releasing)
        Descriptor.closeInherited()
        MappedPage.blankInherited()
        FreshnessCell.endInherited()
    }
}
