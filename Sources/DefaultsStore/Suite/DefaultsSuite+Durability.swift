/// When what was written is safe from what.
extension DefaultsSuite {
    /// Waits until all acknowledged writes survive power loss.
    ///
    /// - Cost: nothing at present, since a write has waited for the disk when it returns.
    /// - Throws: `.io` when the files cannot be read.
    public func synchronize() throws(DefaultsError) { _ = try core.view() }

    /// Waits until the JSON file itself holds all acknowledged writes and survives power loss.
    ///
    /// - Cost: nothing at present, since every write replaces the file.
    /// - Throws: `.io` when the files cannot be read.
    public func checkpoint() throws(DefaultsError) { _ = try core.view() }
}
