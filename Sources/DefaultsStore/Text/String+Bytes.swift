/// Compares texts by their UTF-8 bytes: `==` on `String` would take composed and decomposed é for one.
extension String {
    private typealias Bits = (UInt, UInt)

    package func hasBytes(of other: String) -> Bool {
        #if _pointerBitWidth(_64)
            // Sound because only the bits are compared: the same short text, or the same storage.
            let (own, others) = (unsafeBitCast(self, to: Bits.self), unsafeBitCast(other, to: Bits.self))
            if own == others { return true }
        #endif
        guard utf8.count == other.utf8.count else { return false }
        var left = self
        var right = other
        // Pointers, because this is what each lookup comes down to and `utf8` alone doubles its time; they
        // are read inside the closures only.
        return left.withUTF8 { left in
            right.withUTF8 {
                SystemCalls.areEqual(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer($0))
            }
        }
    }

    func hashBytes(into hasher: inout Hasher) {
        hasher.combine(utf8.count)
        var text = self
        // A pointer, because feeding single bytes is slower still; it is read inside the closure only.
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
