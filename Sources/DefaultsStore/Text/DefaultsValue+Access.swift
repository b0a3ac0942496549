/// Reads one kind of value: each property is nil for a value of another kind and never converts.
extension DefaultsValue {
    /// Whether this is ``null``.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The Boolean.
    public var bool: Bool? {
        if case .bool(let bool) = self { bool } else { nil }
    }

    /// The number, if it is whole and fits: 3 for `3.0`, nil for `3.5`.
    public var int: Int? {
        if case .number(let number) = self { number.exactly(Int.self) } else { nil }
    }

    /// The nearest `Double`, nil for a number beyond its range.
    public var double: Double? {
        if case .number(let number) = self { number.double } else { nil }
    }

    /// The string.
    public var string: String? {
        if case .string(let string) = self { string } else { nil }
    }

    /// The elements.
    public var array: [DefaultsValue]? {
        if case .array(let array) = self { array } else { nil }
    }

    /// The members.
    public var object: DefaultsObject? {
        if case .object(let object) = self { object } else { nil }
    }

    /// The element at a position of an array, nil outside its bounds.
    public subscript(index: Int) -> DefaultsValue? {
        guard let array, array.indices.contains(index) else { return nil }
        return array[index]
    }

    /// The member of an object with that name.
    public subscript(key: String) -> DefaultsValue? {
        object?[key]
    }

    /// Whether arrays and objects are nested here more deeply; a file takes values of up to 128 levels.
    ///
    /// Looks no deeper than that, because a value may be deeper than a thread's stack.
    package func isDeeper(than levels: Int) -> Bool {
        switch self {
        case .null, .bool, .number, .string: false
        case .array(let elements): levels == 0 || elements.contains { $0.isDeeper(than: levels - 1) }
        case .verbatim(let verbatim): verbatim.depth > levels
        case .object(let members): levels == 0 || members.contains { $0.value.isDeeper(than: levels - 1) }
        }
    }
}
