/// Copies a text from front to back, with pieces left out or put in.
struct TextCopier {
    private let source: [UInt8]
    private var taken = 0
    private var copy: [UInt8] = []

    /// - Parameter room: how much longer the copy becomes, about.
    init(_ source: [UInt8], room: Int = 256) {
        self.source = source
        copy.reserveCapacity(source.count + room)
    }

    /// How far the text from here on has moved.
    var shift: Int { copy.count - taken }

    mutating func insert(_ bytes: some Collection<UInt8>, at index: Int) {
        replace(index..<index, with: bytes)
    }

    /// Leaves out a piece; what was left out before stays so.
    mutating func cut(_ range: Range<Int>) {
        replace(range, with: [])
    }

    /// Replaces a piece by bytes; it must not begin before the last one.
    mutating func replace(_ range: Range<Int>, with bytes: some Collection<UInt8>) {
        if range.lowerBound > taken { copy += source[taken..<range.lowerBound] }
        copy += bytes
        taken = max(taken, range.upperBound)
    }

    /// Returns the copy with the rest of the source.
    consuming func finished() -> [UInt8] {
        copy += source[taken...]
        return copy
    }
}
