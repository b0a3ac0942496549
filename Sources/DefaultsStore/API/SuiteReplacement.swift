import Synchronization

/// Suites that stand in for others, for a body, its task and that task's children.
///
/// Nothing changes for other threads and tasks. While a replacement is in force anywhere in the process, all reads pass
/// by the caches, which know a key's own suite only; otherwise a read does not notice that there is such a thing.
package final class SuiteReplacement: Sendable {
    /// The replacement in force for the current task; it leads to the one around it.
    @TaskLocal private static var current: SuiteReplacement?
    private static let count = Atomic<Int>(0)

    private let original: SuiteContext
    private let substitute: DefaultsSuite
    private let outer: SuiteReplacement?

    private init(of original: SuiteContext, by substitute: DefaultsSuite, in outer: SuiteReplacement?) {
        (self.original, self.substitute, self.outer) = (original, substitute, outer)
        SuiteReplacement.count.add(1, ordering: .relaxed)
        FreshnessCell.beginBypass()
    }

    // With the last task that was begun in the body and may outlive it.
    deinit {
        FreshnessCell.endBypass()
        SuiteReplacement.count.subtract(1, ordering: .relaxed)
    }

    @inline(__always)
    package static var isAny: Bool { count.load(ordering: .relaxed) != 0 }

    /// Returns the suite that stands in for one in the current task; nil if none does.
    static func substitute(for original: SuiteContext) -> DefaultsSuite? {
        guard isAny else { return nil }
        var replacement = current
        while let next = replacement {
            if next.original === original { return next.substitute }
            replacement = next.outer
        }
        return nil
    }

    /// Runs a body for which one suite stands in for another.
    package static func replacing<Result, Failure: Error>(
        _ original: DefaultsSuite, by substitute: DefaultsSuite, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let replacement = make(of: original, by: substitute) else { return try body() }
        return try $current.withValue(replacement) { Swift.Result(catching: body) }.get()
    }

    package static func replacing<Result, Failure: Error>(
        _ original: DefaultsSuite, by substitute: DefaultsSuite, isolation: isolated (any Actor)?,
        _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        guard let replacement = make(of: original, by: substitute) else { return try await body() }
        let outcome: Swift.Result<Result, Failure> = await $current.withValue(
            replacement,
            operation: {
                do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
            }, isolation: isolation)
        return try outcome.get()
    }

    /// Returns an observer's handler that runs with the replacements of whoever begins the observation, on whatever thread
    /// it is called.
    static func binding(_ handler: @escaping ObserverSubscription.Handler) -> ObserverSubscription.Handler {
        guard isAny, let replacement = current else { return handler }
        return { notice, subscription in
            $current.withValue(replacement) { handler(notice, subscription) }
        }
    }

    /// - Returns: nil for a suite that would stand in for itself, which is reported to it.
    private static func make(
        of original: DefaultsSuite, by substitute: DefaultsSuite
    ) -> SuiteReplacement? {
        guard original.ownContext !== substitute.ownContext else {
            original.ownContext.report(
                DefaultsError(.selfReplacement, suite: original.name))
            return nil
        }
        return SuiteReplacement(of: original.ownContext, by: substitute, in: current)
    }
}

/// The replacement of a settings file.
public struct DefaultsReplacement: Hashable, Sendable {
    /// The number of settings in the new file.
    public let keyCount: Int
    /// The path under which the old file is kept, because it could not be read; nil if it could.
    public let backupPath: String?
}
