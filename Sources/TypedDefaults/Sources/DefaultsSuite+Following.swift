public import DefaultsStore

extension DefaultsSuite {
    /// Reads a source now and after every change of it, until the handle is invalidated or released.
    ///
    /// Layers are treated as by `read(sources:)`. A failure is reported to the suite's `failures`, once for each
    /// different one; the last good layer stays, and the source is asked again after a quarter of a second, then
    /// after twice as long each time, at most every half minute, for as long as it has supplied nothing, even while
    /// its changes are waited for. A source whose changes cannot be noticed is read once.
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

    /// Ends the following: after this returns no layer begins to be put in place; one that has begun is completed.
    ///
    /// It may be called twice, and from an observer's handler.
    public func invalidate() { task.cancel() }
}
