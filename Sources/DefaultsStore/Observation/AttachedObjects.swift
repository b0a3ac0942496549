/// What a layer above this one keeps for a suite while there is a handle of it, found by a name and a type.
///
/// It may refer to the suite by ``DefaultsSuite/companion``: the cycle is broken when the last handle goes.
package final class AttachedObjects: Sendable {
    private struct Identity: Hashable {
        let name: KeyName
        let type: ObjectIdentifier
    }

    // A leaf; nothing is called under it.
    private let objects = Locked<[Identity: any AnyObject & Sendable]>([:])

    package init() {}

    package func object(_ name: KeyName, _ type: any Any.Type) -> (any AnyObject & Sendable)? {
        let identity = Identity(name: name, type: ObjectIdentifier(type))
        return objects.withLock { $0[identity] }
    }

    /// Keeps an object, unless there is one already.
    ///
    /// - Returns: the one that is kept.
    package func keep(
        _ fresh: any AnyObject & Sendable, _ name: KeyName, _ type: any Any.Type
    ) -> any AnyObject & Sendable {
        let identity = Identity(name: name, type: ObjectIdentifier(type))
        return objects.withLock { objects in
            let kept = objects[identity] ?? fresh
            objects[identity] = kept
            return kept
        }
    }

    func removeAll() {
        // Releasing it may run user code, so it leaves the lock first.
        let gone = objects.withLock { objects in
            defer { objects = [:] }
            return objects
        }
        withExtendedLifetime(gone) {}
    }
}
