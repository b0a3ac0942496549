import Synchronization

/// The changes of some states that follow each other, in one list that only grows: each state has the first so many
/// of them, so that the next one costs one place in the list and copies nothing.
///
/// Beside the list is a table of slots, twice as many as the list has room. Each key that was changed has one, which
/// names the last of its changes; that names the one before. A state that has fewer changes goes back until it meets
/// its own. The idea of the list is that of slices in Go that share their room, and the chains are those of databases
/// that keep versions.
///
/// Proof that a reader never meets what is being made. It goes by the slots, and by what a change names as the one
/// before. A slot names a change only after that was made, by a store that releases, and is loaded so that it
/// acquires; what a change names was made before it. Whoever goes through the first so many has their number from a
/// state that was published after they were made. A change, once made, stays as it is, and goes when nobody has the
/// list.
///
/// Proof that there is one writer at a time. Places are made by whoever has turned `isBusy` from false to true, and
/// it is turned back by a store that releases after `made` was raised. Who finds it true does not wait: the changes
/// are copied into a list of their own. So a child that was forked in between is not kept waiting for ever.
// Unchecked is sound because of the two proofs, and because the pointers keep their addresses for life.
final class ChangeLog: @unchecked Sendable {
    private struct Entry {
        /// Counted once, from `make` to the list's end, and not at each look.
        let change: Unmanaged<KeyChange>
        /// The place of the change of the same key before it; -1 for none.
        let previous: Int32
    }

    private let room: Int
    private let entries: UnsafeMutablePointer<Entry>
    /// One more than the place of the last change of a key; 0 for a slot no key has.
    private let slots: UnsafeMutablePointer<Atomic<Int32>>
    private let slotCount: Int
    /// How many places are made; only touched by whoever has made `isBusy` true.
    private var made = 0
    /// How many bytes the values have that others have replaced, and that are kept for states of then; likewise.
    private var replacedBytes = 0
    /// With more of them, those who go on have a list of their own, so that what is kept ends with those states.
    private static let mostReplaced = 1 << 20
    private let isBusy = Atomic<Bool>(false)

    /// - Parameter changes: of each key one at the most.
    init(_ changes: [KeyChange]) {
        // Room for three times as many again, so that of three that are added one is copied later.
        var room = 32
        while room < 4 * changes.count { room *= 2 }
        (self.room, slotCount) = (room, 2 * room)
        entries = .allocate(capacity: room)
        slots = .allocate(capacity: slotCount)
        for slot in 0..<slotCount { (slots + slot).initialize(to: Atomic(0)) }
        for change in changes { make(change) }
    }

    deinit {
        for place in 0..<made { entries[place].change.release() }
        entries.deallocate()
        slots.deinitialize(count: slotCount)
        slots.deallocate()
    }

    /// Where the last change of a key stands among the first so many; nil for none.
    private func place(ofKey key: KeyName, among count: Int) -> Int? {
        let last = slots[slot(of: key)].load(ordering: .acquiring)
        var place = Int(last) - 1
        while place >= count { place = Int(entries[place].previous) }
        return place < 0 ? nil : place
    }

    /// The last change of a key among the first so many.
    func change(ofKey key: KeyName, among count: Int) -> KeyChange? {
        place(ofKey: key, among: count).map { entries[$0].change.takeUnretainedValue() }
    }

    /// The value that it set; nil where there is no change, and in it where the key was removed.
    func value(ofKey key: KeyName, among count: Int) -> StoredValue?? {
        place(ofKey: key, among: count).map { entries[$0].change._withUnsafeGuaranteedRef { $0.value } }
    }

    /// Runs a body with the bytes of it, which are not counted for that; false where there is no change.
    @inline(__always)
    func withText(ofKey key: KeyName, among count: Int, _ body: (UnsafeBufferPointer<UInt8>?) -> Void) -> Bool
    {
        guard let place = place(ofKey: key, among: count) else { return false }
        entries[place].change._withUnsafeGuaranteedRef { change in
            if change.value?.bytes.withUnsafeBufferPointer(body) == nil { body(nil) }
        }
        return true
    }

    /// Of the first so many, or of those of them that follow a state's, the last of each key, in the order in which
    /// the keys were first changed there.
    func lastChanges(from start: Int = 0, among count: Int) -> [KeyChange] {
        // By their places, since most are replaced by later ones and need not be counted.
        var last: [Int] = []
        /// Where each place's key is among them.
        var turns: [Int] = []
        turns.reserveCapacity(count - start)
        for place in start..<count {
            let previous = Int(entries[place].previous)
            if previous < start {
                turns.append(last.count)
                last.append(place)
            } else {
                let turn = turns[previous - start]
                turns.append(turn)
                last[turn] = place
            }
        }
        return last.map { entries[$0].change.takeUnretainedValue() }
    }

    /// Adds a change behind the first so many.
    ///
    /// Who has read the same record finds it there already.
    ///
    /// - Returns: false where that is not possible: another one stands there, or somebody is at it, or there is no
    ///   room.
    func add(_ change: KeyChange, behind count: Int) -> Bool {
        guard !isBusy.exchange(true, ordering: .acquiring) else { return false }
        defer { isBusy.store(false, ordering: .releasing) }
        if count < made {
            let other = entries[count].change.takeUnretainedValue()
            return other === change || other.key == change.key && other.value == change.value
        }
        guard made < room, replacedBytes <= ChangeLog.mostReplaced else { return false }
        make(change)
        return true
    }

    private func make(_ change: KeyChange) {
        let slot = slot(of: change.key)
        let previous = slots[slot].load(ordering: .relaxed) - 1
        if previous >= 0 {
            replacedBytes += entries[Int(previous)].change._withUnsafeGuaranteedRef {
                $0.value?.bytes.count ?? 0
            }
        }
        (entries + made).initialize(to: Entry(change: .passRetained(change), previous: previous))
        made += 1
        slots[slot].store(Int32(made), ordering: .releasing)
    }

    /// The slot that a key has, or would be given; there are always some that no key has.
    private func slot(of key: KeyName) -> Int {
        var slot = Int(key.hash) & (slotCount - 1)
        while true {
            let last = slots[slot].load(ordering: .acquiring)
            if last == 0 || isOf(key, entries[Int(last) - 1]) { return slot }
            slot = (slot + 1) & (slotCount - 1)
        }
    }

    @inline(__always)
    private func isOf(_ key: KeyName, _ entry: Entry) -> Bool {
        entry.change._withUnsafeGuaranteedRef { $0.key == key }
    }
}
