import DefaultsStore
import Synchronization

/// Numbers that were read as dates, counted from 2001, and are Unix times by all appearance.
///
/// The library writes a number only for a year that ISO 8601 cannot say, so that one of these was put there by somebody
/// else, who hardly meant a date after 2032.
package enum DoubtfulDates {
    /// Where one was met.
    package struct Finding: Sendable {
        /// The outermost member that it is in.
        package let member: String?
        /// Where it is, and what it looks like.
        package let reason: String
    }

    private final class Notes: Sendable {
        let findings = Locked<[Finding]>([])  // A leaf.
    }

    /// How many were met in this process; so a decoding that met none costs two loads.
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

    /// Runs a decoding, then calls a function with each doubtful date that it has met.
    ///
    /// The decoding is repeated to find them, if one was met meanwhile.
    static func look<Result, Failure: Error>(
        _ decode: () throws(Failure) -> Result, tell: (Finding) -> Void
    ) throws(Failure) -> Result {
        let before = met.load(ordering: .relaxed)
        let result = try decode()
        guard met.load(ordering: .relaxed) != before else { return result }
        let fresh = Notes()
        // It has succeeded just now; what fails this time tells of nothing.
        _ = $notes.withValue(fresh) { Swift.Result { () throws(Failure) in try decode() } }
        fresh.findings.withLock { $0 }.forEach(tell)
        return result
    }
}
