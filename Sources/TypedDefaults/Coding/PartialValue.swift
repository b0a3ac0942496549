import DefaultsStore

/// A value while its containers are being filled.
///
/// An encoder and all containers that it creates write into the same object, so that a subclass can add to
/// its superclass's members. The value is complete when the type's `encode(to:)` has returned.
final class PartialValue {
    /// Why the calls that a type made do not result in a value.
    enum Fault: String {
        case tooDeep = "holds itself, or holds too many containers inside one another"
        case twoKinds = "opens containers of different kinds for one value"
    }

    enum Kind { case single, array, object }

    /// One member or element: finished, or still open.
    enum Item {
        case finished(DefaultsValue)
        case open(PartialValue)
    }

    let place: EncodingPlace
    private var kind: Kind?
    private var fault: Fault?
    private var single = DefaultsValue.null
    private var elements: [Item] = []
    private var members = PartialMembers()

    init(at place: EncodingPlace) { self.place = place }

    var count: Int { elements.count }

    /// Records the kind of container that the type requested; a second kind is a fault.
    ///
    /// A single-value container is recorded at its first use: a type may request one, leave it unused, and
    /// take another container.
    func open(_ asked: Kind) {
        if asked != .single, place.depth >= EncodingPlace.maximumDepth { fault = .tooDeep }
        if let kind, kind != asked { fault = .twoKinds }
        kind = kind ?? asked
    }

    /// Sorts the members by name, whatever order they come in.
    func sortMembers() { members.isSorted = true }

    func set(_ value: DefaultsValue) {
        open(.single)
        single = value
    }

    func append(_ value: DefaultsValue) { elements.append(.finished(value)) }

    func set(_ value: DefaultsValue, forKey key: any CodingKey) {
        members.set(.finished(value), for: key.stringValue)
    }

    /// Appends an element that is filled later.
    func appendPartial() -> PartialValue {
        guard let partial = partial(at: place.element(count)) else { return PartialValue(at: place) }
        elements.append(.open(partial))
        return partial
    }

    /// The member of a name: reused if it is an open container of that kind already.
    func partial(forKey key: any CodingKey, as kind: Kind? = nil) -> PartialValue {
        if let kind, case .open(let present) = members[key.stringValue], present.kind == kind {
            return present
        }
        guard let partial = partial(at: place.member(key)) else { return PartialValue(at: place) }
        members.set(.open(partial), for: key.stringValue)
        return partial
    }

    /// Nil at the limit, where this container has a fault already and its content is never read.
    ///
    /// Otherwise a type that recurses without end would build a chain whose release overflows the stack.
    private func partial(at place: EncodingPlace) -> PartialValue? {
        place.depth <= EncodingPlace.maximumDepth ? PartialValue(at: place) : nil
    }

    /// The whole value; a type that used no container is an empty object.
    func finished(for value: Any) throws -> DefaultsValue {
        if let fault { throw place.refusal(of: value, "\(type(of: value)) \(fault.rawValue)") }
        switch kind {
        case .single: return single
        case .array: return .array(try elements.map { try $0.finished(for: value) })
        case .object, nil: return .object(try members.finished(for: value))
        }
    }
}

extension PartialValue.Item {
    func finished(for value: Any) throws -> DefaultsValue {
        switch self {
        case .finished(let value): value
        case .open(let partial): try partial.finished(for: value)
        }
    }
}

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
