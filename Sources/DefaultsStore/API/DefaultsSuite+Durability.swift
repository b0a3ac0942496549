/// When a write is safe, and from what.
extension DefaultsSuite {
    /// Waits until all acknowledged writes, of every process, survive power loss.
    ///
    /// A write that has returned survives the end of any process, however it ends, but the system may still keep it
    /// in memory.
    ///
    /// - Cost: one `fdatasync`, shared by threads that wait at the same time; nothing if every write is in the
    ///   settings file already.
    /// - Throws: `.io`, `.diskFull` if the disk refuses; further calls throw as well until the writes are safe in a
    ///   new file. `.lockTimeout`, immediately inside a transaction of the caller's own: all writers would wait for the
    ///   disk, and what the transaction writes would not be safe.
    public func synchronize() throws(DefaultsError) {
        do { try context.store().durability.synchronize() } catch { throw error.inSuite(name) }
    }

    /// Waits until the JSON file itself has all acknowledged writes and survives power loss.
    ///
    /// Without it the file follows about 100 ms later (``checkpointDelay``), a large one that is written all the time less
    /// often (``longestCheckpointDelay``), and when the program ends. A file that cannot be read is left to the person who
    /// mends it; ``repair()`` replaces it.
    ///
    /// - Cost: the file is written again and synced: milliseconds; nothing if it is up to date.
    /// - Throws: `.malformedFile`; `.lockTimeout`, immediately inside a transaction of the caller's own; `.readOnly`,
    ///   `.diskFull`, `.io`. Every acknowledged write is still there then.
    public func checkpoint() throws(DefaultsError) {
        do {
            try context.store().checkpointer.checkpoint(until: .after(milliseconds: WriterLock.limit))
        } catch {
            throw error.inSuite(name)
        }
    }

    /// Does what ``checkpoint()`` does, and has this process take no lock of the suite's own accord from then on, until it
    /// writes the next time.
    ///
    /// For an app whose suite is in the container of an app group. iOS ends an app that it suspends while it has a file
    /// locked there (`0xDEAD10CC`); and the app's extension would wait for that lock. Otherwise the file follows a write by
    /// a checkpoint 100 ms later, which may be just then.
    ///
    /// ```swift
    /// func sceneDidEnterBackground() {
    ///     do { try DefaultsSuite.standard.synchronizeAndRest() } catch { print(error) }
    /// }
    /// ```
    ///
    /// Stop writing first: a write of another thread's ends the rest, and the file follows it as usual. Until then no
    /// checkpoint is made for a process that has died either; reads and observers go on. Call it for each suite.
    ///
    /// - Cost: the file is written again and synced, unless it is up to date; it waits for other writers, five seconds
    ///   at most.
    /// - Throws: what ``checkpoint()`` throws. The suite rests nevertheless, unless a thread of this process has a transaction
    ///   open all the while; the next write has the file follow.
    public func synchronizeAndRest() throws(DefaultsError) {
        do {
            try context.store().checkpointer.rest(until: .after(milliseconds: WriterLock.limit))
        } catch {
            throw error.inSuite(name)
        }
    }

    /// How long a write of this process may wait before the JSON file itself has it; 100 milliseconds unless you choose.
    ///
    /// Each time the file follows, the disk is waited for several times, in the background. A program that goes on
    /// writing, such as a player its position, makes that once per delay.
    ///
    /// ```swift
    /// DefaultsSuite.standard.checkpointDelay = .seconds(30)
    /// ```
    ///
    /// Every write survives the end of the process, however it ends, and other processes see it, as soon as it has
    /// returned. But without ``synchronize()`` a power cut may take what was written since the file followed last: so
    /// at most about this long. A person who opens the file finds it that much behind.
    ///
    /// It counts from the next time on that the file is to follow, for all handles of this process; another process
    /// that writes to the suite, or has read what waits, has the file follow after a delay of its own. The file follows
    /// sooner when more than 64 KiB wait in the journal, and more than a quarter of what the file has, and when the program
    /// ends. Less than nothing is nothing, more than an hour is an hour. In memory it has no effect.
    public var checkpointDelay: Duration {
        get { .milliseconds(Int64(context.checkpointDelay)) }
        set { context.checkpointDelay = CheckpointSchedule.milliseconds(newValue) }
    }

    /// How long a write of this process may wait before a large JSON file has it, while programs go on writing; a minute
    /// unless you choose.
    ///
    /// Each time the file follows, all of it is written. So that a large one is not written again for every few bytes, it
    /// follows a write that comes soon after the last time so much later that no more than 128 kB a second are written on
    /// average: one of 100 kB follows at most every 0.8 s, one of 1 MB every 8 s, one of 8 MB once a minute. A write that
    /// nothing came before for so long is followed after ``checkpointDelay``, whatever the size.
    ///
    /// ```swift
    /// DefaultsSuite.standard.longestCheckpointDelay = .seconds(5)
    /// ```
    ///
    /// Until the file follows, the journal is made to survive a power loss instead, after the usual delay, so a power cut
    /// takes no more. Programs with this library read every write at once in any case. With less than ``checkpointDelay``
    /// the file is never put off. The limits, and when it counts, are those of ``checkpointDelay``.
    public var longestCheckpointDelay: Duration {
        get { .milliseconds(Int64(context.longestCheckpointDelay)) }
        set { context.longestCheckpointDelay = CheckpointSchedule.milliseconds(newValue) }
    }

    /// The checkpoints of the suite that this process makes from now on, those of its own accord too.
    ///
    /// Each caller gets a stream of its own, which keeps the newest 256 that have not been taken yet, and ends with its
    /// consumer. While there is a stream, the suite stays open. One that the program's end makes is not told any more. A
    /// suite that cannot be opened reports that to ``failures``, and the stream is over at once.
    ///
    /// ```swift
    /// let listening = Task { for await checkpoint in DefaultsSuite.standard.checkpoints { print(checkpoint.duration) } }
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
    /// How long it took, most of which is the disk's.
    public let duration: Duration
}
