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
