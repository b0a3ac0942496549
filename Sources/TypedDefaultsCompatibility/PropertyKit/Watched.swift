import DefaultsStore
import TypedDefaults

/// A property kept in memory that `watch` is notified of, in a type that is `PropertyWatchable`.
///
/// ```swift
/// @MainActor final class Player: PropertyWatchable {
///     @Watched var title = "none"
/// }
///
/// @MainActor func follow(_ player: Player) {
///     player.watch(\.title, on: .mainActor) { print("another title") }
/// }
/// ```
///
/// Any thread may read and set it. Setting one without a watch costs a lock. Copies of a struct share the
/// value.
@propertyWrapper
public struct Watched<Value: Sendable>: Sendable {
    private let cell: WatchedCell<Value>

    /// Creates a property with an initial value.
    public init(wrappedValue: Value) { cell = WatchedCell(wrappedValue) }

    /// The value; setting it notifies the watches, before it returns or on their queues.
    public var wrappedValue: Value {
        get { cell.read() }
        nonmutating set { cell.write(newValue) }
    }
}

/// A value in memory, with a suite in memory that notifies of its changes from the first watch on.
private final class WatchedCell<Value: Sendable>: Sendable {
    private static var key: KeyName { KeyName("version") }

    private let value: Locked<(value: Value, version: Int)>  // A leaf; nothing is called under it.
    /// The suite has the number of the last change; created for the first watch.
    private let changes = LazyReference<DefaultsSuite>()

    init(_ value: Value) { self.value = Locked((value, 0)) }

    func read() -> Value {
        ReadRecorder.record(Self.key, in: (changes.load() ?? changes.storeIfNil(.inMemory())).context)
        return value.withLock { $0.value }
    }

    func write(_ new: Value) {
        // The release of the old value may run user code, so it happens outside the lock.
        let (old, version) = value.withLock { state in
            let old = state.value
            state = (new, state.version + 1)
            return (old, state.version)
        }
        withExtendedLifetime(old) {}
        guard let suite = changes.load() else { return }
        do {
            try suite.context.write(StoredValue(.number(DefaultsNumber(version))), forKey: Self.key)
        } catch {
            suite.context.report(error)
        }
    }
}
