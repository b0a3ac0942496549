import Synchronization

/// The seam by which a test makes system calls fail: the k-th call of a name, once or from then on.
///
/// It applies to the code that a test runs inside ``TaskLocal/withValue(_:operation:file:line:)`` of ``current``, and
/// to nothing else, so that tests can run side by side. If no plan was ever made, a call costs one load.
package final class FaultInjection: Sendable {
    /// One planned failure.
    package struct Rule: Hashable, Sendable {
        let call: String
        let occurrence: Int
        let errno: Int32
        let lasts: Bool
        let start: Start?

        /// When counting begins.
        package struct Start: Hashable, Sendable {
            let call: String
            let occurrence: Int

            /// After the `occurrence`-th use of a call (from 1).
            package static func behind(_ call: String, _ occurrence: Int) -> Start {
                Start(call: call, occurrence: occurrence)
            }
        }

        /// Fails the given call at its `occurrence`-th use (from 1), and also all later ones if it lasts.
        package init(
            _ call: String, at occurrence: Int = 1, errno: Int32, lasts: Bool = false,
            from start: Start? = nil
        ) {
            self.call = call
            self.occurrence = occurrence
            self.errno = errno
            self.lasts = lasts
            self.start = start
        }

        fileprivate func strikes(_ calls: [String]) -> Bool {
            guard calls.last == call else { return false }
            var counted = calls[...]
            if let start {
                let starts = calls.indices.filter { calls[$0] == start.call }
                guard starts.count >= start.occurrence else { return false }
                counted = calls[(starts[start.occurrence - 1] + 1)...]
            }
            let number = counted.count { $0 == call }
            return lasts ? number >= occurrence : number == occurrence
        }
    }

    /// The plan for this task or thread.
    @TaskLocal package static var current: FaultInjection?

    private static let used = Atomic<Bool>(false)
    static var isInUse: Bool { used.load(ordering: .relaxed) }

    private let rules: [Rule]
    private let made = Locked([String]())  // A leaf: nothing else is taken under it.

    /// Without rules it only keeps the list of calls.
    package convenience init(_ rules: Rule...) { self.init(rules) }

    package init(_ rules: [Rule]) {
        self.rules = rules
        FaultInjection.used.store(true, ordering: .relaxed)
    }

    /// In order.
    package var calls: [String] { made.withLock { $0 } }

    /// Nil unless the test has planned a failure.
    static func strike(_ call: String) -> Int32? {
        isInUse ? current?.count(call) : nil
    }

    private func count(_ call: String) -> Int32? {
        made.withLock { calls in
            calls.append(call)
            return rules.first { $0.strikes(calls) }?.errno
        }
    }
}
