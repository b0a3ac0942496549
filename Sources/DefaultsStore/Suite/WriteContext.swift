/// What a visit to a store rests on: a state, the writer's lock, and what of the state was read.
struct WriteContext: ~Copyable {
    /// The state; replaced when a foreign save came between, and by each commit.
    var base: SuiteSnapshot
    /// The proof of the writer's lock; nil in memory.
    var lock: HeldWriterLock?
    /// Whether the changes may rest on values that were read.
    let isRead: Bool
    /// Whether files that somebody has taken away are made again: not for what nobody asked for.
    let remakes: Bool
    /// Whether it may go before others who wait, where it is this process's turn.
    let takesTurn: Bool
    /// The state that everything was read from; nil where nothing is.
    private let origin: SuiteSnapshot?
    private var reads = ReadNotes()

    init(
        base: SuiteSnapshot, lock: consuming HeldWriterLock?, isRead: Bool, remakes: Bool = true,
        takesTurn: Bool = true
    ) {
        self.base = base
        self.lock = lock
        (self.isRead, self.remakes, self.takesTurn) = (isRead, remakes, takesTurn)
        origin = isRead ? base : nil
    }

    /// Notes that the result may rest on a key's stored value.
    mutating func noteReading(_ key: KeyName) { reads.note(key) }

    /// Notes that the result may rest on any stored value.
    mutating func noteReadingAll() { reads.noteAll() }

    /// Whether something that was read is another now, in the state the visit has come to rest on.
    var hasStaleReads: Bool {
        guard let origin, base !== origin else { return false }
        return reads.differ(between: origin.values, and: base.values)
    }
}
