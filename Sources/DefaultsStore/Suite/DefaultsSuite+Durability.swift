/// When what was written is safe from what.
extension DefaultsSuite {
    /// Waits until all acknowledged writes, of every process, survive power loss.
    ///
    /// A write that has returned survives the end of any process, however it ends, but the system may still keep it in
    /// memory.
    ///
    /// - Cost: one `fdatasync`, which threads that wait at the same time share; nothing where every write is in the
    ///   settings file already.
    /// - Throws: `.io`, `.diskFull` when the disk refuses; it goes on throwing until the writes are safe in a new file.
    public func synchronize() throws(DefaultsError) {
        do { try core.store().synchronize() } catch { throw error.inSuite(name) }
    }

    /// Waits until the JSON file itself holds all acknowledged writes and survives power loss.
    ///
    /// Without it the file follows about 100 ms later, and at the program's end. A file that does not parse is replaced by
    /// the last good values, its bytes kept beside it.
    ///
    /// - Cost: the file is written anew and synchronized: milliseconds; nothing where it is up to date.
    /// - Throws: `.lockTimeout`, at once also inside a transaction of the caller's own; `.readOnly`, `.diskFull`, `.io`;
    ///   every acknowledged write is still there.
    public func checkpoint() throws(DefaultsError) {
        do {
            try core.store().checkpoint(until: .after(milliseconds: WriterLock.limit))
        } catch {
            throw error.inSuite(name)
        }
    }
}
