public import DefaultsStore

/// Reading default values from sources, once.
extension DefaultsSuite {
    /// Reads sources one after the other, each into its own layer of the registration domain.
    ///
    /// The source that is read last takes precedence. Observers of keys whose effective value a layer changes
    /// are called with the cause `.defaultsChanged(name)`, before the next source is read. Nothing runs on
    /// the caller's thread.
    ///
    /// ```swift
    /// let shipped = DictionaryDefaultValueSource(
    ///     ["volume": 0.5], name: "shipped")
    /// let local = JSONDefaultValueSource(path: "defaults.json")
    /// try await DefaultsSuite.standard.read(sources: shipped, local)
    /// ```
    ///
    /// If two readings of one source overlap, the answer to the later one stays.
    ///
    /// A source with the name of one that was read before replaces that one's layer. Of several sources with
    /// one name in a call only the first is read. The others are refused, because each would replace the
    /// layer of the one before.
    ///
    /// - Throws: `.sourceFailed`, naming every source that failed or was refused. Such a source keeps its
    ///   last good layer, and all other sources have been read.
    public func read(sources: any DefaultValueSource...) async throws(DefaultsError) {
        try await read(sources: sources)
    }

    /// Reads an array of sources one after the other, each into its own layer of the registration domain.
    ///
    /// The form with the sources as arguments is ``read(sources:)-(DefaultValueSource...)``.
    ///
    /// - Throws: `.sourceFailed`, naming every source that failed or was refused. Such a source keeps its
    ///   last good layer, and all other sources have been read.
    public func read(sources: [any DefaultValueSource]) async throws(DefaultsError) {
        let context = context
        let failures = await Task.detached { await DefaultsSuite.readAll(sources, into: context) }
            .valueCancelling()
        guard let error = DefaultsSuite.joined(failures.map(\.reported)) else { return }
        throw error.inSuite(name)
    }

    /// Reads sources in the background, for callers outside a task.
    ///
    /// - Parameter completion: gets the source's own error if just one has failed.
    package func readKeepingErrors(
        sources: [any DefaultValueSource], completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        Task.detached { [self] in
            let failures = await DefaultsSuite.readAll(sources, into: context)
            if failures.count == 1 { return completion(failures[0].own) }
            completion(DefaultsSuite.joined(failures.map(\.reported))?.inSuite(name))
        }
    }

    /// Reads sources in the background and calls a handler when all are read, for callers outside a task.
    ///
    /// Layers are put in place as by ``read(sources:)-(DefaultValueSource...)``.
    ///
    /// - Parameters:
    ///   - sources: the sources; the last one takes precedence.
    ///   - completion: called once, on a background thread; with nil if every source was read.
    public func read(
        sources: any DefaultValueSource..., completion: @escaping @Sendable (DefaultsError?) -> Void
    ) {
        read(sources: sources, completion: completion)
    }

    /// Reads an array of sources in the background and calls a handler when all are read, for callers outside
    /// a task.
    ///
    /// Layers are put in place as by ``read(sources:)-(DefaultValueSource...)``.
    ///
    /// - Parameters:
    ///   - sources: the sources; the last one takes precedence.
    ///   - completion: called once, on a background thread; with nil if every source was read.
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

    /// Returns one error for all failures; it has a location only if there is just one.
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
    /// Returns the task's value; cancelling the awaiting task cancels this one.
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
    /// ```swift
    /// let suite = DefaultsSuite.standard
    /// let following = suite.follow(
    ///     JSONDefaultValueSource(path: "/etc/player/defaults.json"))
    /// ```
    ///
    /// Layers are put in place as by `read(sources:)`. Each distinct failure is reported to the suite's
    /// `failures` once, and the last good layer stays. A source that has supplied nothing is read again after
    /// a quarter of a second, then after pauses that double, up to half a minute. This goes on while its
    /// changes are awaited. A source whose changes cannot be noticed is read once.
    ///
    /// With `keepingLastKnown` a program can start offline. Each layer that the source supplies is written to
    /// a file that only its user can read, in the settings file's folder. At the next start that layer is in
    /// place before this returns, and stays until the source answers. `explain(forKey:)` then says `last known,
    /// 3 h old`.
    ///
    /// ```swift
    /// struct Fleet: DefaultValueSource {
    ///     let name = "fleet"
    ///
    ///     // In a program: from a server.
    ///     func defaultValues() async throws -> [String: DefaultsValue] {
    ///         ["volume": 0.5]
    ///     }
    /// }
    /// let fleet = DefaultsSuite.standard.follow(
    ///     Fleet(), keepingLastKnown: true)
    /// ```
    ///
    /// - The file has the values in plain text, secret keys included. Two kinds of layers are never kept: one
    ///   that the source calls secret as a whole, and one of texts that get their types from keys, as
    ///   ``FilesDefaultValueSource`` supplies them. Such a layer also removes the one kept before.
    /// - The file is written, or removed, soon after the layer arrives, at most once a second. A kill leaves
    ///   the layer before. If several processes follow a source with one name in one suite, the layer that
    ///   came last by the clock is kept. Except after a removal: a process that lags may then keep an earlier
    ///   one.
    /// - A file that is damaged, a file that another user owns or may write, and a link in its place are a
    ///   failure of the source. Nothing of it is used, and the next layer replaces it.
    /// - A failed write is a failure of the source, and everything else goes on.
    /// - For a suite in memory nothing is kept.
    ///
    /// - Cost: with `keepingLastKnown` a file is read on the caller's thread, and observers of the values
    ///   that this changes are called there.
    /// - Parameters:
    ///   - source: the source to follow.
    ///   - keepingLastKnown: whether its last layer is kept for the next start.
    /// - Returns: the handle; keep it for as long as the source is to be followed.
    public func follow(
        _ source: some DefaultValueSource, keepingLastKnown: Bool = false
    ) -> DefaultValueSourceSubscription {
        DefaultValueSourceSubscription(source, into: context, keepingLastKnown: keepingLastKnown)
    }
}

/// A source that a suite follows, until ``invalidate()`` or until the last reference to this is released.
///
/// The last layer stays after that.
public final class DefaultValueSourceSubscription: Sendable {
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

    /// Waits until the source has supplied a layer and that is in place.
    ///
    /// It stops waiting once the source has failed while its last known layer is served, when the time has
    /// passed, or when the task is cancelled. Failures are in the suite's `failures`.
    ///
    /// ```swift
    /// let suite = DefaultsSuite.standard
    /// let following = suite.follow(
    ///     JSONDefaultValueSource(path: "/etc/player/defaults.json"))
    /// if await !following.ready(within: .seconds(5)) {
    ///     print("starts without them")
    /// }
    /// ```
    ///
    /// - Returns: whether the source has supplied a layer since the following began.
    public func ready(within limit: Duration) async -> Bool { await answer.wait(within: limit) }

    /// Ends the following.
    ///
    /// After this returns no new layer is put in place, except one whose installation has begun. It may be
    /// called twice, and from an observer's handler.
    public func invalidate() { task.cancel() }
}
