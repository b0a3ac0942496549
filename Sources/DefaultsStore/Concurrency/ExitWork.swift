import Synchronization

/// What is done when the program ends, by another thread than the one that ends it.
///
/// A signal's handler may call `exit`, so the thread that ends the program may have been interrupted anywhere: under a
/// lock of the library's, or in the midst of an allocation. It takes no lock and no memory here; it wakes a thread
/// of the event loop, and waits for a limited time.
enum ExitWork {
    private final class Body<Value>: Sendable {
        let run: @Sendable (Value) -> Void
        init(_ run: @escaping @Sendable (Value) -> Void) { self.run = run }
    }

    private static let work = LazyReference<Body<UInt>>()
    private static let wakeUp = LazyReference<Body<Void>>()
    private static let isAttended = Atomic<Bool>(false)
    /// The thread that ends the program; 0 before.
    private static let ending = Atomic<UInt>(0)
    private static let isTaken = Atomic<Bool>(false)
    private static let isDone = Atomic<Bool>(false)
    /// How long the exit waits for the work, in nanoseconds: the work may wait for a lock of the ending
    /// thread.
    private static let timeout: UInt64 = 3_000_000_000

    /// Has some work done at the end of the program, if a thread of the event loop attends by then; once per program.
    ///
    /// - Parameter body: gets the thread that ends the program.
    static func arm(_ body: @escaping @Sendable (UInt) -> Void) {
        _ = work.storeIfNil(Body(body))
        SystemCalls.atExit { ExitWork.end() }
    }

    /// Records that a thread attends, which calls ``performIfWanted()`` each time that it wakes.
    static func attend() { isAttended.store(true, ordering: .releasing) }

    /// Records what wakes that thread, without a lock.
    static func setWakeUp(_ wake: @escaping @Sendable () -> Void) { _ = wakeUp.storeIfNil(Body { wake() }) }

    private static func end() {
        // In a forked child the thread is not there.
        guard isAttended.load(ordering: .acquiring), !Fork.isRefused else { return }
        ending.store(SystemCalls.threadID, ordering: .sequentiallyConsistent)
        wakeUp.withLoaded { $0.run(()) }
        let end = SystemCalls.monotonicNanoseconds + timeout
        var rest: UInt64 = 20_000
        while !isDone.load(ordering: .acquiring), SystemCalls.monotonicNanoseconds < end {
            SystemCalls.pause(nanoseconds: rest)
            rest = min(rest * 2, 1_000_000)
        }
    }

    /// Does the work if the program is ending.
    ///
    /// - Cost: one atomic load if it is not.
    static func performIfWanted() {
        let thread = ending.load(ordering: .sequentiallyConsistent)
        guard thread != 0, !isTaken.exchange(true, ordering: .acquiringAndReleasing) else { return }
        work.withLoaded { $0.run(thread) }
        isDone.store(true, ordering: .releasing)
    }
}
