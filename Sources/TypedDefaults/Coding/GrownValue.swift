import DefaultsStore

/// Reading a value from before its type got more members.
extension DefaultsCodec {
    /// Returns the value of a text.
    ///
    /// A required member that the text lacks comes from the first of other texts that has it at the same
    /// path. Elements of lists have no path in another list.
    ///
    /// - Parameter lower: returns the other texts; called only if a member is missing.
    /// - Cost: decodes once more for each missing member.
    package func decode(_ text: StoredValue, over lower: () throws -> [StoredValue]) throws -> Value {
        var bytes = Array(text.bytes)
        var grown: (value: DefaultsValue, others: [DefaultsValue])?
        while true {
            do { return try decode(bytes) } catch DecodingError.keyNotFound(let key, let context) {
                let present = try grown ?? (text.value, lower().map(\.value))
                let path = (context.codingPath + [key]).map(\.stringValue)
                guard let value = present.value.adding(path[...], from: present.others) else {
                    throw DecodingError.keyNotFound(key, context)
                }
                bytes = Array(StoredValue(value).bytes)
                grown = (value, present.others)
            }
        }
    }
}

extension DefaultsValue {
    /// Returns this value with the member at a path, from the first of other values that has it.
    ///
    /// Nil if none has it, or if this one has it already.
    package func adding(_ path: ArraySlice<String>, from others: [DefaultsValue]) -> DefaultsValue? {
        guard let name = path.first, case .object(let members) = self else { return nil }
        let others = others.compactMap { $0[name] }
        let added: DefaultsValue?
        if path.count == 1 {
            added = members[name] == nil ? others.first { !$0.isNull } : nil
        } else {
            added = members[name]?.adding(path.dropFirst(), from: others)
        }
        guard let added else { return nil }
        let key = KeyName(name)
        return .object(DefaultsObject(members.effective.filter { $0.name != key } + [(key, added)]))
    }
}
