/// The members of a JSON object in their order.
///
/// Names are compared by their UTF-8 bytes. If a name occurs twice, both members are kept, and the last one applies.
///
/// JSON's grammar allows names that no `String` can have, with the escape of half of a surrogate pair. Such a member is
/// among the elements under its name as it is written, ``isRawJSON(at:)`` says so, and no subscript finds it.
public struct DefaultsObject: Hashable, Sendable {
    /// One name with its value.
    public typealias Element = (key: String, value: DefaultsValue)

    private let members: [Element]
    /// Empty if there are so few members that searching them is quicker.
    private let positions: [KeyName: Int]
    /// The positions of names that no `String` can have.
    private let rawJSON: Set<Int>

    /// Creates an object of these members, in this order.
    public init(_ members: some Sequence<Element>) { self.init(Array(members), rawJSON: []) }

    init(_ members: [Element], rawJSON: Set<Int>) {
        (self.members, self.rawJSON) = (members, rawJSON)
        var positions: [KeyName: Int] = [:]
        if members.count > 8 {
            positions.reserveCapacity(members.count)
            for position in members.indices {
                positions[DefaultsObject.name(of: members[position], rawJSON.contains(position))] = position
            }
        }
        self.positions = positions
    }

    package init(_ members: [(name: KeyName, value: DefaultsValue)]) {
        let rawJSON = members.indices.filter { members[$0].name.hasHalves }
        self.init(members.map { (key: $0.name.string, value: $0.value) }, rawJSON: Set(rawJSON))
    }

    /// The value of the last member with that name.
    public subscript(key: String) -> DefaultsValue? {
        guard positions.isEmpty else { return positions[KeyName(key)].map { members[$0].value } }
        return members.indices.last { members[$0].key.hasBytes(of: key) && !isRawJSON(at: $0) }
            .map { members[$0].value }
    }

    package subscript(name: KeyName) -> DefaultsValue? { lastIndex(of: name).map { members[$0].value } }

    /// Whether the name of the member at a position is one that no `String` can have, and is given as it is written.
    public func isRawJSON(at position: Int) -> Bool { !rawJSON.isEmpty && rawJSON.contains(position) }

    private func lastIndex(of name: KeyName) -> Int? {
        guard positions.isEmpty else { return positions[name] }
        return members.indices.last {
            members[$0].key.hasBytes(of: name.string) && isRawJSON(at: $0) == name.hasHalves
        }
    }

    private static func name(of member: Element, _ isRawJSON: Bool) -> KeyName {
        isRawJSON ? KeyName(.withHalves(member.key)) : KeyName(member.key)
    }

    package func name(at position: Int) -> KeyName {
        DefaultsObject.name(of: members[position], isRawJSON(at: position))
    }

    /// Of several members with one name, the last.
    package var counting: [Int] { members.indices.filter { lastIndex(of: name(at: $0)) == $0 } }

    package var effective: [(name: KeyName, value: DefaultsValue)] {
        counting.map { (name(at: $0), members[$0].value) }
    }

    private var effectiveCount: Int { positions.isEmpty ? counting.count : positions.count }

    /// Whether both have the same value for every name.
    public static func == (left: DefaultsObject, right: DefaultsObject) -> Bool {
        left.effectiveCount == right.effectiveCount
            && left.effective.allSatisfy { right[$0.name] == $0.value }
    }

    /// Hashes what `==` compares, regardless of the order.
    public func hash(into hasher: inout Hasher) {
        var sum = 0
        for member in effective {
            var own = Hasher()
            member.name.string.hashBytes(into: &own)
            own.combine(member.value)
            sum ^= own.finalize()
        }
        hasher.combine(sum)
    }
}

extension DefaultsObject: RandomAccessCollection {
    /// The position of the first member.
    public var startIndex: Int { members.startIndex }
    /// The position after the last member.
    public var endIndex: Int { members.endIndex }

    /// The member at a position, including a duplicate that does not count.
    public subscript(position: Int) -> Element { members[position] }
}

extension DefaultsObject: ExpressibleByDictionaryLiteral {
    /// Creates an object of the members in the order written.
    public init(dictionaryLiteral elements: (String, DefaultsValue)...) {
        self.init(elements.map { (key: $0.0, value: $0.1) })
    }
}
