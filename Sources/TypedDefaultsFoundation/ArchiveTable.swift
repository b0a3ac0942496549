import TypedDefaults
import TypedDefaultsPropertyLists

/// Why an archive is not unarchived, or an object not archived; it names classes, and no value.
struct ArchiveRefusal: Error, CustomStringConvertible {
    let description: String
}

/// The table of a keyed archive's objects, read without unarchiving anything.
///
/// Only what Foundation's archiver writes is accepted: texts, numbers and data, objects of a class, and the
/// descriptions of classes. The unarchiver treats anything else as an object too, such as an array that has
/// no class.
struct ArchiveTable {
    let objects: [PropertyListValue]
    /// The number of the outermost object.
    let root: Int

    /// Reads the table of an archive in its binary form.
    init(_ archive: [UInt8]) throws {
        guard archive.starts(with: "bplist".utf8) else { throw ArchiveTable.noArchive }
        let list: PropertyListValue
        do { list = try PropertyListValue.read(archive) } catch {
            throw ArchiveRefusal(description: error.reason)
        }
        // Of two members with one name Foundation reads the first, and the last would be checked here.
        guard list.hasEachNameOnce else { throw ArchiveRefusal(description: "a name stands in it twice") }
        guard list["$archiver"]?.string == "NSKeyedArchiver", list["$version"] == .integer(100_000),
            let objects = list["$objects"]?.array,
            let root = list["$top"]?["root"]?.reference.flatMap({ Int(exactly: $0) }),
            objects.indices.contains(root)
        else { throw ArchiveTable.noArchive }
        self.objects = objects
        self.root = root
        for object in objects { try check(object) }
    }

    /// The table in the order of ``ArchiveOrder``; no object may be inside itself.
    var inOrder: ArchiveTable { ArchiveTable(objectsInOrder: self) }

    private init(objectsInOrder other: ArchiveTable) {
        var order = ArchiveOrder(other)
        (objects, root) = (order.objects(from: other.root), min(other.root, 1))
    }

    private static let noArchive = ArchiveRefusal(description: "it is no keyed archive")

    /// The archive, written again: Foundation then reads nothing unchecked, and no bytes that it reads
    /// differently.
    var archive: [UInt8] {
        let top = PropertyListValue.dictionary([.init(key: "root", value: .reference(UInt64(root)))])
        return BinaryPropertyListWriter.bytes(
            of: .dictionary([
                .init(key: "$archiver", value: .string("NSKeyedArchiver")),
                .init(key: "$version", value: .integer(100_000)), .init(key: "$top", value: top),
                .init(key: "$objects", value: .array(objects)),
            ]))
    }

    /// The name of an object's class; nil for a value, and for the description of a class.
    func className(of number: Int) -> String? {
        reference(objects[number]["$class"]).flatMap { objects[$0]["$classname"]?.string }
    }

    /// Whether the entry stands for no object.
    func isNone(_ number: Int) -> Bool { objects[number].string == "$null" }

    /// The number of the object that a member refers to; nil if there is none.
    func reference(_ member: PropertyListValue?) -> Int? {
        member?.reference.flatMap { Int(exactly: $0) }.flatMap { objects.indices.contains($0) ? $0 : nil }
    }

    /// The objects that a list refers to; nil for any other value.
    func elements(_ list: PropertyListValue?) -> [Int]? {
        guard let list = list?.array else { return nil }
        let numbers = list.compactMap { reference($0) }
        return numbers.count == list.count ? numbers : nil
    }

    /// The objects that one refers to, each once for each reference, without its class.
    func references(of number: Int) -> [Int] {
        guard case .dictionary(let members) = objects[number] else { return [] }
        return members.filter { $0.key != "$class" }.flatMap { numbers(in: $0.value) }
    }

    private func numbers(in value: PropertyListValue) -> [Int] {
        switch value {
        case .reference(let number): [Int(clamping: number)]
        case .array(let elements): elements.flatMap(numbers)
        case .dictionary(let members): members.flatMap { numbers(in: $0.value) }
        default: []
        }
    }

    private func check(_ object: PropertyListValue) throws {
        switch object {
        case .string, .bool, .real, .data: return
        case .integer(let number) where Int64(exactly: number) != nil || UInt64(exactly: number) != nil:
            return
        case .dictionary where isDescription(object): return
        case .dictionary(let members) where object["$class"] != nil:
            guard let description = reference(object["$class"]), isDescription(objects[description]) else {
                throw ArchiveRefusal(description: "an object of the archive has no class")
            }
            for member in members where member.key != "$class" {
                for number in numbers(in: member.value) {
                    guard objects.indices.contains(number) else {
                        throw ArchiveRefusal(description: "the archive refers to an object it does not hold")
                    }
                    guard !isDescription(objects[number]) else {
                        throw ArchiveRefusal(
                            description: "the archive refers to a class where an object belongs")
                    }
                }
            }
        default: throw ArchiveRefusal(description: "what stands in the archive for an object is none")
        }
    }

    private func isDescription(_ object: PropertyListValue) -> Bool {
        object["$class"] == nil && object["$classname"]?.string != nil
    }
}

extension PropertyListValue {
    /// Whether no dictionary in it has a name twice.
    fileprivate var hasEachNameOnce: Bool {
        switch self {
        case .array(let elements): elements.allSatisfy(\.hasEachNameOnce)
        case .dictionary(let members):
            Set(members.map(\.key)).count == members.count && members.allSatisfy(\.value.hasEachNameOnce)
        default: true
        }
    }
}
