/// One visit to a store: the state it rests on and the changes it has staged.
// Unchecked is sound because only the visitor that passed the gate touches what varies, and the gate orders one
// visitor's accesses before the next one's; other threads look at `visitor` alone, which never changes.
package final class OpenTransaction: @unchecked Sendable {
    let visitor: Visitor
    /// The store that is visited.
    package let store: SuiteStore
    /// The state the visit rests on; replaced when a foreign save came between.
    package var base: SuiteSnapshot
    /// The proof of the writer's lock; nil in memory.
    var lock: HeldWriterLock?
    /// Whether the changes may rest on values that were read.
    let isRead: Bool
    /// The state that everything was read from.
    private let origin: SuiteSnapshot
    private var reads = ReadNotes()
    /// How many nested uses are inside.
    var depth = 1
    /// The first change that could not be staged where nothing could be thrown; the transaction fails with it.
    package var refusal: DefaultsError?

    /// The staged changes, each key once, in the order of their first staging.
    ///
    /// A nil value removes.
    package struct Changes: Sendable {
        package private(set) var order: [KeyName] = []
        private var values: [KeyName: StoredValue?] = [:]

        /// Whether everything stored is to go, what could not be read of a damaged file included.
        var removesAll = false

        var isEmpty: Bool { order.isEmpty }

        /// What is staged for a key: nothing, its removal (inner nil), or a value.
        func value(forKey key: KeyName) -> StoredValue?? { values[key] }

        /// The keys whose last change no observer of this process is to hear.
        private(set) var unheard: Set<KeyName> = []

        mutating func set(_ value: StoredValue?, forKey key: KeyName) {
            if Propagation.isOn { unheard.remove(key) } else { unheard.insert(key) }
            if values.updateValue(value, forKey: key) == nil { order.append(key) }
        }

        /// Those that differ from what is stored.
        func effective(on stored: StoredValues) -> [(key: KeyName, value: StoredValue?)] {
            order.compactMap { key in
                guard let value = values[key], stored.value(forKey: key) != value else { return nil }
                return (key, value)
            }
        }
    }

    package var changes = Changes()

    init(
        _ store: SuiteStore, visitor: Visitor, base: SuiteSnapshot, lock: consuming HeldWriterLock?,
        isRead: Bool
    ) {
        self.visitor = visitor
        self.store = store
        self.base = base
        origin = base
        self.lock = lock
        self.isRead = isRead
    }

    /// The stored value as this transaction sees it: its own change, else the state it rests on.
    package func stored(_ key: KeyName) throws(DefaultsError) -> StoredValue? {
        if let staged = changes.value(forKey: key) { return staged }
        reads.note(key)
        return try base.stored(key)
    }

    /// Notes that the result may rest on any stored value.
    func noteReadingAll() { reads.noteAll() }

    /// Whether something that was read is another now, in the state the visit has come to rest on.
    var hasReadOtherwise: Bool { base !== origin && reads.differ(between: origin.values, and: base.values) }
}
