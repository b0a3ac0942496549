import DefaultsStore

/// Integers of 128 bits in every container.
///
/// The standard library has default implementations of these requirements, which throw. Without these methods
/// they would be preferred to the generic ones.
extension MemberEncoder {
    func encode(_ value: Int128, forKey key: Key) {
        partial.set(value.encoded(at: partial.place), forKey: key)
    }
    func encode(_ value: UInt128, forKey key: Key) {
        partial.set(value.encoded(at: partial.place), forKey: key)
    }
}

extension ElementEncoder {
    func encode(_ value: Int128) { partial.append(value.encoded(at: partial.place)) }
    func encode(_ value: UInt128) { partial.append(value.encoded(at: partial.place)) }
}

extension SingleValueEncoder {
    func encode(_ value: Int128) { partial.set(value.encoded(at: partial.place)) }
    func encode(_ value: UInt128) { partial.set(value.encoded(at: partial.place)) }
}

extension MemberDecoder {
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try member(key).decode(type) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try member(key).decode(type) }
}

extension ElementDecoder {
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try next(as: type) { try $0.decode(type) } }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
        try next(as: type) { try $0.decode(type) }
    }
}

extension SingleValueDecoder {
    func decode(_ type: Int128.Type) throws -> Int128 { try decoder.decode(type) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try decoder.decode(type) }
}
