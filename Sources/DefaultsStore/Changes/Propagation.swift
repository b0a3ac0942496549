import Synchronization

/// Whether this process's observers are notified of what the current task or thread writes.
package enum Propagation {
    /// False inside `Defaults.withoutPropagation`; inherited by child tasks.
    @TaskLocal private static var isOn = true
    /// Whether anybody was ever inside: a task begun there may outlive it.
    private static let wasOff = Atomic<Bool>(false)

    /// Whether observers are notified of what the caller writes now.
    static var isHeard: Bool { !wasOff.load(ordering: .relaxed) || isOn }

    /// Runs a body whose writes observers are not notified of.
    package static func off<Result>(_ body: () throws -> Result) rethrows -> Result {
        wasOff.store(true, ordering: .relaxed)
        return try $isOn.withValue(false, operation: body)
    }

    /// Runs a body that suspends, and whose writes observers are not notified of.
    package static func off<Result>(
        isolation: isolated (any Actor)?, _ body: () async throws -> Result
    ) async rethrows -> Result {
        wasOff.store(true, ordering: .relaxed)
        return try await $isOn.withValue(false, operation: body, isolation: isolation)
    }
}
