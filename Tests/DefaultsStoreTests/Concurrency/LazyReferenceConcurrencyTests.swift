import DefaultsStore
import Synchronization
import TestSupport
import Testing

/// An object made at its first use: everybody has the same one, and none is left over.
@Suite struct LazyReferenceConcurrencyTests {
    private final class Counted: Sendable {
        let alive: Alive

        init(_ alive: Alive) {
            self.alive = alive
            alive.count.add(1, ordering: .sequentiallyConsistent)
        }

        deinit { alive.count.subtract(1, ordering: .sequentiallyConsistent) }
    }

    private final class Alive: Sendable { let count = Atomic<Int>(0) }

    private final class Holder: Sendable { let reference = LazyReference<Counted>() }

    @Test func `threads that make one at once all get the same`() async {
        for _ in 0..<200 {
            let (alive, holder) = (Alive(), Holder())
            let found = await withTaskGroup(of: ObjectIdentifier.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        let mine = holder.reference.load() ?? holder.reference.storeIfNil(Counted(alive))
                        return ObjectIdentifier(mine)
                    }
                }
                return await group.reduce(into: Set<ObjectIdentifier>()) { $0.insert($1) }
            }
            #expect(found.count == 1)
            // Those that came too late are gone.
            #expect(alive.count.load(ordering: .sequentiallyConsistent) == 1)
        }
    }

    @Test func `it goes with the one that holds it`() {
        let alive = Alive()
        var holder: Holder? = Holder()
        #expect(holder?.reference.load() == nil)
        let first = holder?.reference.storeIfNil(Counted(alive)).alive
        #expect(first === alive)
        _ = holder?.reference.storeIfNil(Counted(alive))
        #expect(alive.count.load(ordering: .sequentiallyConsistent) == 1)
        holder = nil
        #expect(alive.count.load(ordering: .sequentiallyConsistent) == 0)
    }
}
