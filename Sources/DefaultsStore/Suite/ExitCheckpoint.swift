import Synchronization

/// The checkpoints of a program that ends in the ordinary way: what it wrote last is in the files people read.
enum ExitCheckpoint {
    private static let isArmed = Atomic<Bool>(false)
    /// How long the end of a program may wait for another writer, in milliseconds.
    private static let patience: UInt64 = 250
    /// How long it lets those who are writing go on first, in all, in milliseconds.
    private static let courtesy: UInt64 = 25

    /// Sees to it, once for the process.
    static func arm() {
        guard !isArmed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        SystemCalls.atExit { ExitCheckpoint.run() }
    }

    private static func run() {
        let courtesy = Deadline.after(milliseconds: courtesy)
        for store in SuiteRegistry.openStores {
            // The records are in the journal, where the next process finds them; nobody is left to be told.
            do {
                // Whoever makes a checkpoint from here on has made this one too.
                let state = store.published.load()
                store.letOthersFinish(state, until: courtesy)
                try store.checkpointWhatWaits(
                    until: .after(milliseconds: patience), in: state, remakes: true, restarts: true)
                // But not what another thread has written since.
                if store.lastCommit.load(ordering: .sequentiallyConsistent) > state.generation {
                    try store.checkpointWhatWaits(
                        until: .after(milliseconds: patience), remakes: true, restarts: true)
                }
                try store.tidy(until: .after(milliseconds: patience))
            } catch { continue }
        }
    }
}
