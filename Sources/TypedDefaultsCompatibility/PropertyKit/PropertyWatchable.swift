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
/// settings.watch(\.theme, id: "mine", options: [.initial]) { _, change in
///     print(change.newValue as Any)
/// }
/// settings.unwatch(\.theme, forIds: ["mine"])
/// ```
///
/// It is for `Sendable` types and, with `on: .mainActor`, for `@MainActor` classes. Their properties are
/// backed by defaults (`Defaults[.key]`, `@Default`, the properties of `Defaults` itself) or by ``Watched``.
/// `watch` reads a property once to find its dependencies, and is notified of each change of these, whatever
/// makes it.
///
/// A watch is identified by its target, its key path, and its source location or an identifier. So a line
/// that runs twice for the same target replaces its own watch. A watch ends with its target if that is an
/// object. Values of `Defaults` are one target for each suite; all values of another type are one target. The
/// names, and ending a file's watches at once, are PropertyKit's.
public protocol PropertyWatchable {}

extension Defaults: PropertyWatchable {}

extension PropertyWatchable where Self: Sendable {
    /// Calls a handler with this target and the change whenever a property changes.
    ///
    /// The values are those of the property when the handler is called; one that equals the last is not a
    /// change.
    ///
    /// It traps if the property reads no key and no ``Watched`` property, because there would never be an
    /// event.
    ///
    /// - Parameters:
    ///   - keyPath: the property.
    ///   - id: identifies this watch; nil for the source location.
    ///   - options: `.initial` for an event at once; changes carry both values in any case.
    ///   - delivery: where the handler is called; by default as for `Defaults.observe`.
    ///   - file: part of the source location; leave it out.
    ///   - line: part of the source location; leave it out.
    ///   - column: part of the source location; leave it out.
    ///   - changeHandler: called with the target and the change.
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

    /// Calls a handler without arguments whenever a property changes.
    ///
    /// It traps if the property reads no key and no ``Watched`` property.
    ///
    /// - Parameters:
    ///   - keyPath: the property.
    ///   - id: identifies this watch; nil for the source location.
    ///   - options: `.initial` for an event at once; changes carry both values in any case.
    ///   - delivery: where the handler is called; by default as for `Defaults.observe`.
    ///   - file: part of the source location; leave it out.
    ///   - line: part of the source location; leave it out.
    ///   - column: part of the source location; leave it out.
    ///   - changeHandler: called after each change.
    /// - Returns: the observation, which continues without being kept.
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

    /// Calls a handler on the main actor with this target and the change whenever a property changes: `on:
    /// .mainActor`.
    ///
    /// A target that belongs to the main actor needs this form. The property is read there too; the initial
    /// event is the first one delivered. It traps if the property reads no key and no ``Watched`` property.
    ///
    /// - Parameters:
    ///   - keyPath: the property.
    ///   - id: identifies this watch; nil for the source location.
    ///   - options: `.initial` for an event at once; changes carry both values in any case.
    ///   - delivery: `.mainActor`.
    ///   - file: part of the source location; leave it out.
    ///   - line: part of the source location; leave it out.
    ///   - column: part of the source location; leave it out.
    ///   - changeHandler: called with the target and the change, on the main actor.
    /// - Returns: the observation, which continues without being kept.
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

    /// Calls a handler without arguments on the main actor whenever a property changes: `on: .mainActor`.
    ///
    /// The property is read there too. It traps if the property reads no key and no ``Watched`` property.
    ///
    /// - Parameters:
    ///   - keyPath: the property.
    ///   - id: identifies this watch; nil for the source location.
    ///   - options: `.initial` for an event at once; changes carry both values in any case.
    ///   - delivery: `.mainActor`.
    ///   - file: part of the source location; leave it out.
    ///   - line: part of the source location; leave it out.
    ///   - column: part of the source location; leave it out.
    ///   - changeHandler: called after each change, on the main actor.
    /// - Returns: the observation, which continues without being kept.
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
    /// Observes a property's dependencies.
    private func observe(
        _ reads: [ReadRecorder.Read], _ keyPath: AnyKeyPath, _ delivery: DefaultsDelivery,
        handler: @escaping @Sendable (ChangeNotice) -> Void
    ) -> DefaultsObservation {
        precondition(
            !reads.isEmpty, "\(keyPath) reads no key and no @Watched property, so it cannot be watched")
        let byCore = Dictionary(grouping: reads) { ObjectIdentifier($0.context) }
        let turns = byCore.count > 1 ? NoticeTurns() : nil
        // One initial event for all suites: the last suite sends it, once all are observed. If it was not
        // requested, it carries the changes since the property was read for its dependencies. The texts in
        // the notices are unused: the chain is one of the property's values.
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
    /// To Swift, a base class's property has another key path in a subclass: `\Base.title` is not
    /// `\Derived.title`. The functions without a key path end the watches of both.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    public func unwatch<Value>(_ keyPath: KeyPath<Self, Value>, forIds ids: [String]? = nil) -> Bool {
        let path = WatchedPath(keyPath)
        return unwatch(ids) { $0.path == path }
    }

    /// Ends this target's watches with one of some identifiers, of any property.
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
