import Synchronization

/// Keeps what a forked child inherits from its parent consistent, and tells it from what is the child's own.
///
/// A child has a copy of all memory but only the thread that forked. Two rules make the library usable in it:
///
/// 1. No fork happens while any thread is inside ``holdingOff(_:)``: under a ``Locked``, between opening a file and
///    noting its number, or at the first look for functions of Swift's runtime. So every list is whole in the child, no ``Locked`` is left locked, and every inherited
///    descriptor and mapping is known and let go of there at once: each would keep a lock of the parent's held.
/// 2. What outlives a lock (stores with their gates, threads, observers) bears the ``count`` it was made under. Under
///    another count it is an ancestor's: it does nothing, and the child makes its own.
///
/// Proof that no deadlock comes of it. The thread that forks is inside nothing: no person's code runs there. It begins
/// only in an instant when nobody is inside, so it makes no thread wait that another one inside waits for; and those
/// who come meanwhile hold nothing of ours but a gate, which no handler of a fork takes. A fork may wait as long as an
/// opening of a file does.
///
/// Among many busy threads there would hardly be such an instant. So a fork that finds none says that it waits, and whoever
/// enters from then on rests first, once, many times as long as anybody is inside. Nobody is kept out: whoever is
/// inside already may have to enter again before the fork can begin.
package enum Fork {
    /// The bit that is set while a fork is under way; below it and the next one is how many threads are inside.
    private static let underWay: UInt32 = 1 << 31
    /// The bit that is set while a fork waits for its instant.
    private static let isWanted: UInt32 = 1 << 30
    /// How long whoever enters rests then, in nanoseconds.
    private static let rest: UInt64 = 100_000
    private static let inside = Atomic<UInt32>(0)
    private static let forks = Atomic<UInt32>(0)

    /// How many forks lie between the first process of the program and this one; never changes in a process.
    @inline(__always)
    package static var count: UInt32 { forks.load(ordering: .relaxed) }

    /// Runs a body that no fork comes in between; it may be nested, and may not run a person's code.
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

    /// Lets a fork go first that waits, waits until one that is under way is over, and is inside then.
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

    /// Sees to it that forks keep to the rules, once for the process and its children.
    static func arm() { _ = isArmed }

    private static let isArmed: Bool = {
        SystemCalls.atFork(
            before: { Fork.begin() }, inParent: { Fork.end() }, inChild: { Fork.begunChild() })
        return true
    }()

    private static func begin() {
        if inside.compareExchange(expected: 0, desired: underWay, ordering: .acquiring).exchanged { return }
        // Said again each time: another thread's fork takes it back when it begins.
        repeat {
            SystemCalls.pause(nanoseconds: 1_000)
            inside.bitwiseOr(isWanted, ordering: .relaxed)
        } while !inside.compareExchange(expected: isWanted, desired: underWay, ordering: .acquiring).exchanged
    }

    // Those who look whether the fork is over count themselves in and out meanwhile.
    private static func end() { inside.bitwiseAnd(~underWay, ordering: .releasing) }

    /// The child's first step, on its only thread.
    private static func begunChild() {
        forks.add(1, ordering: .relaxed)
        // Those of the parent who looked whether the fork is over are not here to count themselves out.
        inside.store(0, ordering: .releasing)
        Descriptor.closeInherited()
        MappedPage.blankInherited()
        FreshnessCell.endInherited()
    }
}
