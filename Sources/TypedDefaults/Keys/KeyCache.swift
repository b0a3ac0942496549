import DefaultsStore

/// A key's last finding, good for as long as its stamp matches: the fast path of every typed read.
///
/// Reading takes no lock; a finding is immutable and published whole.
struct KeyCache: Sendable {
    private let cell = VersionCell(KeyFinding(missingAt: .none))

    /// The last finding, whether or not it still holds.
    var last: KeyFinding {
        // Unchecked is sound because only findings are ever put into the cell.
        unsafeDowncast(cell.load(), to: KeyFinding.self)
    }

    /// The finding, if it is that of the present state.
    ///
    /// - Cost: no system call and no lock.
    var present: KeyFinding? {
        let finding = last
        return finding.stamp.isPresent ? finding : nil
    }

    /// Keeps a finding for the next reads.
    func keep(_ finding: KeyFinding) { cell.store(finding) }
}
