import DefaultsStore
import TypedDefaults
import TypedDefaultsCompatibility

/// Settings of which reading a property forks, once.
final class ForkingSettings: PropertyWatchable, Sendable {
    private let key: Defaults.Key<Int>
    private let fork: Locked<(@Sendable () -> Void)?>

    init(_ key: Defaults.Key<Int>, fork: @escaping @Sendable () -> Void) {
        self.key = key
        self.fork = Locked(fork)
    }

    var number: Int {
        let fork = fork.withLock { fork in
            defer { fork = nil }
            return fork
        }
        fork?()
        return key.suite[key]
    }
}
