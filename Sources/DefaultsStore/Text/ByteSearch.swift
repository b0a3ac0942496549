/// Some bytes, at least one, that are looked for among others.
///
/// By Horspool's way: the byte at the end of the place looked at says how far the next place is, mostly as far as
/// there are bytes wanted.
struct ByteSearch {
    private let wanted: [UInt8]
    /// For each byte, how far the search goes on where it stands at the end of a place that is none.
    private let steps: [Int]

    init(for wanted: [UInt8]) {
        precondition(!wanted.isEmpty, "nothing is everywhere")
        self.wanted = wanted
        var steps = [Int](repeating: wanted.count, count: 256)
        for (place, byte) in wanted.dropLast().enumerated() { steps[Int(byte)] = wanted.count - 1 - place }
        self.steps = steps
    }

    /// Where they stand first.
    func firstIndex(in bytes: [UInt8]) -> Int? {
        guard let last = wanted.last else { return nil }
        // Pointers, because the checks of arrays take half of the time; what is read lies before `bytes.count`, since
        // a place begins at `end - wanted.count + 1` at the earliest, which is not negative, and ends at `end`.
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
