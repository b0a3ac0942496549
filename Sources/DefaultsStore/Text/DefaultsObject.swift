/// The members of a JSON object in their order.
///
/// Names are compared by their UTF-8 bytes. If a name occurs twice, both members are kept, and the last one counts.
public struct DefaultsObject: Hashable, Sendable {
    /// One name with its value.
    public typealias Element = (key: String, value: DefaultsValue)

    private let members: [Element]
    /// Empty if there are so few members that searching them is quicker.
    private let positions: [KeyName: Int]

    /// Creates an object of these members, in this order.
    public init(_ members: some Sequence<Element>) {
        self.members = Array(members)
        var positions: [KeyName: Int] = [:]
        if self.members.count > 8 {
            positions.reserveCapacity(self.members.count)
            for (position, member) in self.members.enumerated() { positions[KeyName(member.key)] = position }
        }
        self.positions = positions
    }

    /// The value of the last member with that name.
    public subscript(key: String) -> DefaultsValue? {
        lastIndex(ofKey: key).map { members[$0].value }
    }

    private func lastIndex(ofKey key: String) -> Int? {
        guard positions.isEmpty else { return positions[KeyName(key)] }
        return members.lastIndex { $0.key.hasBytes(of: key) }
    }

    /// The members that count: of several with one name the last one.
    package var effective: some Sequence<Element> {
        members.indices.lazy.filter { lastIndex(ofKey: members[$0].key) == $0 }.map { members[$0] }
    }

    private var effectiveCount: Int {
        positions.isEmpty ? effective.reduce(0) { count, _ in count + 1 } : positions.count
    }

    /// Whether both have the same value for every name.
    public static func == (left: DefaultsObject, right: DefaultsObject) -> Bool {
        left.effectiveCount == right.effectiveCount && left.effective.allSatisfy { right[$0.key] == $0.value }
    }

    /// Hashes what `==` compares, regardless of the order.
    public func hash(into hasher: inout Hasher) {
        var sum = 0
        for member in effective {
            var own = Hasher()
            member.key.hashBytes(into: &own)
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
