import Synchronization

/// A number on which threads wait until it has changed, without a lock that each of them would have to take again
/// when it wakes.
///
/// The idea is an event count (Reed, Kanodia). Who waits reads the number first, then finds that what it waits for has
/// not come, then waits as long as the number is the one it read. Who brings that about does so first, and raises the
/// number then. So either the one who waits finds it, or the number is another one before it sleeps.
///
/// Where the kernel does not compare and put to sleep in one step (``Futex``), a ``SleepingRoom`` does.
// Unchecked is sound because the only member that is not Sendable is the address of an atomic number.
struct WaitWord: ~Copyable, @unchecked Sendable {
    private let place: UnsafeMutablePointer<Atomic<UInt32>>
    private let room: SleepingRoom?

    /// Creates a number.
    ///
    /// - Parameter room: where threads wait; nil for the kernel.
    init(in room: SleepingRoom?) {
        place = .allocate(capacity: 1)
        place.initialize(to: Atomic(0))
        self.room = room
    }

    deinit {
        place.deinitialize(count: 1)
        place.deallocate()
    }

    /// The number; what was written before it was raised is seen by whoever has read it.
    var number: UInt32 { place.pointee.load(ordering: .acquiring) }

    /// Who is woken.
    enum Audience { case one, all }

    /// Raises the number and wakes those who wait.
    ///
    /// It would take 2^32 of these, between two steps of a thread that waits, for that thread to miss them.
    func raise(waking audience: Audience) {
        place.pointee.add(1, ordering: .releasing)
        if let room { room.wake(audience) } else { Futex.wake(audience, on: place) }
    }

    /// Waits until the number is another one; it may end earlier.
    ///
    /// - Returns: false once the deadline has passed.
    func wait(while number: UInt32, until deadline: Deadline) -> Bool {
        if let room { return room.wait(until: deadline) { self.number == number } }
        return Futex.wait(on: place, while: number, until: deadline)
    }
}
