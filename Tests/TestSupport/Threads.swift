import Foundation
import DefaultsStore

/// Runs a body on so many threads at once, each with its number from 0, and waits for all of them.
///
/// - Throws: what the first body to fail threw, when all have ended.
package func withThreads<Failure: Error>(
    _ count: Int, body: @escaping @Sendable (Int) throws(Failure) -> Void
) throws(Failure) {
    let failure = ThreadFailure<Failure>()
    let running = DispatchGroup()
    for number in 0..<count {
        running.enter()
        Thread.detachNewThread {
            do throws(Failure) { try body(number) } catch { failure.keep(error) }
            running.leave()
        }
    }
    running.wait()
    if let first = failure.first { throw first }
}

/// The first error of several threads.
private final class ThreadFailure<Failure: Error>: Sendable {
    private let error = Locked<Failure?>(nil)

    var first: Failure? { error.withLock { $0 } }

    func keep(_ new: Failure) { error.withLock { $0 = $0 ?? new } }
}

/// Runs a body that blocks on a thread of its own, so that no thread of the task pool is kept.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: body()) }
    }
}
