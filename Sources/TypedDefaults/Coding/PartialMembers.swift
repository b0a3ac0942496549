import DefaultsStore

/// The members of an object while it is being encoded, in the order in which they were first set or of their names.
struct PartialMembers {
    /// Up to this many members a linear search is faster than an index.
    private static let searched = 12

    var isSorted = false
    private var members: [(name: KeyName, item: PartialValue.Item)] = []
    private var places: [KeyName: Int] = [:]

    subscript(name: String) -> PartialValue.Item? {
        place(of: KeyName(name)).map { members[$0].item }
    }

    /// Sets a member; an existing one keeps its place.
    mutating func set(_ item: PartialValue.Item, for name: String) {
        let name = KeyName(name)
        if let place = place(of: name) {
            members[place].item = item
            return
        }
        members.append((name, item))
        if members.count > Self.searched { index() }
    }

    func finished(for value: Any) throws -> DefaultsObject {
        let members = isSorted ? members.sorted { $0.name < $1.name } : members
        return DefaultsObject(try members.map { ($0.name.string, try $0.item.finished(for: value)) })
    }

    private func place(of name: KeyName) -> Int? {
        places.isEmpty ? members.firstIndex { $0.name == name } : places[name]
    }

    private mutating func index() {
        for place in places.count..<members.count { places[members[place].name] = place }
    }
}
