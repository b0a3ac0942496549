public import DefaultsStore
public import TypedDefaults

/// A type whose properties can be watched by key path.
///
/// ```swift
/// final class Settings: PropertyWatchable, Sendable {
///     var theme: String? {
///         get { Defaults.shared.get() }
///         set { Defaults.shared.set(newValue) }
///     }
/// }
///
/// let settings = Settings()
/// settings.watch(\.theme) { print("another theme") }
/// settings.watch(\.theme, id: "mine", options: [.initial]) { settings, change in print(change.newValue as Any) }
/// settings.unwatch(\.theme, forIds: ["mine"])
/// ```
///
/// It is for `Sendable` types and, with `on: .mainActor`, for `@MainActor` classes whose properties are backed by
/// defaults (`Defaults[.key]`, `@Default`, the properties of `Defaults` itself) or by ``Watched``. `watch` finds out
/// what a property depends on by reading it once, and is notified of each change of that, whatever makes it.
///
/// A watch is identified by its target, its key path and its place in the source, or an identifier of its own: the
/// same line run twice for the same target replaces itself. It ends with its target if the target is an object. Among
/// values, those of `Defaults` are one target for each suite, and all of another type are one target. The names, and
/// ending a file's watches at once, are PropertyKit's.
public protocol PropertyWatchable {}

extension Defaults: PropertyWatchable {}

extension PropertyWatchable where Self: Sendable {
    /// Calls a handler with this target and the change whenever a property changes.
    ///
    /// The values are those of the property when the handler is called; one that equals the last is not a change.
    ///
    /// Traps if reading the property reads no key and no ``Watched`` property, because there would never be an event.
    ///
    /// - Parameters:
    ///   - id: identifies this watch; nil for the place in the source.
    ///   - options: `.initial` for an event at once; changes carry both values in any case.
    ///   - delivery: where the handler is called; by default as for `Defaults.observe`.
    /// - Returns: the observation, which continues without being kept.
    @discardableResult
    public func watch<Value: Sendable>(
        _ keyPath: any KeyPath<Self, Value> & Sendable, id: String? = nil,
        options: Defaults.ObservationOptions = [.new], on delivery: DefaultsDelivery = .immediate,
        file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
        changeHandler: @escaping @Sendable (Self, Defaults.KeyChange<Value>) -> Void
    ) -> DefaultsObservation {
        let place = WatchPlace(id: id, file: file, line: line, column: column)
        let (value, reads) = ReadRecorder.recording { self[keyPath: keyPath] }
        let target = WatchTarget(self)
        let chain = WatchedValue(value, of: reads, deliversInitial: options.contains(.initial))
        return WatchList.shared.begin(self, keyPath, place) { watch in
            observe(reads, keyPath, delivery) { notice in
                guard !watch.isOver, let target = target.target,
                    let change = chain.step(to: target[keyPath: keyPath], notice)
                else { return }
                changeHandler(target, change)
            }
        }
    }

    /// Calls a handler whenever a property changes.
    @discardableResult
    public func watch<Value: Sendable>(
        _ keyPath: any KeyPath<Self, Value> & Sendable, id: String? = nil,
        options: Defaults.ObservationOptions = [.new], on delivery: DefaultsDelivery = .immediate,
        file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
        changeHandler: @escaping @Sendable () -> Void
    ) -> DefaultsObservation {
        watch(
            keyPath, id: id, options: options, on: delivery, file: file, line: line, column: column
        ) { _, _ in changeHandler() }
    }

    /// Calls a handler on the main actor whenever a property changes: `on: .mainActor`.
    ///
    /// The only way for a target that belongs to the main actor. The property is read there too; the initial event is
    /// the first one delivered.
    @discardableResult
    @MainActor public func watch<Value: Sendable>(
        _ keyPath: KeyPath<Self, Value>, id: String? = nil, options: Defaults.ObservationOptions = [.new],
        on delivery: Defaults.MainActorDelivery, file: StaticString = #fileID, line: UInt = #line,
        column: UInt = #column,
        changeHandler: @escaping @MainActor (Self, Defaults.KeyChange<Value>) -> Void
    ) -> DefaultsObservation {
        let place = WatchPlace(id: id, file: file, line: line, column: column)
        let (value, reads) = ReadRecorder.recording { self[keyPath: keyPath] }
        let hearer = MainActorWatch(
            self, keyPath, WatchedValue(value, of: reads, deliversInitial: options.contains(.initial)),
            changeHandler)
        return WatchList.shared.begin(self, keyPath, place) { watch in
            observe(reads, keyPath, Defaults.MainActorDelivery.delivery) { notice in
                MainActor.assumeIsolated { if !watch.isOver { hearer.hear(notice) } }
            }
        }
    }

    /// Does the same with a handler that takes nothing.
    @discardableResult
    @MainActor public func watch<Value: Sendable>(
        _ keyPath: KeyPath<Self, Value>, id: String? = nil, options: Defaults.ObservationOptions = [.new],
        on delivery: Defaults.MainActorDelivery, file: StaticString = #fileID, line: UInt = #line,
        column: UInt = #column, changeHandler: @escaping @MainActor () -> Void
    ) -> DefaultsObservation {
        watch(
            keyPath, id: id, options: options, on: delivery, file: file, line: line, column: column
        ) { _, _ in changeHandler() }
    }
}

extension PropertyWatchable {
    /// Observes everything that a property depends on.
    private func observe(
        _ reads: [ReadRecorder.Read], _ keyPath: AnyKeyPath, _ delivery: DefaultsDelivery,
        handler: @escaping @Sendable (ChangeNotice) -> Void
    ) -> DefaultsObservation {
        precondition(
            !reads.isEmpty, "\(keyPath) reads no key and no @Watched property, so it cannot be watched")
        let byCore = Dictionary(grouping: reads) { ObjectIdentifier($0.context) }
        let turns = byCore.count > 1 ? NoticeTurns() : nil
        // The initial event is one for all suites, so one of them sends it: the last, when all are observed. If it
        // was not requested, it carries what has changed since the property was read to find out what it depends on.
        // No notice's texts are told to anybody: the chain is one of the property's values.
        let parts = byCore.values.enumerated().map { place, reads in
            reads[0].context.observe(
                reads.map(\.key), sendsInitial: place == byCore.count - 1, deliversValues: false,
                delivery: delivery
            ) { notice, subscription in
                if let turns { return turns.call(handler, with: notice, for: subscription) }
                if subscription.isActive { handler(notice) }
            }
        }
        return DefaultsObservation(joining: parts)
    }
}

/// Ending watches; a call of a handler that is in progress continues.
extension PropertyWatchable {
    /// Ends the watches of a property: all of this target, or those with one of some identifiers.
    ///
    /// To Swift, a base class's property is another one by a subclass's key path: `\Base.title` is not
    /// `\Derived.title`. The functions without a key path end the watches of both.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    public func unwatch<Value>(_ keyPath: KeyPath<Self, Value>, forIds ids: [String]? = nil) -> Bool {
        let path = WatchedPath(keyPath)
        return unwatch(ids) { $0.path == path }
    }

    /// Ends this target's watches with one of some identifiers, whatever they watch.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    public func unwatch(forIds ids: [String]) -> Bool { unwatch(ids) { _ in true } }

    /// Ends this target's watches that were begun in the calling file.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    public func unwatchAllFilePrivate(file: StaticString = #fileID) -> Bool {
        let file = "\(file)"
        return unwatch { $0.place.file == file }
    }

    /// Ends this target's watches of a property that were begun in the calling file.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    public func unwatchAllFilePrivate<Value>(
        _ keyPath: KeyPath<Self, Value>, file: StaticString = #fileID
    ) -> Bool {
        let (file, path) = ("\(file)", WatchedPath(keyPath))
        return unwatch { $0.place.file == file && $0.path == path }
    }

    /// Ends all watches of this target, wherever they were begun.
    public func unwatchAll() { unwatch { _ in true } }

    @discardableResult
    private func unwatch(_ ids: [String]? = nil, where isWanted: (WatchList.Watch) -> Bool) -> Bool {
        WatchList.shared.remove(TargetIdentity(self), ids: ids, where: isWanted)
    }
}
