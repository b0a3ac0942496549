import Synchronization

/// Whether this process's observers are notified of what the current task or thread writes.
package enum Propagation {
    /// False inside `Defaults.withoutPropagation`; inherited by child tasks.
    @TaskLocal private static var isOn = true
    /// Whether anybody was ever inside: a task begun there may outlive it.
    private static let wasOff = Atomic<Bool>(false)

    /// Whether observers are notified of what the caller writes now.
    static var isHeard: Bool { !wasOff.load(ordering: .relaxed) || isOn }

    package static func off<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        wasOff.store(true, ordering: .relaxed)
        return try $isOn.withValue(false) { Swift.Result(catching: body) }.get()
    }

    package static func off<Result, Failure: Error>(
        isolation: isolated (any Actor)?, _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        wasOff.store(true, ordering: .relaxed)
        let outcome: Swift.Result<Result, Failure> = await $isOn.withValue(
            false,
            operation: {
                do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
            }, isolation: isolation)
        return try outcome.get()
    }
}
