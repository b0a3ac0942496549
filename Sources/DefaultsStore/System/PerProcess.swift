/// An object that each process has its own of: a forked child gets a new one at its first use.
struct PerProcess<Object: AnyObject & Sendable>: Sendable {
    private struct Present {
        var object: Object
        var fork = Fork.count
    }

    private let present: Kept

    /// A reference, so that copies share the lock.
    private final class Kept: Sendable {
        let make: @Sendable () -> Object
        let present: Locked<Present>  // A leaf: only takes what making the object takes.

        init(_ make: @escaping @Sendable () -> Object) {
            self.make = make
            present = Locked(Present(object: make()))
        }
    }

    init(_ make: @escaping @Sendable () -> Object) { present = Kept(make) }

    /// This process's own.
    var object: Object {
        let make = present.make
        return present.present.withLock { present in
            guard present.fork != Fork.count else { return present.object }
            // The ancestor's is never let go: what it kept for people, their code would see go in a strange process.
            _ = Unmanaged.passRetained(present.object)
            present = Present(object: make())
            return present.object
        }
    }
}
