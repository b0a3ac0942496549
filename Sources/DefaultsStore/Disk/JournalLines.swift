/// The records at the beginning of some lines, found while the lines are read piece by piece: what follows the first line that
/// is none need not be read, and may be of any length.
struct JournalLines {
    private(set) var records: [JournalRecord] = []
    /// How many bytes the records take.
    private(set) var count = 0
    /// What was taken behind them.
    private var rest: [UInt8] = []
    private let nonce: UInt64
    private var last: UInt64

    /// - Parameters:
    ///   - nonce: the header's; a record of another time of the journal ends it.
    ///   - generation: that of what stands before the lines: each record counts up from there.
    init(nonce: UInt64, after generation: UInt64) { (self.nonce, last) = (nonce, generation) }

    /// The records of later generations than one; they count up.
    func records(after generation: UInt64) -> [JournalRecord] {
        guard let first = records.first, first.generation <= generation else { return records }
        return records.filter { $0.generation > generation }
    }

    /// How many bytes were taken that are no record's, and no reserve.
    var surplus: Int { isReserve ? 0 : rest.count }
    /// How many zeros were taken behind the records, and nothing else.
    var reserve: Int { isReserve ? rest.count : 0 }

    private var isReserve: Bool { rest.count <= Journal.greatestReserve && Zeros.fill(rest[...]) }

    /// Goes on with the bytes behind those before.
    ///
    /// - Returns: whether there may be records behind them; not behind a line that is none, or cannot become one.
    mutating func take(_ piece: [UInt8]) -> Bool {
        var unsearched = rest.count
        if rest.isEmpty { rest = piece } else { rest += piece }
        var (start, isEnd) = (0, false)
        while !isEnd, let newline = LineEnd.firstIndex(in: rest, from: unsearched) {
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
        // Not cut off in place, since the records' values may be slices of it.
        if start > 0 { rest = start == rest.count ? [] : Array(rest[start...]) }
        return !isEnd && mayGoOn
    }

    private var mayGoOn: Bool {
        rest.count <= JournalRecord.longest
            && (JournalRecord.mayBegin(with: rest[...], nonce: nonce, after: last) || isReserve)
    }
}

extension JournalRecord {
    /// The most bytes that a line has: a transaction that sets all that a settings file may have, and removes all that
    /// another had, takes half of it.
    static let longest = 4 * SettingsFile.limit

    /// Whether bytes may be the beginning of a line that is yet to come to its end.
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
