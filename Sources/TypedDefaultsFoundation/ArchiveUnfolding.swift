import TypedDefaults
import TypedDefaultsPropertyLists

/// The size of an archive after its references unfold.
///
/// Foundation copies a collection with everything in it whenever it returns or compares it, and its archiver
/// compares each with all others. So a thousand bytes in which each array refers twice to the one before
/// would keep a program busy for ever.
struct ArchiveUnfolding {
    /// The most objects, each counted once for each reference.
    static let most = 100_000
    /// The most collections, counted in the same way.
    static let mostCollections = 1_000
    /// The most collections directly inside one another.
    static let deepest = 16

    /// The unfolded size of one object, itself included.
    private struct Size {
        var objects = 1
        var collections = 0
        /// The depth of collections directly inside one another, itself included.
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

    /// Checks that no object leads back to itself, and that the unfolded size is within the limits.
    ///
    /// On a cycle the unarchiver would never end.
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
