import DefaultsStore
import TypedDefaults

/// A watch of a target that is read on the main actor.
@MainActor final class MainActorWatch<Target: Sendable, Value: Sendable> {
    private let target: WatchTarget<Target>
    private let keyPath: KeyPath<Target, Value>
    private let chain: WatchedValue<Value>
    private let handler: @MainActor (Target, Defaults.KeyChange<Value>) -> Void

    init(
        _ target: Target, _ keyPath: KeyPath<Target, Value>, _ chain: WatchedValue<Value>,
        _ handler: @escaping @MainActor (Target, Defaults.KeyChange<Value>) -> Void
    ) {
        self.target = WatchTarget(target)
        self.keyPath = keyPath
        self.handler = handler
        self.chain = chain
    }

    /// Calls the handler if a notice changes the property.
    func hear(_ notice: ChangeNotice) {
        guard let target = target.target, let change = chain.step(to: target[keyPath: keyPath], notice) else {
            return
        }
        handler(target, change)
    }
}
