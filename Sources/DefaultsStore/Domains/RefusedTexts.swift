import Synchronization

/// Which texts a key could not use lately.
///
/// For code that must not run the decoding of the key's type, because a lock is held. Texts are known by their seeded
/// hashes, so that none is kept; the oldest are forgotten, and refused again when they are decoded next.
package final class RefusedTexts: Sendable {
    private struct Entry: Hashable {
        let hash: Int
        let length: Int
        let role: KeyDeclaration.Role

        init(_ text: StoredValue, _ role: KeyDeclaration.Role) {
            (hash, length, self.role) = (text.hashValue, text.bytes.count, role)
        }
    }

    private final class List: Sendable {
        let entries = Locked<[Entry]>([])  // A leaf.
    }

    // Hardly any key ever has one.
    private let list = LazyReference<List>()
    private static let any = Atomic<Bool>(false)

    /// Asked by each commit for each observer.
    static var areAny: Bool { any.load(ordering: .acquiring) }

    package init() {}

    var isEmpty: Bool { list.load() == nil }

    package func record(_ text: StoredValue, as role: KeyDeclaration.Role) {
        let entry = Entry(text, role)
        (list.load() ?? list.storeIfNil(List())).entries.withLock { entries in
            guard !entries.contains(entry) else { return }
            if entries.count == RefusedTexts.most { entries.removeFirst() }
            entries.append(entry)
        }
        RefusedTexts.any.store(true, ordering: .releasing)
    }

    package func has(_ text: StoredValue, as role: KeyDeclaration.Role) -> Bool {
        guard let list = list.load() else { return false }
        let entry = Entry(text, role)
        return list.entries.withLock { $0.contains(entry) }
    }

    /// As many as there are likely to be domains with a value for one key, and some more.
    private static let most = 32
}
