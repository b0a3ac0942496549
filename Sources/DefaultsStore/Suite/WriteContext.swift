/// What a visit to a store is based on: a state, the writer's lock, and what was read of the state.
struct WriteContext: ~Copyable {
    /// The state; replaced by each commit, and when another program has saved in between.
    var base: SuiteSnapshot
    /// The proof of the writer's lock; nil in memory.
    var lock: HeldWriterLock?
    /// Whether the changes may depend on values that were read.
    let isRead: Bool
    /// Whether files that somebody has removed are created again: not for work that nobody asked for.
    let remakes: Bool
    /// Whether the visit may go before others who wait, if it is this process's turn.
    let takesTurn: Bool
    /// The state that everything was read from; nil if nothing is read.
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

    /// Notes that the result may depend on a key's stored value.
    mutating func noteReading(_ key: KeyName) { reads.note(key) }

    /// Notes that the result may depend on any stored value.
    mutating func noteReadingAll() { reads.noteAll() }

    /// Whether something that was read is different in the state that the visit is based on now.
    var hasStaleReads: Bool {
        guard let origin, base !== origin else { return false }
        return reads.differ(between: origin.values, and: base.values)
    }
}
