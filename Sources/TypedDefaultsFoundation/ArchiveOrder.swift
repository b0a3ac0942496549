import TypedDefaults
import TypedDefaultsPropertyLists

/// The canonical order of an archive's objects.
///
/// Foundation's order follows hashes, which differ between processes. So equal objects would get another text
/// each time they are set.
///
/// The archive must have no object inside itself.
struct ArchiveOrder {
    private let table: ArchiveTable
    /// The archives of elements of sets and keys of dictionaries, alone.
    private var known: [Int: [UInt8]] = [:]

    init(_ table: ArchiveTable) { self.table = table }

    /// Returns the archive's objects in the order in which they are reached from one of them, members by
    /// their names.
    ///
    /// - Returns: the objects; the first one stands for no object, and the root is the second.
    mutating func objects(from root: Int) -> [PropertyListValue] {
        var order = root == 0 ? [0] : [0, root]
        var places = [0: 0, root: root == 0 ? 0 : 1]
        var objects: [PropertyListValue] = []
        while objects.count < order.count {
            objects.append(
                sorted(order[objects.count]).mappingReferences { number in
                    if places[number] == nil {
                        places[number] = order.count
                        order.append(number)
                    }
                    return places[number] ?? 0
                })
        }
        return objects
    }

    /// An object with its members in the order of their names; unordered elements are in the order of their
    /// archives.
    private mutating func sorted(_ number: Int) -> PropertyListValue {
        guard case .dictionary(var members) = table.objects[number] else { return table.objects[number] }
        members.sort { $0.key < $1.key }
        switch table.className(of: number) {
        case "NSSet", "NSMutableSet": sort(["NS.objects"], of: &members)
        case "NSDictionary", "NSMutableDictionary": sort(["NS.keys", "NS.objects"], of: &members)
        default: break
        }
        return .dictionary(members)
    }

    /// Sorts lists of one length by the objects that the first refers to.
    private mutating func sort(_ names: [String], of members: inout [PropertyListValue.Member]) {
        let object = PropertyListValue.dictionary(members)
        let lists = names.compactMap { object[$0]?.array }
        guard lists.count == names.count, let keys = table.elements(.array(lists[0])),
            lists.allSatisfy({ $0.count == keys.count })
        else { return }
        let archives = keys.map { archive(of: $0) }
        let order = keys.indices.sorted { archives[$0].lexicographicallyPrecedes(archives[$1]) }
        members = members.map { member in
            guard let list = names.firstIndex(of: member.key).map({ lists[$0] }) else { return member }
            return .init(key: member.key, value: .array(order.map { list[$0] }))
        }
    }

    private mutating func archive(of number: Int) -> [UInt8] {
        if let archive = known[number] { return archive }
        let archive = BinaryPropertyListWriter.bytes(of: .array(objects(from: number)))
        known[number] = archive
        return archive
    }
}

extension PropertyListValue {
    fileprivate func mappingReferences(_ place: (Int) -> Int) -> PropertyListValue {
        switch self {
        case .reference(let number): .reference(UInt64(place(Int(clamping: number))))
        case .array(let elements): .array(elements.map { $0.mappingReferences(place) })
        case .dictionary(let members):
            .dictionary(members.map { .init(key: $0.key, value: $0.value.mappingReferences(place)) })
        default: self
        }
    }
}
