import DefaultsStore
import Synchronization

/// Keeping a plain string.
extension HotSlot {
    /// Returns the value of a plain JSON string, kept for the next reads of a `String` key; nil if the text is not
    /// plain.
    ///
    /// If it is the one that is in the slot already, it is not made again.
    @inline(__always)
    func keepPlain(
        _ text: UnsafeBufferPointer<UInt8>, at moment: UInt64, _ cell: FreshnessCell.Place
    ) -> String? {
        // With an escape, the same bytes would mean another string.
        guard let plain = PlainText(text) else { return nil }
        let fingerprint = HotSlot.print(of: text)
        // What was replaced is released after the lock.
        let looked = kept.withLockIfAvailable { kept -> (value: String?, Replaced<String>, SuiteStamp?) in
            let place = UInt(bitPattern: cell)
            guard kept.isBefore(moment, place) else { return (plain.string, Replaced(), nil) }
            let old = kept.forgetFinding()
            if fingerprint == kept.fingerprint, kept.cell == place, let value = current(plain) {
                kept.moment = moment
                stamp.store(moment, ordering: .releasing)
                return (value, Replaced(), old)
            }
            guard let made = plain.string else { return (nil, Replaced(), old) }
            kept.fingerprint = fingerprint
            let replaced = put(made, at: moment, place, &kept, isOwn: true)
            return (made, replaced, old)
        }
        guard let looked else { return plain.string }
        return looked.value
    }

    /// Returns the string in the slot, if it has those bytes.
    @inline(__always)
    private func current(_ text: PlainText) -> String? {
        // Unsafe is sound because only the holder of the lock releases a value.
        let borrowed = UnsafePointer<String>(bitPattern: place.load(ordering: .relaxed))
        guard let current = borrowed?.pointee ?? self.text.current(),
            current.hasBytes(UnsafeRawBufferPointer(text.bytes))
        else { return nil }
        return current
    }

    /// Returns a number that strings with the same bytes have in common, and others hardly ever.
    @inline(__always)
    private static func print(of text: UnsafeBufferPointer<UInt8>) -> UInt64 {
        let bytes = UnsafeRawBufferPointer(text)
        guard bytes.count >= 8 else { return bytes.reduce(UInt64(bytes.count)) { $0 << 8 | UInt64($1) } }
        let first = bytes.loadUnaligned(as: UInt64.self)
        let last = bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self)
        return (first &* 0x9E37_79B9_7F4A_7C15) ^ last ^ UInt64(bytes.count) << 56
    }
}
