import Glibc
import Measuring
import Synchronization

/// Writes that those who wait at the same time share: one of them writes and waits for the disk, and wakes the others,
/// who sleep in the kernel and take no lock when they wake. What many threads that wait for one disk cannot do without.
// Unchecked is sound because the file is touched only by the one who has taken the turn, and all else is atomic.
final class SharedWrites: @unchecked Sendable {
    private let file: BareFile
    private let wanted = Atomic<Int>(0)
    private let done = Atomic<Int>(0)
    private let isWriting = Atomic<Bool>(false)
    /// How often somebody has written; threads sleep while it is what it was.
    private let rounds: UnsafeMutablePointer<Atomic<UInt32>>
    private let futex: Futex

    private typealias Futex =
        @convention(c) (Int, UnsafeMutableRawPointer, Int, Int, UnsafeRawPointer?, Int, Int) -> Int

    init(to file: BareFile) throws {
        guard let call = dlsym(nil, "syscall") else { throw SystemFailure("futex", "") }
        // The cast is sound because both architectures pass arguments like these in one way.
        futex = unsafeBitCast(call, to: Futex.self)
        self.file = file
        rounds = .allocate(capacity: 1)
        rounds.initialize(to: Atomic(0))
    }

    deinit { rounds.deallocate() }

    func write() throws {
        let mine = wanted.add(1, ordering: .acquiringAndReleasing).newValue
        while true {
            let round = rounds.pointee.load(ordering: .acquiring)
            guard done.load(ordering: .acquiring) < mine else { return }
            if !isWriting.exchange(true, ordering: .acquiring) { return try writeForAll(mine) }
            wait(while: round)
        }
    }

    private func writeForAll(_ mine: Int) throws {
        defer {
            isWriting.store(false, ordering: .releasing)
            rounds.pointee.add(1, ordering: .releasing)
            wakeAll()
        }
        // Those that were just woken write again at once, and share this wait.
        sched_yield()
        let all = wanted.load(ordering: .acquiring)
        guard done.load(ordering: .acquiring) < mine else { return }
        _ = try file.write()
        done.store(all, ordering: .releasing)
    }

    #if arch(x86_64)
        private static let number = 202
    #else
        private static let number = 98
    #endif

    // `FUTEX_WAIT` and `FUTEX_WAKE` with `FUTEX_PRIVATE_FLAG`.
    private func wait(while round: UInt32) {
        _ = futex(SharedWrites.number, rounds, 0 | 128, Int(round), nil, 0, 0)
    }
    private func wakeAll() { _ = futex(SharedWrites.number, rounds, 1 | 128, Int(Int32.max), nil, 0, 0) }
}
