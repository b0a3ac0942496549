/// What the command line says.
struct Options {
    /// The folder for everything that is written.
    var folder = ""
    var isMarkdown = false
    /// What is measured.
    var groups = Set(RowGroup.allCases)
    /// How much of it.
    var extent = Extent.whole

    /// Reads the words after the program's name; nil where they are none of ours.
    init?(_ words: [String]) {
        var seconds: Double?
        var words = words[...]
        while let word = words.popFirst() {
            switch word {
            case "--markdown": isMarkdown = true
            case "--quick": extent = .quick
            case "--folder": folder = words.popFirst() ?? ""
            case "--seconds":
                guard let given = words.popFirst().flatMap({ Double($0) }) else { return nil }
                seconds = given
            case "--rows":
                let named = (words.popFirst() ?? "").split(separator: ",").map {
                    RowGroup(rawValue: String($0))
                }
                guard !named.contains(nil) else { return nil }
                groups = Set(named.compactMap { $0 })
            default: return nil
            }
        }
        if let seconds { extent.seconds = seconds }
        guard !folder.isEmpty, extent.seconds > 0, !groups.isEmpty else { return nil }
    }
}

/// How much is measured: for how long, by how many processes, of how many keys.
struct Extent: Sendable {
    /// How long the sets of one figure go on; what is rare is measured six times as long.
    var seconds: Double
    /// How many processes listen, in one figure after the other.
    let listeners: [Int]
    /// For how many seconds another process has the lock that tasks wait for.
    let held: Double
    /// The keys of files that are small, of half a megabyte, and of 5 MB.
    let keys: (small: Int, middle: Int, large: Int)
    /// The bytes of one large value.
    let largeValue: Int
    /// How many suites are open.
    let suites: Int
    /// The keys that are read or written at once.
    let manyKeys: Int

    /// What the table is made of.
    static let whole = Extent(
        seconds: 5, listeners: [1, 10, 50, 100], held: 4,
        keys: (10, 23_000, 220_000), largeValue: 15_000_000, suites: 1_000, manyKeys: 100_000)

    /// Enough to see that each row can be measured.
    static let quick = Extent(
        seconds: 0.2, listeners: [1, 3], held: 0.1,
        keys: (10, 1_000, 5_000), largeValue: 200_000, suites: 30, manyKeys: 2_000)

    /// How many sets at a hundred a second that is, at least two.
    var sets: Int { max(2, Int(seconds * 100)) }

    /// The seconds for what happens a few times a second at most.
    var rare: Double { seconds * 6 }
}
