/// Objects that the list does not keep alive, in the order in which they were added.
///
/// To look at such an object is to refer to it, and while somebody looks, all other references may go. Then this one is
/// the last, and with it ends the object, and whatever users have put into it, whose code may do anything, such as opening
/// a suite. So the references that a look has made leave the lock, and are released by the caller.
struct WeakList<Object: AnyObject & Sendable>: Sendable {
    private let references = WeakReferences()

    /// The objects that are there.
    var objects: [Object] { typed(references.all) }

    /// Returns the first object that is wanted; if there is none, adds one.
    ///
    /// - Parameters:
    ///   - isWanted: asked once for each object at most, with no lock held.
    ///   - make: makes the object to add, with no lock held; another thread may add one that is wanted before it.
    @discardableResult
    func first(where isWanted: (Object) -> Bool, orAdd make: () -> Object) -> Object {
        var (known, made) = (0, Object?.none)
        while true {
            let (found, added) = references.objects(behind: known)
            if let object = typed(found).first(where: isWanted) { return object }
            known = added
            let object = made ?? make()
            made = object
            if references.add(object, behind: known) { return object }
        }
    }

    private func typed(_ objects: [any AnyObject & Sendable]) -> [Object] {
        // Sound because only objects of this type are added.
        objects.map { unsafeDowncast($0, to: Object.self) }
    }
}

/// The references of a list, whatever the type of its objects: a new process pays for each generic class that it uses.
private final class WeakReferences: Sendable {
    // Unchecked is sound because only the initialiser sets the reference, which the runtime clears atomically.
    private final class Entry: @unchecked Sendable {
        private(set) weak var object: (any AnyObject & Sendable)?
        /// The number of objects added up to this one, itself included.
        let order: Int

        init(_ object: any AnyObject & Sendable, _ order: Int) { (self.object, self.order) = (object, order) }
    }

    private struct State {
        var entries: [Entry] = []
        /// How many objects were ever added.
        var added = 0

        func objects(behind known: Int = 0) -> [any AnyObject & Sendable] {
            entries.compactMap { $0.order > known ? $0.object : nil }
        }

        /// - Returns: the other objects, which the caller releases with no lock held.
        mutating func add(_ object: any AnyObject & Sendable) -> [any AnyObject & Sendable] {
            let present = objects()
            // None of them ends here, since the array has them.
            entries.removeAll { $0.object == nil }
            added += 1
            entries.append(Entry(object, added))
            return present
        }
    }

    private let state = Locked(State())  // A leaf: nothing is taken, called or released under it.

    var all: [any AnyObject & Sendable] { state.withLock { $0.objects() } }

    /// Returns the objects that were added behind so many others, and how many were added in all.
    func objects(behind known: Int) -> (found: [any AnyObject & Sendable], added: Int) {
        state.withLock { ($0.objects(behind: known), $0.added) }
    }

    /// - Returns: false if others were added that the caller does not know.
    func add(_ object: any AnyObject & Sendable, behind known: Int) -> Bool {
        let (isAdded, present) = state.withLock { state -> (Bool, [any AnyObject & Sendable]) in
            guard state.added == known else { return (false, []) }
            return (true, state.add(object))
        }
        withExtendedLifetime(present) {}
        return isAdded
    }
}
