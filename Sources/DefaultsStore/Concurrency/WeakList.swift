/// Objects that the list does not keep alive.
///
/// To look at such an object is to refer to it, and while somebody looks, all other references may go. Then this one is
/// the last, and with it ends the object, and whatever people have put into it, whose code may do anything, such as
/// opening a suite. So the references that a look has made leave the lock, and are released by the caller.
struct WeakList<Object: AnyObject & Sendable>: Sendable {
    private let references = WeakReferences()

    /// The objects that are there, in the order in which they were added.
    var objects: [Object] { objects(from: 0).found }

    /// Returns the first object that is wanted; if there is none, adds one.
    ///
    /// - Parameters:
    ///   - isWanted: asked once for each object at most, with no lock held.
    ///   - make: makes the object to add, with no lock held; another thread may add one that is wanted before it.
    @discardableResult
    func first(where isWanted: (Object) -> Bool, orAdd make: () -> Object) -> Object {
        var (known, made) = (0, Object?.none)
        while true {
            let (found, added) = objects(from: known)
            if let object = found.first(where: isWanted) { return object }
            known = added
            let object = made ?? make()
            made = object
            if references.add(object, behind: known) { return object }
        }
    }

    private func objects(from known: Int) -> (found: [Object], added: Int) {
        let (found, added) = references.objects(from: known)
        // Sound because only objects of this type are added.
        return (found.map { unsafeDowncast($0, to: Object.self) }, added)
    }
}

/// The references of a list, whatever the type of its objects: a new process pays for each generic type that it uses.
private final class WeakReferences: Sendable {
    // Unchecked is sound because only the initialiser sets the reference, and the runtime clears it atomically. A class,
    // because a new process pays for its first array of a struct type, but not for one of objects.
    private final class Entry: @unchecked Sendable {
        private(set) weak var object: (any AnyObject & Sendable)?
        /// How many were added before this one, and itself.
        let number: Int

        init(_ object: any AnyObject & Sendable, _ number: Int) {
            (self.object, self.number) = (object, number)
        }
    }

    private struct State {
        /// In the order in which they were added.
        var entries: [Entry] = []
        /// How many were ever added.
        var added = 0
    }

    private let state = Locked(State())  // A leaf: nothing is taken, called or released under it.

    /// Returns the objects that were added behind so many others, and how many were added in all.
    func objects(from known: Int) -> (found: [any AnyObject & Sendable], added: Int) {
        state.withLock { state in
            var found: [any AnyObject & Sendable] = []
            var place = 0
            while place < state.entries.count {
                let entry = state.entries[place]
                if entry.number <= known {
                    place += 1
                } else if let object = entry.object {
                    found.append(object)
                    place += 1
                } else {
                    state.entries.remove(at: place)
                }
            }
            return (found, state.added)
        }
    }

    /// - Returns: false if others were added that the caller does not know.
    func add(_ object: any AnyObject & Sendable, behind known: Int) -> Bool {
        state.withLock { state in
            guard state.added == known else { return false }
            state.added += 1
            state.entries.append(Entry(object, state.added))
            return true
        }
    }
}
