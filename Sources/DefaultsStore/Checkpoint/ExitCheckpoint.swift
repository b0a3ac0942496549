import Synchronization

/// The checkpoints of a program that ends normally: what it wrote last is in the files that users read.
enum ExitCheckpoint {
    private static let isArmed = Atomic<Bool>(false)
    /// How long the exit of the program waits for another writer, in milliseconds.
    private static let lockTimeout: UInt64 = 250
    /// How long in total it lets other writers go on first, in milliseconds.
    private static let courtesy: UInt64 = 25

    /// Arranges for the checkpoints, once per process.
    static func arm() {
        guard !isArmed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        ExitWork.arm { ExitCheckpoint.run(endedBy: $0) }
        // A checkpoint may not be scheduled for as long as the program lasts. Without a thread there is none to be made at
        // the end: each write makes its own.
        do { try EventLoop.shared.attend() } catch { return }
    }

    private static func run(endedBy thread: UInt) {
        let courtesy = Deadline.after(milliseconds: courtesy)
        for store in SuiteRegistry.openStores {
            // It keeps the lock until the program is gone: a signal's handler ends it amid a write, or a transaction does.
            if store.writer.isInside(thread) { continue }
            // The records are in the journal, where the next process finds them.
            do {
                // A checkpoint that another process makes from here on includes this state.
                let state = store.latest
                letOthersFinish(state, until: courtesy)
                try store.checkpointer.checkpointWhatWaits(
                    until: .after(milliseconds: lockTimeout), in: state, remakes: true, restarts: true)
                // But not what another thread has written since.
                if store.checkpointer.hasCommitted(since: state) {
                    try store.checkpointer.checkpointWhatWaits(
                        until: .after(milliseconds: lockTimeout), remakes: true, restarts: true)
                }
                try store.checkpointer.restartIdleJournal(until: .after(milliseconds: lockTimeout))
            } catch {
                // Another process holds the lock, and has the same duty.
                if error.code != .lockTimeout { store.printLasting(error, in: .checkpoints) }
            }
        }
    }

    /// Waits, if another process has written last, until nobody is writing.
    ///
    /// So one checkpoint brings in what all have written, and nobody has to wait for it.
    ///
    /// - Returns: whether another process has written last.
    @discardableResult
    static func letOthersFinish(_ state: StoreSnapshot, until deadline: Deadline) -> Bool {
        guard state.values.isPending, let page = state.files?.page, page.process != SystemCalls.processID
        else {
            return false
        }
        var generation = page.number
        repeat {
            let before = generation
            SystemCalls.pause(nanoseconds: 200_000)
            generation = page.number
            if generation == before { break }
        } while !deadline.hasPassed
        return true
    }
}
