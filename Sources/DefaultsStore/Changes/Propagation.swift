import Synchronization

/// Whether this process's observers hear what the current task or thread writes.
package enum Propagation {
    /// False inside `Defaults.withoutPropagation`; follows child tasks.
    @TaskLocal private static var isOn = true
    /// Whether anybody ever was inside: a task begun there may outlive it.
    private static let wasOff = Atomic<Bool>(false)

    /// Whether what the caller writes now is heard.
    static var isHeard: Bool { !wasOff.load(ordering: .relaxed) || isOn }

    /// Runs a body whose writes are not heard.
    package static func off<Result>(_ body: () throws -> Result) rethrows -> Result {
        wasOff.store(true, ordering: .relaxed)
        return try $isOn.withValue(false, operation: body)
    }

    /// The same for a body that suspends.
    package static func off<Result>(
        isolation: isolated (any Actor)?, _ body: () async throws -> Result
    ) async rethrows -> Result {
        wasOff.store(true, ordering: .relaxed)
        return try await $isOn.withValue(false, operation: body, isolation: isolation)
    }
}
