import TypedDefaults
import TypedDefaultsPropertyLists

/// What the references of an archive unfold to.
///
/// Foundation copies a collection with everything in it whenever it hands it out or compares it, and its archiver
/// compares each with all others. So a thousand bytes in which each array refers twice to the one before would keep a
/// program busy for ever.
struct ArchiveUnfolding {
    /// The most objects, each counted as often as it is referred to.
    static let most = 100_000
    /// The most collections, counted in the same way.
    static let mostCollections = 1_000
    /// How many collections may stand directly inside one another.
    static let deepest = 16

    /// What one object unfolds to, itself included.
    private struct Size {
        var objects = 1
        var collections = 0
        /// How many collections stand directly inside one another, itself the outermost.
        var depth = 0

        mutating func add(_ other: Size) {
            objects = min(objects + other.objects, ArchiveUnfolding.most + 1)
            collections = min(collections + other.collections, ArchiveUnfolding.mostCollections + 1)
        }
    }

    private let table: ArchiveTable
    private let isCollection: (Int) -> Bool
    private var isOpen: Set<Int> = []
    private var sizes: [Int: Size] = [:]

    init(_ table: ArchiveTable, isCollection: @escaping (Int) -> Bool) {
        self.table = table
        self.isCollection = isCollection
    }

    /// Checks that no object leads back to itself, on which the unarchiver would go round for ever, and that all
    /// together unfold to what can be compared and stored in moments.
    mutating func check() throws {
        for number in table.objects.indices { _ = try size(of: number) }
    }

    private mutating func size(of number: Int) throws -> Size {
        if let known = sizes[number] { return known }
        guard isOpen.insert(number).inserted, isOpen.count <= PropertyListValue.deepest else {
            throw ArchiveRefusal(description: "the archive's objects hold one another in a ring, or too deep")
        }
        var size = Size()
        for next in table.references(of: number) {
            let inside = try self.size(of: next)
            size.add(inside)
            size.depth = max(size.depth, inside.depth)
        }
        if isCollection(number) {
            size.collections += 1
            size.depth += 1
        } else {
            size.depth = 0
        }
        guard size.objects <= Self.most, size.collections <= Self.mostCollections, size.depth <= Self.deepest
        else { throw ArchiveUnfolding.tooLarge }
        isOpen.remove(number)
        sizes[number] = size
        return size
    }

    static let tooLarge = ArchiveRefusal(
        description: """
            its references unfold to more than \(most) objects or \(mostCollections) collections, or to collections \
            more than \(deepest) levels deep
            """)
}
