import Synchronization

/// Adds or releases many references to an object at once: functions of Swift's runtime, looked up by name.
package struct ReferenceCounting: Sendable {
    private typealias Count = @convention(c) (UnsafeMutableRawPointer?, UInt32) -> UnsafeMutableRawPointer?

    private let added: Count
    private let addedAlone: Count
    private let given: Count

    // Their addresses; 0 if they have not been looked up, or do not exist.
    private static let placeOfAdded = Atomic<UInt>(0)
    private static let placeOfAddedAlone = Atomic<UInt>(0)
    private static let placeOfGiven = Atomic<UInt>(0)

    /// Looks them up, before anything that holds forks off: a thread that forks may hold the loader's lock.
    package static func find() {
        #if os(Linux)
            func note(_ name: String, _ place: borrowing Atomic<UInt>) {
                place.store(UInt(bitPattern: LinuxCalls.symbol(name)), ordering: .releasing)
            }
            note("swift_retain_n", placeOfAdded)
            note("swift_nonatomic_retain_n", placeOfAddedAlone)
            note("swift_release_n", placeOfGiven)
        #endif
    }

    /// Nil if ``find()`` has not found them.
    package init?() {
        func function(_ place: borrowing Atomic<UInt>) -> Count? {
            let found = UnsafeMutableRawPointer(bitPattern: place.load(ordering: .acquiring))
            // The cast is sound because these are the prototypes in the runtime's HeapObject.h, except that the
            // result of the last one is ignored.
            return found.map { unsafeBitCast($0, to: Count.self) }
        }
        guard let added = function(ReferenceCounting.placeOfAdded),
            let addedAlone = function(ReferenceCounting.placeOfAddedAlone),
            let given = function(ReferenceCounting.placeOfGiven)
        else { return nil }
        (self.added, self.addedAlone, self.given) = (added, addedAlone, given)
    }

    /// Adds that many references to the object at an address, which the caller holds.
    package func retain(_ object: UInt64, _ count: UInt32) {
        _ = added(UnsafeMutableRawPointer(bitPattern: UInt(object)), count)
    }

    /// Adds that many references to the object at an address that no other thread knows of yet.
    package func retainAlone(_ object: UInt64, _ count: UInt32) {
        _ = addedAlone(UnsafeMutableRawPointer(bitPattern: UInt(object)), count)
    }

    /// Releases that many references at once.
    package func release(_ object: UInt64, _ count: UInt32) {
        _ = given(UnsafeMutableRawPointer(bitPattern: UInt(object)), count)
    }
}
