/// The values of an enumeration without associated values, which need not be `CaseIterable`.
///
/// Coding keys are such enumerations, and only their values have the names of a type's members and cases.
enum EnumerationCases {
    /// The values; nil for any other type, and for an enumeration of more than 256 cases.
    static func all<Value>(of type: Value.Type) -> [Value]? {
        guard isEnumeration(type), MemoryLayout<Value>.size <= 1, let count = count(in: type) else {
            return nil
        }
        return (0..<count).map { number in
            // Sound because the values of an enumeration without associated values are the numbers below that of its
            // cases, in the least number of bytes, as "Type Layout" in the documents of Swift's ABI says. Otherwise
            // `EnumerationCasesTests` would fail.
            withUnsafeBytes(of: UInt8(number)) { $0.load(as: Value.self) }
        }
    }

    /// The number of cases; nil if there are none, or one has associated values.
    private static func count(in type: any Any.Type) -> Int? {
        // Sound because the second word of an enumeration's metadata is the address of its descriptor, whose sixth and
        // seventh numbers of 32 bits are those of cases with and without associated values ("Type Metadata").
        let descriptor = unsafeBitCast(type, to: UnsafePointer<UnsafePointer<UInt32>>.self)[1]
        let (others, count) = (descriptor[5] & 0xFF_FFFF, Int(descriptor[6]))
        return others == 0 && (1...256).contains(count) ? count : nil
    }
}
