/// Writes bytes one after the other into a buffer with room for all of them: the journal's lines.
///
/// Appending to an array checks at each step whether the array is uniquely owned and long enough.
struct ByteWriter: ~Copyable {
    // Unsafe is sound because the buffer outlives the writer, which only `using` creates, and every write goes
    // through `place(for:)`, which stops the program before a write would leave the buffer.
    private let room: UnsafeMutablePointer<UInt8>
    private let capacity: Int
    private(set) var count = 0

    private init(_ room: UnsafeMutablePointer<UInt8>, _ capacity: Int) {
        (self.room, self.capacity) = (room, capacity)
    }

    /// Traps if it writes more than it announced.
    static func bytes(atMost count: Int, _ body: (inout ByteWriter) -> Void) -> [UInt8] {
        using(atMost: count) { writer in
            body(&writer)
            return [UInt8](writer.written(from: 0))
        }
    }

    /// Traps if more is written than was announced.
    static func using<Result>(atMost count: Int, _ body: (inout ByteWriter) -> Result) -> Result {
        SystemCalls.withRoom(forBytes: count) { room in
            guard let start = room.baseAddress else { preconditionFailure("room always has an address") }
            var writer = ByteWriter(start, room.count)
            return body(&writer)
        }
    }

    @inline(__always)
    private mutating func place(for more: Int) -> UnsafeMutablePointer<UInt8> {
        precondition(more <= capacity - count, "more bytes than there is room for")
        let place = room + count
        count += more
        return place
    }

    /// Zeros for now.
    @inline(__always)
    mutating func skip(_ more: Int) { place(for: more).initialize(repeating: 0, count: more) }

    @inline(__always)
    mutating func put(_ byte: UInt8) { place(for: 1).initialize(to: byte) }

    @inline(__always)
    mutating func put(_ text: StaticString) {
        place(for: text.utf8CodeUnitCount).initialize(from: text.utf8Start, count: text.utf8CodeUnitCount)
    }

    mutating func put(_ bytes: ArraySlice<UInt8>) { bytes.withUnsafeBufferPointer { put($0) } }

    @inline(__always)
    private mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        place(for: bytes.count).initialize(from: start, count: bytes.count)
    }

    mutating func put(decimal number: Int32) {
        if number < 0 { put(UInt8(ascii: "-")) }
        var rest = UInt64(number.magnitude)
        var (digits, bound) = (1, 10 as UInt64)
        while rest >= bound {
            bound *= 10
            digits += 1
        }
        let place = place(for: digits)
        while digits > 0 {
            digits -= 1
            (place + digits).initialize(to: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        }
    }

    /// In lower case.
    @inline(__always)
    mutating func put(hexadecimal number: UInt64, digits: Int) {
        ByteWriter.fill(place(for: digits), digits, number)
    }

    /// Overwrites the bytes at an index.
    @inline(__always)
    mutating func put(hexadecimal number: UInt64, digits: Int, at start: Int) {
        precondition(start >= 0 && start + digits <= count, "nothing stands there yet")
        ByteWriter.fill(room + start, digits, number)
    }

    @inline(__always)
    private static func fill(_ place: UnsafeMutablePointer<UInt8>, _ count: Int, _ number: UInt64) {
        let high = Hexadecimal.digits(UInt32(number >> 32))
        let low = Hexadecimal.digits(UInt32(truncatingIfNeeded: number))
        withUnsafeBytes(of: (high, low)) {
            let digits = UnsafeRawBufferPointer(rebasing: $0[(16 - count)...])
            UnsafeMutableRawBufferPointer(start: place, count: count).copyMemory(from: digits)
        }
    }

    /// Quotes included.
    mutating func put(quoted name: KeyName) {
        if name.hasHalves { return put(name.quoted[...]) }
        let text = name.string
        // A pointer, because a key without anything to escape is copied as a whole; it is read inside the closure
        // only.
        let isPlain = text.utf8.withContiguousStorageIfAvailable { bytes in
            guard bytes.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") })
            else { return false }
            put(UInt8(ascii: "\""))
            put(bytes)
            put(UInt8(ascii: "\""))
            return true
        }
        if isPlain != true { put(JSONWriter.quoted(text)[...]) }
    }

    /// Valid until more is written.
    @inline(__always)
    func written(from start: Int) -> UnsafeBufferPointer<UInt8> {
        precondition(start >= 0 && start <= count, "nothing stands there yet")
        return UnsafeBufferPointer(start: room + start, count: count - start)
    }
}
