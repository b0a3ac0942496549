/// Objects that the list does not keep alive, each of which is found by a number or two.
///
/// To find one takes as long with a thousand others as with none. Several may have one number, which is a hash, say.
///
/// To look at such an object is to refer to it, and while somebody looks, all other references may go. Then this one is
/// the last, and with it ends the object, and whatever people have put into it, whose code may do anything, such as
/// opening a suite. So the references that a look has made leave the lock, and are released by the caller.
struct WeakList<Object: AnyObject & Sendable>: Sendable {
    private let references = WeakReferences()

    /// The objects that are there; those with one first number in the order in which they were added.
    var objects: [Object] { WeakList.typed(references.all) }

    /// Returns the first object of some numbers that is wanted; if there is none, adds one.
    ///
    /// - Parameters:
    ///   - first: the number that an object has for life.
    ///   - second: a number that may be another one later; see ``move(_:at:to:)``.
    ///   - isWanted: asked once for each object at most, with no lock held.
    ///   - make: makes the object to add, with no lock held; another thread may add one that is wanted before it.
    @discardableResult
    func first(
        at first: Int = 0, or second: Int? = nil, where isWanted: (Object) -> Bool, orAdd make: () -> Object
    ) -> Object {
        var (known, made) = (0, Object?.none)
        while true {
            let (found, added) = references.objects(at: first, or: second, from: known)
            if let object = WeakList.typed(found).first(where: isWanted) { return object }
            known = added
            let object = made ?? make()
            made = object
            if references.add(object, at: first, or: second, behind: known) { return object }
        }
    }

    /// Has an object found by another second number, if it is in the list.
    func move(_ object: Object, at first: Int, to second: Int?) {
        references.move(object, at: first, to: second)
    }

    private static func typed(_ objects: [any AnyObject & Sendable]) -> [Object] {
        // Sound because only objects of this type are added.
        objects.map { unsafeDowncast($0, to: Object.self) }
    }
}

/// The references of a list, whatever the type of its objects: a new process pays for each generic type that it uses.
private final class WeakReferences: Sendable {
    // Unchecked is sound because only the initialiser sets the reference, which the runtime clears atomically. A class,
    // because a new process pays for its first array of a struct type, but not for one of objects.
    private final class Entry: @unchecked Sendable {
        private(set) weak var object: (any AnyObject & Sendable)?
        let id: ObjectIdentifier
        let number: Int
        /// How many objects were added before this one, and itself.
        let order: Int
        /// Whether the number is the object's second one, of two entries.
        let isSecond: Bool

        init(_ object: any AnyObject & Sendable, at number: Int, _ order: Int, isSecond: Bool = false) {
            (self.object, self.number, self.order, self.isSecond) = (object, number, order, isSecond)
            id = ObjectIdentifier(object)
        }
    }

    private struct State {
        /// By their numbers, and those of one number in the order in which they were added.
        var entries: [Entry] = []
        /// How many objects were ever added.
        var added = 0
        /// With how many entries those of objects that are gone are removed.
        var sweep = 16

        /// The first place behind all entries of lower numbers.
        func place(of number: Int) -> Int {
            var (begin, end) = (0, entries.count)
            while begin < end {
                let middle = (begin + end) / 2
                if entries[middle].number < number { begin = middle + 1 } else { end = middle }
            }
            return begin
        }

        /// The places of the entries of a number.
        func places(of number: Int) -> Range<Int> {
            let begin = place(of: number)
            return begin..<(number == .max ? entries.count : place(of: number + 1))
        }

        /// Whether the entry at a place is the second one of the object that was added as that one.
        func isSecond(_ place: Int, of order: Int) -> Bool {
            entries[place].isSecond && entries[place].order == order
        }

        mutating func insert(_ entry: Entry) {
            entries.insert(entry, at: places(of: entry.number).upperBound)
        }
    }

    private let state = Locked(State())  // A leaf: nothing is taken, called or released under it.

    /// All objects.
    var all: [any AnyObject & Sendable] {
        state.withLock { $0.entries.compactMap { $0.isSecond ? nil : $0.object } }
    }

    /// Returns the objects of some numbers that were added behind so many others, and how many were added in all.
    func objects(
        at first: Int, or second: Int?, from known: Int
    ) -> (found: [any AnyObject & Sendable], added: Int) {
        state.withLock { state in
            var found: [any AnyObject & Sendable] = []
            func find(_ number: Int) {
                for place in state.places(of: number) where state.entries[place].order > known {
                    guard let object = state.entries[place].object else { continue }
                    if !found.contains(where: { $0 === object }) { found.append(object) }
                }
            }
            find(first)
            if let second, second != first { find(second) }
            return (found, state.added)
        }
    }

    /// - Returns: false if others were added that the caller does not know.
    func add(_ object: any AnyObject & Sendable, at first: Int, or second: Int?, behind known: Int) -> Bool {
        let (isAdded, seen) = state.withLock { state -> (Bool, [any AnyObject & Sendable]) in
            guard state.added == known else { return (false, []) }
            let seen = WeakReferences.sweep(&state)
            state.added += 1
            state.insert(Entry(object, at: first, state.added))
            if let second { state.insert(Entry(object, at: second, state.added, isSecond: true)) }
            return (true, seen)
        }
        withExtendedLifetime(seen) {}
        return isAdded
    }

    func move(_ object: any AnyObject & Sendable, at first: Int, to second: Int?) {
        state.withLock { state in
            // The last one, because an object that is gone may have had the same address.
            let place = state.places(of: first).last {
                state.entries[$0].id == ObjectIdentifier(object) && !state.entries[$0].isSecond
            }
            guard let order = place.map({ state.entries[$0].order }) else { return }
            if let second, state.places(of: second).contains(where: { state.isSecond($0, of: order) }) {
                return
            }
            state.entries.removeAll { $0.isSecond && $0.order == order }
            if let second { state.insert(Entry(object, at: second, order, isSecond: true)) }
        }
    }

    /// Removes the entries of objects that are gone, once there are twice as many entries as were left the last time.
    ///
    /// - Returns: the other objects, which the caller releases with no lock held.
    private static func sweep(_ state: inout State) -> [any AnyObject & Sendable] {
        guard state.entries.count >= state.sweep else { return [] }
        var seen: [any AnyObject & Sendable] = []
        state.entries.removeAll { entry in
            guard let object = entry.object else { return true }
            seen.append(object)
            return false
        }
        state.sweep = max(16, 2 * state.entries.count)
        return seen
    }
}
