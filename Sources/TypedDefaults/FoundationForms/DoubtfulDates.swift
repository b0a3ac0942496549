import DefaultsStore
import Synchronization

/// Numbers that were read as dates, counted from 2001, and look like Unix times.
///
/// The library writes a number only for a year that ISO 8601 cannot express. So another program wrote such a
/// number, and hardly meant a date after 2032.
package enum DoubtfulDates {
    package struct Finding: Sendable {
        /// The outermost member around the date.
        package let member: String?
        /// The path of the date, and its other reading.
        package let reason: String
    }

    private final class Notes: Sendable {
        let findings = Locked<[Finding]>([])  // A leaf.
    }

    /// The number of such dates in this process, so that a decoding without one costs two loads.
    private static let met = Atomic<UInt>(0)
    @TaskLocal private static var notes: Notes?

    /// Called with each number that is read as a date.
    static func meet(_ seconds: Double, at path: CodingPath) {
        let unit =
            switch seconds {
            case 1e9...5e9: "seconds"
            case 1e12...5e12: "milliseconds"
            default: String?.none
            }
        guard let unit else { return }
        met.add(1, ordering: .relaxed)
        guard let notes else { return }
        let keys = path.keys
        let reason = describe(
            DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: keys, debugDescription: "it looks like a Unix time in \(unit)")))
        notes.findings.withLock { $0.append(Finding(member: keys.first?.stringValue, reason: reason)) }
    }

    /// Runs a decoding, then calls a function with each ambiguous date in the value.
    ///
    /// If there was one, the decoding is repeated to find them.
    static func look<Result, Failure: Error>(
        _ decode: () throws(Failure) -> Result, tell: (Finding) -> Void
    ) throws(Failure) -> Result {
        let before = met.load(ordering: .relaxed)
        let result = try decode()
        guard met.load(ordering: .relaxed) != before else { return result }
        let fresh = Notes()
        // The decoding has just succeeded, so a failure of the second one says nothing.
        _ = $notes.withValue(fresh) { Swift.Result { () throws(Failure) in try decode() } }
        fresh.findings.withLock { $0 }.forEach(tell)
        return result
    }
}
