import Synchronization

/// The present search list of a suite, and beside it whether that has nothing to say.
package final class PublishedDomains: Sendable {
    private let list = Published(SearchList())
    private let bare = Atomic<Bool>(true)

    /// The present list.
    package func load() -> SearchList { list.load() }

    /// Whether what is stored counts, and the list need not be asked.
    ///
    /// - Cost: one load, in place of what the list's own count takes.
    var areBare: Bool { bare.load(ordering: .acquiring) }

    /// Replaces the list; inside of ``Freshness/changing(_:)`` where a store is open, so that what is read meanwhile, by
    /// one of the two steps and not yet by the other, is kept for nobody.
    func store(_ fresh: SearchList) {
        list.store(fresh)
        bare.store(fresh.isBare, ordering: .releasing)
    }
}
