import Synchronization

/// The changes of consecutive states, in one list that only grows: each state has the first n of them, so that the
/// next state costs one entry and copies nothing.
///
/// Beside the list is a table of slots, twice as many as the list has room for entries. Each key that was changed has
/// a slot, which names the last of its changes; each change names the previous one of its key. A state that has fewer
/// changes follows that chain until it meets one of its own. The list resembles slices in Go that share their
/// storage, and the chains are those of databases that keep versions.
///
/// Proof that a reader never finds an incomplete change. It follows the slots, and the links to previous changes. A
/// slot names a change only after that was made, by a releasing store, and is loaded with acquire semantics; a change
/// links only to changes made before it. A reader that goes through the first n changes has n from a state that was
/// published after they were made. A change, once made, is never modified, and is freed when nobody holds the list.
///
/// Proof that there is one writer at a time. Entries are made by the thread that has changed `isBusy` from false to
/// true, and it is changed back by a releasing store after `made` was raised. A thread that finds it true does not
/// wait: the changes are copied into a list of their own.
// Unchecked is sound because of the two proofs, and because the pointers keep their addresses for life.
final class ChangeLog: @unchecked Sendable {
    private struct Entry {
        /// Retained once, from `make` to the list's end, and not at each read.
        let change: Unmanaged<StoredChange>
        /// Of the same key; -1 for none.
        let previous: Int32
    }

    private let room: Int
    private let entries: UnsafeMutablePointer<Entry>
    /// One more than the index of a key's last change; 0 for an unused slot.
    private let slots: UnsafeMutablePointer<Atomic<Int32>>
    private let slotCount: Int
    /// How many entries have been made; only touched by the thread that has made `isBusy` true.
    private var made = 0
    /// The total size of the values that have been replaced but are kept for earlier states; guarded in the same way.
    private var replacedBytes = 0
    /// If there are more, later states get a list of their own, so that what is kept ends with the earlier states.
    private static let mostReplaced = 1 << 20
    private let isBusy = Atomic<Bool>(false)

    /// - Parameter changes: at most one for each key.
    init(_ changes: [StoredChange]) {
        // Room for three times as many again, so that for each three that are added, one is copied later.
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

    private func place(ofKey key: KeyName, among count: Int) -> Int? {
        let last = slots[slot(of: key)].load(ordering: .acquiring)
        var place = Int(last) - 1
        while place >= count { place = Int(entries[place].previous) }
        return place < 0 ? nil : place
    }

    func change(ofKey key: KeyName, among count: Int) -> StoredChange? {
        place(ofKey: key, among: count).map { entries[$0].change.takeUnretainedValue() }
    }

    /// Nil without a change; an inner nil if the key was removed.
    func value(ofKey key: KeyName, among count: Int) -> StoredValue?? {
        place(ofKey: key, among: count).map { entries[$0].change._withUnsafeGuaranteedRef { $0.value } }
    }

    /// Counts no reference; false without a change.
    @inline(__always)
    func withText(ofKey key: KeyName, among count: Int, _ body: (UnsafeBufferPointer<UInt8>?) -> Void) -> Bool
    {
        guard let place = place(ofKey: key, among: count) else { return false }
        entries[place].change._withUnsafeGuaranteedRef { change in
            if change.value?.bytes.withUnsafeBufferPointer(body) == nil { body(nil) }
        }
        return true
    }

    /// In the order in which the keys were first changed.
    func lastChanges(among count: Int) -> [StoredChange] {
        // By their indices, because most changes are replaced by later ones and need not be retained.
        var last: [Int] = []
        var turns: [Int] = []
        turns.reserveCapacity(count)
        for place in 0..<count {
            let previous = Int(entries[place].previous)
            if previous < 0 {
                turns.append(last.count)
                last.append(place)
            } else {
                let turn = turns[previous]
                turns.append(turn)
                last[turn] = place
            }
        }
        return last.map { entries[$0].change.takeUnretainedValue() }
    }

    /// Adds a change after the first n.
    ///
    /// A thread that has read the same record finds it there already.
    ///
    /// - Returns: false if that is not possible: another change is there, another thread is adding one, or there is
    ///   no room.
    func add(_ change: StoredChange, behind count: Int) -> Bool {
        guard !isBusy.exchange(true, ordering: .acquiring) else { return false }
        defer { isBusy.store(false, ordering: .releasing) }
        if count < made {
            let other = entries[count].change.takeUnretainedValue()
            return other === change
                || other.key == change.key && other.value == change.value && other.patch == change.patch
        }
        guard made < room, replacedBytes <= ChangeLog.mostReplaced else { return false }
        make(change)
        return true
    }

    private func make(_ change: StoredChange) {
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

    /// The key's slot, or the one it would get; there are always unused ones.
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
