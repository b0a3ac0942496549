import Synchronization

/// The current `DomainStack`, and whether it is bare.
package final class PublishedDomains: Sendable {
    private let list = Published(DomainStack())
    private let bare = Atomic<Bool>(true)

    package func load() -> DomainStack { list.load() }

    /// Whether what is stored applies, and the list need not be asked.
    ///
    /// - Cost: one load, instead of counting a reference to the list.
    var areBare: Bool { bare.load(ordering: .acquiring) }

    /// Replaces the list; inside ``Freshness/changing(_:)`` if a store is open, so that no cache keeps what is read
    /// between the two steps.
    ///
    /// - Returns: what is to be released, with no lock held.
    func store(_ fresh: DomainStack) -> DisplacedVersions {
        defer { bare.store(fresh.isBare, ordering: .releasing) }
        return list.store(fresh)
    }
}
