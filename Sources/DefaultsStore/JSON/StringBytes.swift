/// Compares strings by their UTF-8 bytes: `==` on `String` treats composed and decomposed é as equal.
extension String {
    private typealias Bits = (UInt, UInt)

    package func hasBytes(of other: String) -> Bool {
        #if _pointerBitWidth(_64)
            // Sound because only the bits are compared: the same short string, or the same storage.
            let (own, others) = (unsafeBitCast(self, to: Bits.self), unsafeBitCast(other, to: Bits.self))
            if own == others { return true }
        #endif
        return hasEqualBytes(to: other)
    }

    /// Never inlined, because names and values are compared in many places, which would all be compiled with it.
    @inline(never)
    private func hasEqualBytes(to other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        // Pointers, because each lookup comes down to this and `utf8` alone doubles its time; they are read inside
        // the closures only.
        let areEqual = utf8.withContiguousStorageIfAvailable { other.hasBytes(UnsafeRawBufferPointer($0)) }
        return areEqual ?? utf8.elementsEqual(other.utf8)
    }

    package func hasBytes(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let areEqual = utf8.withContiguousStorageIfAvailable {
            SystemCalls.areEqual(UnsafeRawBufferPointer($0), bytes)
        }
        return areEqual ?? utf8.elementsEqual(bytes)
    }

    func hashBytes(into hasher: inout Hasher) {
        hasher.combine(utf8.count)
        var text = self
        // A pointer, because feeding single bytes is even slower; it is read inside the closure only.
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
