import Foundation

/// Waits until something holds that no event tells of, looking again and again for at most two minutes.
///
/// It looks on a thread of its own: one of the few that all tasks share may be what is waited for.
func eventually(_ holds: @escaping @Sendable () throws -> Bool) async throws -> Bool {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
            continuation.resume(
                with: Result {
                    let deadline = ContinuousClock.now + .seconds(120)
                    while try !holds() {
                        guard ContinuousClock.now < deadline else { return false }
                        poll(nil, 0, 5)
                    }
                    return true
                })
        }
    }
}
