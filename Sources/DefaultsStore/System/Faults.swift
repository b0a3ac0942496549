import Synchronization

/// The seam by which a test makes system calls fail: the k-th call of a name, once or from then on.
///
/// It holds for the code a test runs inside ``TaskLocal/withValue(_:operation:file:line:)`` of ``current`` and for
/// nothing else, so that tests can run side by side. Where no plan was ever made, a call pays one load.
package final class Faults: Sendable {
    /// One planned failure.
    package struct Rule: Hashable, Sendable {
        let call: String
        let occurrence: Int
        let errno: Int32
        let lasts: Bool

        /// Fails the given call at its `occurrence`-th use (from 1), and all later ones where it lasts.
        package init(_ call: String, at occurrence: Int = 1, errno: Int32, lasts: Bool = false) {
            self.call = call
            self.occurrence = occurrence
            self.errno = errno
            self.lasts = lasts
        }
    }

    /// The plan for this task or thread.
    @TaskLocal package static var current: Faults?

    private struct State {
        var seen: [String: Int] = [:]
        var calls: [String] = []
    }

    /// Whether a plan was ever made.
    private static let isInUse = Atomic<Bool>(false)

    private let rules: [Rule]
    private let state = Locked(State())  // A leaf: nothing else is taken under it.

    /// Makes a plan.
    ///
    /// Without rules it only keeps the list of calls.
    package convenience init(_ rules: Rule...) { self.init(rules) }

    /// Makes a plan of several rules.
    package init(_ rules: [Rule]) {
        self.rules = rules
        Faults.isInUse.store(true, ordering: .relaxed)
    }

    /// The names of the calls made so far, in order.
    package var calls: [String] { state.withLock { $0.calls } }

    /// The error a call has to fail with now, if the test planned one.
    @inline(__always)
    static func strike(_ call: String) -> Int32? {
        guard isInUse.load(ordering: .relaxed), let plan = current else { return nil }
        return plan.count(call)
    }

    private func count(_ call: String) -> Int32? {
        let number = state.withLock { state in
            state.calls.append(call)
            state.seen[call, default: 0] += 1
            return state.seen[call, default: 0]
        }
        return rules.first { rule in
            rule.call == call && (rule.lasts ? number >= rule.occurrence : number == rule.occurrence)
        }?.errno
    }
}
