/// Adds references to objects, or gives them back, many at once: functions of Swift's runtime, found by name.
package struct ReferenceCounting: Sendable {
    private typealias Count = @convention(c) (UnsafeMutableRawPointer?, UInt32) -> UnsafeMutableRawPointer?

    private let added: Count
    private let addedAlone: Count
    private let given: Count

    /// Nil where the runtime has no such functions, or nobody knows their names.
    package init?() {
        #if os(Linux)
            guard let added = LinuxCalls.symbol("swift_retain_n"),
                let addedAlone = LinuxCalls.symbol("swift_nonatomic_retain_n"),
                let given = LinuxCalls.symbol("swift_release_n")
            else { return nil }
            // The casts are sound because these are the prototypes in the runtime's HeapObject.h, but that nothing is
            // returned by the last, which nobody looks at.
            self.added = unsafeBitCast(added, to: Count.self)
            // The same, because its prototype is the same.
            self.addedAlone = unsafeBitCast(addedAlone, to: Count.self)
            // The same, because nobody looks at what it returns.
            self.given = unsafeBitCast(given, to: Count.self)
        #else
            return nil
        #endif
    }

    /// Adds so many references to the object at an address that somebody holds.
    package func retain(_ object: UInt64, _ count: UInt32) {
        _ = added(UnsafeMutableRawPointer(bitPattern: UInt(object)), count)
    }

    /// Adds so many references to the object at an address that no other thread knows of yet.
    package func retainAlone(_ object: UInt64, _ count: UInt32) {
        _ = addedAlone(UnsafeMutableRawPointer(bitPattern: UInt(object)), count)
    }

    /// Gives back so many references, all at once.
    package func release(_ object: UInt64, _ count: UInt32) {
        _ = given(UnsafeMutableRawPointer(bitPattern: UInt(object)), count)
    }
}
