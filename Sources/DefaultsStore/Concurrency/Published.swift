/// The current version of an immutable object of one class: read without a lock, replaced in one step.
package struct Published<Object: AnyObject & Sendable>: Sendable {
    private let cell: VersionCell

    /// Publishes the first version.
    package init(_ object: Object) { cell = VersionCell(object) }

    /// Returns the current version; never waits.
    package func load() -> Object {
        // Unchecked is sound because only `init` and `store` fill the cell, with objects of this class.
        unsafeDowncast(cell.load(), to: Object.self)
    }

    /// Runs a short body with the current version, without counting a reference; never waits.
    @inline(__always)
    func withPresent<Result>(_ body: (Object) -> Result) -> Result {
        // Unchecked is sound because only `init` and `store` fill the cell, with objects of this class.
        cell.withPresent { version in
            version._withUnsafeGuaranteedRef { body(unsafeDowncast($0, to: Object.self)) }
        }
    }

    /// Whether a version is still the current one.
    func isPresent(_ object: Object) -> Bool { cell.isPresent(object) }

    /// Replaces the current version.
    ///
    /// - Returns: what is to be released, with no lock held.
    package func store(_ object: Object) -> VersionCell.Displaced { cell.store(object) }
}
