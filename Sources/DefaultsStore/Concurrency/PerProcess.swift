/// An object of which each process has its own: a forked child gets a new one at its first use.
struct PerProcess<Object: AnyObject & Sendable>: Sendable {
    private struct Present {
        var object: Object
        var fork = Fork.count
    }

    private let present: Kept

    /// A class, so that copies share the lock.
    private final class Kept: Sendable {
        let make: @Sendable () -> Object
        let present: Locked<Present>  // A leaf: only takes what making the object takes.

        init(_ make: @escaping @Sendable () -> Object) {
            self.make = make
            present = Locked(Present(object: make()))
        }
    }

    init(_ make: @escaping @Sendable () -> Object) { present = Kept(make) }

    /// This process's own object.
    var object: Object {
        let make = present.make
        return present.present.withLock { present in
            guard present.fork != Fork.count else { return present.object }
            // The ancestor's object is never released: the user's objects that it keeps would be deinitialised in a
            // process that is not theirs.
            _ = Unmanaged.passRetained(present.object)
            present = Present(object: make())
            return present.object
        }
    }
}
