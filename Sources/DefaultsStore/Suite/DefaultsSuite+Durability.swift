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
    ///   new file.
    public func synchronize() throws(DefaultsError) {
        do { try core.store().synchronize() } catch { throw error.inSuite(name) }
    }

    /// Waits until the JSON file itself has all acknowledged writes and survives power loss.
    ///
    /// Without it the file follows about 100 ms later, and when the program ends. A file that cannot be read is left to
    /// the person who mends it; ``repair()`` replaces it.
    ///
    /// - Cost: the file is written again and synced: milliseconds; nothing if it is up to date.
    /// - Throws: `.malformedFile`; `.lockTimeout`, immediately inside a transaction of the caller's own; `.readOnly`,
    ///   `.diskFull`, `.io`. Every acknowledged write is still there then.
    public func checkpoint() throws(DefaultsError) {
        do {
            try core.store().checkpoint(until: .after(milliseconds: WriterLock.limit))
        } catch {
            throw error.inSuite(name)
        }
    }
}
