import Synchronization

/// The checkpoints of a program that ends in the ordinary way: what it wrote last is in the files people read.
enum ExitCheckpoint {
    private static let isArmed = Atomic<Bool>(false)
    /// How long the end of a program may wait for another writer, in milliseconds.
    private static let patience: UInt64 = 250

    /// Sees to it, once for the process.
    static func arm() {
        guard !isArmed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        SystemCalls.atExit { ExitCheckpoint.run() }
    }

    private static func run() {
        for store in SuiteRegistry.openStores {
            // The records are in the journal, where the next process finds them; nobody is left to be told.
            do {
                // Whoever makes a checkpoint while this one waits has made this one too.
                let state = store.published.load()
                try store.checkpointWhatWaits(until: .after(milliseconds: patience), in: state, remakes: true)
            } catch { continue }
        }
    }
}
