/// What a source had supplied, for a start at which it does not answer.
package struct KnownLayer: Sendable {
    package let values: LayerValues
    package let locked: LayerValues
    package let location: String?
    /// When they were so, in milliseconds since 1970.
    let time: Int64

    package init(values: LayerValues, locked: LayerValues, location: String?, age: Duration) {
        let (seconds, attoseconds) = age.components
        self.init(
            values: values, locked: locked, location: location,
            time: KnownLayer.now - seconds * 1_000 - attoseconds / 1_000_000_000_000_000)
    }

    init(values: LayerValues, locked: LayerValues, location: String?, time: Int64) {
        (self.values, self.locked, self.location, self.time) = (values, locked, location, time)
    }

    /// The milliseconds since 1970.
    static var now: Int64 { SystemCalls.wallNanoseconds / 1_000_000 }

    /// 0 for a time in the future, which a clock that was set back leaves.
    package var age: Duration {
        let (age, isTooLong) = KnownLayer.now.subtractingReportingOverflow(time)
        return .milliseconds(isTooLong ? 0 : max(0, age))
    }
}
