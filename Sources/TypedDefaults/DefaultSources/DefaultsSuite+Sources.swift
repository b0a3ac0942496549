public import DefaultsStore

/// Reading default values from sources, once.
extension DefaultsSuite {
    /// Reads sources one after the other, each into its own layer of the registration domain.
    ///
    /// The one read last takes precedence. Observers of keys whose effective value a layer changes are called with
    /// the cause `.defaultsChanged(name)` before the next source is read. Nothing runs on the caller's thread.
    ///
    /// ```swift
    /// let shipped = DictionaryDefaultValueSource(["volume": 0.5], name: "shipped")
    /// try await DefaultsSuite.standard.read(sources: shipped, JSONDefaultValueSource(path: "defaults.json"))
    /// ```
    ///
    /// Where two readings of one source overlap, the answer to the later question stays.
    ///
    /// A source with the name of one that was read before replaces that one's layer. Of several sources with one name
    /// in a call the first is read, and the others are refused, because each would replace the layer of the one
    /// before.
    ///
    /// - Throws: `.sourceFailed`, naming every source that failed or was refused. Such a source keeps its last good
    ///   layer, and the others have been read all the same.
    public func read(sources: any DefaultValueSource...) async throws(DefaultsError) {
        try await read(sources: sources)
    }

    /// Does the same for an array of sources.
    public func read(sources: [any DefaultValueSource]) async throws(DefaultsError) {
        let context = context
        let failures = await Task.detached { await DefaultsSuite.readAll(sources, into: context) }
            .valueCancelling()
        guard let error = DefaultsSuite.joined(failures.map(\.reported)) else { return }
        throw error.inSuite(name)
    }

    /// Reads sources for callers that cannot wait.
    ///
    /// - Parameter completion: gets what a source has thrown as it is, if just one has failed.
    package func readKeepingErrors(
        sources: [any DefaultValueSource], completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        Task.detached { [self] in
            let failures = await DefaultsSuite.readAll(sources, into: context)
            if failures.count == 1 { return completion(failures[0].own) }
            completion(DefaultsSuite.joined(failures.map(\.reported))?.inSuite(name))
        }
    }

    /// Does the same for callers that cannot wait.
    ///
    /// - Parameter completion: called once, on a thread of the library's; nil if every source was read.
    public func read(
        sources: any DefaultValueSource..., completion: @escaping @Sendable (DefaultsError?) -> Void
    ) {
        read(sources: sources, completion: completion)
    }

    /// Does the same for callers that cannot wait, and an array of sources.
    public func read(
        sources: [any DefaultValueSource], completion: @escaping @Sendable (DefaultsError?) -> Void
    ) {
        Task.detached { [self] in
            do throws(DefaultsError) {
                try await read(sources: sources)
                completion(nil)
            } catch {
                completion(error)
            }
        }
    }

    private static func readAll(
        _ sources: [any DefaultValueSource], into context: SuiteContext
    ) async -> [SourceFailure] {
        var failures: [SourceFailure] = []
        var names: Set<String> = []
        for source in sources {
            do throws(SourceFailure) {
                guard names.insert(source.name).inserted else {
                    throw SourceFailure(SourceLayer.repeated(source))
                }
                try await SourceLayer.read(source).install(in: context, of: source)
            } catch {
                failures.append(error)
            }
        }
        return failures
    }

    /// Returns one error for all failures; it names a place only if there is just one.
    private static func joined(_ failures: [DefaultsError]) -> DefaultsError? {
        guard failures.count > 1 else { return failures.first }
        let reasons = failures.map { failure in
            let place = failure.path.map { path in
                " at \(path)" + (failure.line.map { ":\($0):\(failure.column ?? 1)" } ?? "")
            }
            let key = failure.key.map { " (key \"\($0)\")" }
            let system = failure.systemError.map { ": \($0)" }
            return (failure.underlyingDescription ?? "") + (system ?? "") + (key ?? "") + (place ?? "")
        }
        return DefaultsError(.sourceFailed, underlyingDescription: reasons.joined(separator: "; "))
    }
}

extension Task where Failure == Never {
    /// Returns the task's value; the task is cancelled when the one that waits for it is.
    fileprivate func valueCancelling() async -> Success {
        await withTaskCancellationHandler {
            await value
        } onCancel: {
            cancel()
        }
    }
}

/// Following sources.
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
    private let answer = SourceAnswer()

    init(_ source: any DefaultValueSource, into context: SuiteContext, keepingLastKnown: Bool) {
        let loop = SourceLoop(
            source: source, context: context, keepingLastKnown: keepingLastKnown, answer: answer)
        task = Task.detached {
            var loop = loop
            await loop.run()
        }
    }

    deinit { task.cancel() }

    /// Waits until the source has supplied a layer, which is in place then.
    ///
    /// It does not wait any longer once the source has failed where its last known layer is served, when the time has
    /// passed, or when the task is cancelled. What has failed is in the suite's `failures`.
    ///
    /// ```swift
    /// let suite = DefaultsSuite.standard
    /// let following = suite.follow(JSONDefaultValueSource(path: "/etc/player/defaults.json"))
    /// if await !following.ready(within: .seconds(5)) { print("starts without them") }
    /// ```
    ///
    /// - Returns: whether the source has supplied one since it is followed.
    public func ready(within limit: Duration) async -> Bool { await answer.wait(within: limit) }

    /// Ends the following: after this returns no layer begins to be put in place; one that has begun is completed.
    ///
    /// It may be called twice, and from an observer's handler.
    public func invalidate() { task.cancel() }
}
