/// Some bytes, at least one, that are searched for among others.
///
/// Horspool's algorithm: the byte at the end of the position being examined says how far away the next position is,
/// usually as many bytes as are searched for.
struct ByteSearch {
    private let wanted: [UInt8]
    /// For each byte, how far the search advances if that byte is at the end of a position without a match.
    private let steps: [Int]

    init(for wanted: [UInt8]) {
        precondition(!wanted.isEmpty, "nothing is everywhere")
        self.wanted = wanted
        var steps = [Int](repeating: wanted.count, count: 256)
        for (place, byte) in wanted.dropLast().enumerated() { steps[Int(byte)] = wanted.count - 1 - place }
        self.steps = steps
    }

    /// Returns where they occur first.
    func firstIndex(in bytes: [UInt8]) -> Int? {
        guard let last = wanted.last else { return nil }
        // Pointers, because the bounds checks of arrays take half of the time; what is read lies before
        // `bytes.count`, because a position begins at `end - wanted.count + 1` at the earliest, which is not
        // negative, and ends at `end`.
        return bytes.withUnsafeBufferPointer { bytes in
            steps.withUnsafeBufferPointer { steps in
                var end = wanted.count - 1
                while end < bytes.count {
                    let byte = bytes[end]
                    let start = end - wanted.count + 1
                    if byte == last, bytes[start...end].elementsEqual(wanted) { return start }
                    end += steps[Int(byte)]
                }
                return nil
            }
        }
    }
}
