/// The path from a whole value to the place of a coder in it.
///
/// A linked list that shares its beginning, because most paths are never read.
indirect enum CodingPath {
    case root
    case member(any CodingKey, of: CodingPath)
    case element(Int, of: CodingPath)

    /// The keys, outermost first.
    var keys: [any CodingKey] {
        var keys: [any CodingKey] = []
        var rest = self
        while true {
            switch rest {
            case .root:
                return keys.reversed()
            case .member(let key, let outer):
                keys.append(key)
                rest = outer
            case .element(let index, let outer):
                keys.append(ElementKey(index))
                rest = outer
            }
        }
    }
}

/// The place of an element in an array.
struct ElementKey: CodingKey {
    let index: Int

    init(_ index: Int) { self.index = index }
    init?(intValue: Int) { self.init(intValue) }
    init?(stringValue: String) { nil }

    var intValue: Int? { index }
    var stringValue: String { "Index \(index)" }
}

/// The name under which a class stores what its superclass encodes.
enum SuperKey: String, CodingKey {
    case `super`
}
