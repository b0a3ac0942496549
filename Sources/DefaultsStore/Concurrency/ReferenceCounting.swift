import CTypedDefaults

/// Adds or releases many references to an object at once: functions of Swift's runtime.
package struct ReferenceCounting: Sendable {
    package init() {}

    /// Adds that many references to the object at an address, which the caller holds.
    package func retain(_ object: UInt64, _ count: UInt32) {
        _ = swift_retain_n(UnsafeMutableRawPointer(bitPattern: UInt(object)), count)
    }

    /// Adds that many references to the object at an address that no other thread knows of yet.
    package func retainAlone(_ object: UInt64, _ count: UInt32) {
        _ = swift_nonatomic_retain_n(UnsafeMutableRawPointer(bitPattern: UInt(object)), count)
    }

    /// Releases that many references at once.
    package func release(_ object: UInt64, _ count: UInt32) {
        swift_release_n(UnsafeMutableRawPointer(bitPattern: UInt(object)), count)
    }
}
