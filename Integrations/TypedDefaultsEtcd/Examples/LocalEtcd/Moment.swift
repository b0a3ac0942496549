import Dispatch

/// A time that all processes of one machine count alike.
package struct Moment: Comparable, Sendable {
    package let nanoseconds: UInt64

    package init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

    /// The present one.
    package static var now: Moment { Moment(nanoseconds: DispatchTime.now().uptimeNanoseconds) }

    /// The milliseconds from another moment to this one.
    package func milliseconds(since other: Moment) -> Double {
        (Double(nanoseconds) - Double(other.nanoseconds)) / 1e6
    }

    package static func < (left: Moment, right: Moment) -> Bool { left.nanoseconds < right.nanoseconds }
}
