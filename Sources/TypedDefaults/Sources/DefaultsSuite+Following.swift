public import DefaultsStore

extension DefaultsSuite {
    /// Reads a source now and after every change of it, until the handle is invalidated or released.
    ///
    /// Layers are taken as `read(sources:)` takes them. What fails goes to the suite's `failures`, once for each
    /// different failure; the last good layer stays, and the source is asked again after a quarter of a second, twice
    /// as long each time, at most every half minute: as long as it has told nothing, also while its changes are
    /// waited for. A source that cannot tell of changes is read once.
    ///
    /// ```swift
    /// let following = DefaultsSuite.standard.follow(JSONDefaultValueSource(path: "/etc/player/defaults.json"))
    /// ```
    ///
    /// - Returns: the handle, to be kept for as long as the source is to be followed.
    public func follow(_ source: some DefaultValueSource) -> DefaultValueSourceFollowing {
        DefaultValueSourceFollowing(source, into: core)
    }
}

/// A source that a suite follows, until ``invalidate()`` or the last reference to this.
///
/// The last layer stays when it ends.
public final class DefaultValueSourceFollowing: Sendable {
    private let task: Task<Void, Never>

    init(_ source: any DefaultValueSource, into core: SuiteCore) {
        task = Task.detached {
            var loop = SourceLoop(source: source, core: core)
            await loop.run()
        }
    }

    deinit { task.cancel() }

    /// Ends the following: no layer begins to be put in place after this returns; one that has begun goes on.
    ///
    /// It may be called twice and from an observer's handler.
    public func invalidate() { task.cancel() }
}
