/// The present version of an immutable object of one class: read without a lock, replaced in one step.
package struct Published<Object: AnyObject & Sendable>: Sendable {
    private let cell: VersionCell

    /// Publishes the first version.
    package init(_ object: Object) { cell = VersionCell(object) }

    /// The present version; waits for nobody.
    package func load() -> Object {
        // Unchecked is sound because only `init` and `store` fill the cell, with objects of this class.
        unsafeDowncast(cell.load(), to: Object.self)
    }

    /// Runs a short body with the present version, which need not be counted for it; waits for nobody.
    @inline(__always)
    func withPresent<Result>(_ body: (Object) -> Result) -> Result {
        // Unchecked is sound because only `init` and `store` fill the cell, with objects of this class.
        cell.withPresent { version in
            version._withUnsafeGuaranteedRef { body(unsafeDowncast($0, to: Object.self)) }
        }
    }

    /// Whether a version is the present one still.
    func isPresent(_ object: Object) -> Bool { cell.isPresent(object) }

    /// Replaces the present version; the old one goes when its last reader has let go of it.
    package func store(_ object: Object) { cell.store(object) }
}
