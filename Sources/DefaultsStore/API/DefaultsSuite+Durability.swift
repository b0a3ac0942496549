/// When a write is safe, and from what.
extension DefaultsSuite {
    /// Waits until all acknowledged writes, of every process, survive power loss.
    ///
    /// A write that has returned survives the end of any process, however it ends, but the system may still
    /// keep it in memory.
    ///
    /// - Cost: one `fdatasync`, shared by threads that wait at the same time. Nothing if every write is in
    ///   the settings file already.
    /// - Throws: `.ioFailure` or `.diskFull` if the disk refuses; further calls throw as well until the writes are
    ///   safe in a new file. `.lockTimeout` at once inside a transaction of the caller: all writers would
    ///   wait for the disk, and the transaction's writes would not be safe.
    public func synchronize() throws(DefaultsError) {
        do { try context.store().durability.synchronize() } catch { throw error.inSuite(name) }
    }

    /// Waits until the JSON file itself has all acknowledged writes and survives power loss.
    ///
    /// Without it the file lags a write by about 100 ms (``checkpointDelay``). It is also updated when the
    /// program ends. A file that cannot be read is left for a person to correct; ``repairFiles()`` replaces
    /// it.
    ///
    /// - Cost: the file is written again and synced, which takes milliseconds. Nothing if it is up to date.
    /// - Throws: `.malformedFile`, `.readOnly`, `.diskFull`, `.ioFailure`; `.lockTimeout` at once inside a
    ///   transaction of the caller. Every acknowledged write is still there then.
    public func checkpoint() throws(DefaultsError) {
        do {
            let store = try context.store()
            try store.checkpointer.checkpoint(until: .after(milliseconds: WriterLock.limit))
            store.keepVersionOfCheckpoint()
        } catch {
            throw error.inSuite(name)
        }
    }

    /// Waits as ``checkpoint()`` does; then this process takes no lock of the suite until its next write.
    ///
    /// For an app whose suite is in the container of an app group. A suspended app that has a file locked
    /// there is ended by iOS (`0xDEAD10CC`), and its extension would wait for that lock. Without this call a
    /// checkpoint follows 100 ms after a write, which may be just then.
    ///
    /// ```swift
    /// func sceneDidEnterBackground() {
    ///     do { try DefaultsSuite.standard.synchronizeAndRest() } catch {
    ///         print(error)
    ///     }
    /// }
    /// ```
    ///
    /// Stop writing first: a write of another thread ends the rest, and is followed by a checkpoint as usual.
    /// Until then no checkpoint is made for a process that has died either. Reads and observers go on. Call
    /// it for each suite.
    ///
    /// - Cost: the file is written again and synced, unless it is up to date. It waits for other writers,
    ///   five seconds at most.
    /// - Throws: what ``checkpoint()`` throws. The suite rests nevertheless, unless a thread of this process
    ///   has a transaction open all the while. The checkpoint then follows the next write.
    public func synchronizeAndRest() throws(DefaultsError) {
        do {
            try context.store().checkpointer.rest(until: .after(milliseconds: WriterLock.limit))
        } catch {
            throw error.inSuite(name)
        }
    }

    /// The time from a write of this process to the JSON file, if nothing delays it; 100 milliseconds by default.
    ///
    /// Each checkpoint writes the whole file and waits for the disk several times, in the background. A program
    /// that writes constantly, such as a player its position, makes one per delay. Checkpoints take at most a
    /// twentieth of the time, so where one takes more than 5 ms, for a large file or on a slow disk, the next
    /// comes after twenty times as long as it took.
    ///
    /// ```swift
    /// DefaultsSuite.standard.checkpointDelay = .seconds(30)
    /// ```
    ///
    /// Once a write has returned, it survives the end of the process, however it ends, and other processes
    /// see it. But without ``synchronize()`` a power cut may take the writes since the last checkpoint, so
    /// those of about this time. A person who opens the file finds it that much behind.
    ///
    /// A new delay applies from the next checkpoint on, for all handles of this process. Other processes that
    /// write to the suite, or have read pending writes, make checkpoints after their own delay. A checkpoint
    /// comes sooner when more than 64 KiB, and more than a quarter of the file's size, wait in the journal,
    /// and when the program ends. Negative delays become zero, and those over an hour an hour. In memory it
    /// has no effect.
    public var checkpointDelay: Duration {
        get { .milliseconds(Int64(context.checkpointDelay)) }
        set { context.checkpointDelay = CheckpointSchedule.milliseconds(newValue) }
    }

    /// The checkpoints of the suite that this process makes from now on, in the background too.
    ///
    /// Each caller gets its own stream. It buffers the newest 256 and ends with its consumer. While there is
    /// a stream, the suite stays open. The checkpoint at the program's end is not delivered. A suite that
    /// cannot be opened reports that to ``failures``, and the stream ends at once.
    ///
    /// ```swift
    /// let listening = Task {
    ///     for await checkpoint in DefaultsSuite.standard.checkpoints {
    ///         print(checkpoint.duration)
    ///     }
    /// }
    /// ```
    public var checkpoints: AsyncStream<DefaultsCheckpoint> {
        do { return try context.store().checkpointer.stream(keeping: context) } catch {
            context.reportLasting(error)
            return AsyncStream { $0.finish() }
        }
    }
}

/// A checkpoint: the settings file has been brought up to date.
public struct DefaultsCheckpoint: Hashable, Sendable {
    /// The time that it took, most of it for the disk.
    public let duration: Duration
}
