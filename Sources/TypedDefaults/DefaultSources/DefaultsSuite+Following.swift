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
    /// With `keepingLastKnown` a program starts offline: each layer that the source supplies, and does not call secret, is
    /// written to a file beside the settings file, which its user alone can read, and the next start has it, before this
    /// returns, until the source answers. `explain(key:)` then says `last known, 3 h old`.
    ///
    /// ```swift
    /// struct Fleet: DefaultValueSource {
    ///     let name = "fleet"
    ///     func defaultValues() async throws -> [String: DefaultsValue] { ["volume": 0.5] }      // from a server
    /// }
    /// let fleet = DefaultsSuite.standard.follow(Fleet(), keepingLastKnown: true)
    /// ```
    ///
    /// - The values are in that file as they are, those of secret keys too. Nothing is kept of a layer that the source
    ///   calls secret as a whole, or of texts that get their types from keys, as ``FilesDefaultValueSource`` supplies
    ///   them; such a layer also removes what was kept before.
    /// - It is written, or removed, soon after the layer has come, at most once a second. A kill leaves the layer before.
    ///   Of several processes that follow a source of one name in one suite, the layer that came last is kept, by the
    ///   clock and for as long as it is there to compare: after a removal, a process that is behind may keep an earlier one.
    /// - A file that is damaged, or that another user owns or may write, and a link in its place, are a failure of the
    ///   source; nothing of it is used, and the next layer takes its place.
    /// - What cannot be written is a failure of the source, and everything else goes on.
    /// - For a suite in memory nothing is kept.
    ///
    /// - Cost: with `keepingLastKnown` a file is read on the caller's thread, and observers whose values that changes are
    ///   called there.
    /// - Returns: the handle, to be kept for as long as the source is to be followed.
    public func follow(
        _ source: some DefaultValueSource, keepingLastKnown: Bool = false
    ) -> DefaultValueSourceFollowing {
        DefaultValueSourceFollowing(source, into: context, keepingLastKnown: keepingLastKnown)
    }
}

/// A source that a suite follows, until ``invalidate()`` or the last reference to this.
///
/// The last layer stays when it ends.
public final class DefaultValueSourceFollowing: Sendable {
    private let task: Task<Void, Never>

    init(_ source: any DefaultValueSource, into context: SuiteContext, keepingLastKnown: Bool) {
        let loop = SourceLoop(source: source, context: context, keepingLastKnown: keepingLastKnown)
        task = Task.detached {
            var loop = loop
            await loop.run()
        }
    }

    deinit { task.cancel() }

    /// Ends the following: after this returns no layer begins to be put in place; one that has begun is completed.
    ///
    /// It may be called twice, and from an observer's handler.
    public func invalidate() { task.cancel() }
}
