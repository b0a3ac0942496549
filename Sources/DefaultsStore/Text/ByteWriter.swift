/// Writes bytes one behind the other into room that was made for all of them: the journal's lines.
///
/// Appending to an array looks at each step whether the array is its only owner's and long enough.
struct ByteWriter: ~Copyable {
    // Unsafe is sound because the room outlives the writer, which only `using` makes, and every write goes through
    // `place(for:)`, which stops the program before one would leave the room.
    private let room: UnsafeMutableBufferPointer<UInt8>
    /// How many bytes there are.
    private(set) var count = 0

    private init(_ room: UnsafeMutableBufferPointer<UInt8>) { self.room = room }

    /// The bytes that a body writes.
    ///
    /// Traps where it writes more than it said.
    static func bytes(atMost count: Int, _ body: (inout ByteWriter) -> Void) -> [UInt8] {
        using(atMost: count) { writer in
            body(&writer)
            return [UInt8](writer.written(from: 0))
        }
    }

    /// Runs a body with a writer, on the stack where the room is small.
    ///
    /// Traps where more is written than was said.
    static func using<Result>(atMost count: Int, _ body: (inout ByteWriter) -> Result) -> Result {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { room in
            var writer = ByteWriter(room)
            return body(&writer)
        }
    }

    /// Where so many bytes more go.
    @inline(__always)
    private mutating func place(for more: Int) -> UnsafeMutableBufferPointer<UInt8> {
        precondition(count + more <= room.count, "more bytes than there is room for")
        defer { count += more }
        return UnsafeMutableBufferPointer(rebasing: room[count..<count + more])
    }

    /// Leaves room that is filled later, zeros for now.
    mutating func skip(_ more: Int) { place(for: more).initialize(repeating: 0) }

    /// Writes one byte.
    @inline(__always)
    mutating func put(_ byte: UInt8) { place(for: 1).initialize(repeating: byte) }

    /// Writes a text of our own.
    @inline(__always)
    mutating func put(_ text: StaticString) {
        let bytes = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        _ = place(for: bytes.count).initialize(from: bytes)
    }

    /// Writes bytes.
    mutating func put(_ bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBufferPointer { _ = place(for: $0.count).initialize(from: $0) }
    }

    /// Writes a number in decimal digits.
    mutating func put(decimal number: Int32) {
        var rest = number.magnitude
        var digits = 1
        while rest > 9 {
            rest /= 10
            digits += 1
        }
        if number < 0 { put(UInt8(ascii: "-")) }
        let place = place(for: digits)
        rest = number.magnitude
        for index in stride(from: digits - 1, through: 0, by: -1) {
            place.initializeElement(at: index, to: UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        }
    }

    /// Writes so many lower-case hexadecimal digits of a number.
    mutating func put(hexadecimal number: UInt64, digits: Int) {
        ByteWriter.fill(place(for: digits), number)
    }

    /// Writes them in place of what stands at an index.
    mutating func put(hexadecimal number: UInt64, digits: Int, at start: Int) {
        ByteWriter.fill(UnsafeMutableBufferPointer(rebasing: room[start..<start + digits]), number)
    }

    @inline(__always)
    private static func fill(_ place: UnsafeMutableBufferPointer<UInt8>, _ number: UInt64) {
        let high = Hexadecimal.digits(UInt32(number >> 32))
        let low = Hexadecimal.digits(UInt32(truncatingIfNeeded: number))
        withUnsafeBytes(of: (high, low)) {
            let digits = UnsafeRawBufferPointer(rebasing: $0[(16 - place.count)...])
            UnsafeMutableRawBufferPointer(place).copyMemory(from: digits)
        }
    }

    /// Writes a text as JSON, quotes included.
    mutating func put(quoted text: String) {
        var text = text
        // A pointer, because a key without anything to escape is copied whole; it is read inside the closure only.
        let isPlain = text.withUTF8 { bytes in
            guard bytes.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") })
            else { return false }
            put(UInt8(ascii: "\""))
            _ = place(for: bytes.count).initialize(from: bytes)
            put(UInt8(ascii: "\""))
            return true
        }
        if !isPlain { put(JSONWriter.quoted(text)[...]) }
    }

    /// What was written from an index on, as a sequence that is good until more is.
    func written(from start: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: room[start..<count])
    }
}
