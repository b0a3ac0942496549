/// The records at the beginning of some lines, found while the lines are read piece by piece.
///
/// What follows the first line that is not a record need not be read, and may be of any length.
struct JournalLines {
    private(set) var records: [JournalRecord] = []
    /// How many bytes the records take.
    private(set) var count = 0
    /// What was taken after them.
    private var rest: [UInt8] = []
    private let nonce: UInt64
    private var last: UInt64

    /// Creates a reader of lines.
    ///
    /// - Parameters:
    ///   - nonce: the header's; a record of another run of the journal ends the list.
    ///   - generation: that of what precedes the lines: each record counts up from there.
    init(nonce: UInt64, after generation: UInt64) { (self.nonce, last) = (nonce, generation) }

    /// In ascending order.
    func records(after generation: UInt64) -> [JournalRecord] {
        guard let first = records.first, first.generation <= generation else { return records }
        return records.filter { $0.generation > generation }
    }

    /// The number of bytes that belong neither to a record nor to a reserve.
    var surplus: Int { isReserve ? 0 : rest.count }
    /// The number of zeros after the records, if there was nothing else.
    var reserve: Int { isReserve ? rest.count : 0 }

    private var isReserve: Bool { rest.count <= Journal.greatestReserve && SystemCalls.areZeros(rest[...]) }

    /// Continues with the bytes that follow the previous ones.
    ///
    /// - Returns: whether more records may follow: not after a line that is not a record, or cannot become one.
    mutating func take(_ piece: [UInt8]) -> Bool {
        var unsearched = rest.count
        if rest.isEmpty { rest = piece } else { rest += piece }
        var (start, isEnd) = (0, false)
        while !isEnd, let newline = SystemCalls.firstIndex(of: UInt8(ascii: "\n"), in: rest, from: unsearched)
        {
            if let record = JournalRecord(rest[start..<newline], nonce: nonce), record.generation > last {
                records.append(record)
                last = record.generation
                start = newline + 1
                unsearched = start
            } else {
                isEnd = true
            }
        }
        count += start
        // Not removed in place, because the records' values may be slices of it.
        if start > 0 { rest = start == rest.count ? [] : Array(rest[start...]) }
        return !isEnd && mayGoOn
    }

    private var mayGoOn: Bool {
        rest.count <= JournalRecord.longest
            && (JournalRecord.mayBegin(with: rest[...], nonce: nonce, after: last) || isReserve)
    }
}

extension JournalRecord {
    /// The most bytes of a line: a transaction that sets all that a settings file may have, and removes all that
    /// another one had, takes half of that.
    static let longest = 4 * SettingsFile.limit

    /// Whether bytes may be the beginning of a line whose end is still to come.
    static func mayBegin(
        with bytes: ArraySlice<UInt8>, nonce: UInt64, after generation: UInt64
    ) -> Bool {
        guard bytes.count >= front else { return true }
        let start = bytes.startIndex
        guard Hexadecimal.number(bytes[start + 9..<start + 25]) == nonce,
            let own = Hexadecimal.number(bytes[start + 26..<start + 42])
        else { return false }
        return own > generation
    }
}
