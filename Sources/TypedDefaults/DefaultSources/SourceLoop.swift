import DefaultsStore

/// Follows one source: reads it, then takes every change; after a failure again, with back-off.
///
/// A failed read is repeated even while the stream of changes goes on, until either of them supplies a layer.
struct SourceLoop {
    let source: any DefaultValueSource
    let context: SuiteContext
    private var reported: DefaultsError?
    /// The failures in the last report of a reporting source.
    private var told: Set<DefaultsError> = []
    private var isInstalled: Bool
    private let answer: SourceAnswer
    /// The store of the source's layers for the next start, if they are kept.
    private let lastKnown: LastKnownLayer?
    /// Whether the current stream or a concurrent read has supplied a layer.
    private var isKnown = false
    /// The pause before the next read of a source that cannot be read.
    private var readPause = SourceLoop.shortest
    /// The pause before the next stream; independent of the reads, because without a stream no change is
    /// noticed.
    private var streamPause = SourceLoop.shortest

    private static let shortest = Duration.milliseconds(250)
    private static let longest = Duration.seconds(30)

    /// The last known layer, if one is kept, is in place before this returns.
    init(
        source: any DefaultValueSource, context: SuiteContext, keepingLastKnown: Bool, answer: SourceAnswer
    ) {
        self.source = source
        self.answer = answer
        self.context = context
        lastKnown = keepingLastKnown ? LastKnownLayer(of: source, in: context) : nil
        isInstalled = lastKnown?.serve() ?? false
    }

    /// Runs until the task is cancelled, or the source has been read and its changes cannot be noticed.
    mutating func run() async {
        defer { lastKnown?.finish() }
        if let source = source as? any LiveDefaultValueSource { return await run(reporting: source) }
        while !Task.isCancelled {
            // Requested before the read, so that a change in between is not missed.
            let changes = await changes()
            isKnown = false
            let began = ContinuousClock.now
            if let changes {
                await take(changes)
                await restAfterStream(since: began)
                continue
            }
            await read()
            if isKnown {
                return
            } else {
                _ = await SourceLoop.rest(readPause)
                readPause = SourceLoop.longer(readPause)
            }
        }
    }

    /// Requests the source's changes on a thread outside Swift's pool, because the source may look at files.
    private func changes() async -> Changes? {
        await FileChanges.inBackground(at: source.name) { [source] in source.changes() }
    }

    private mutating func run(reporting source: any LiveDefaultValueSource) async {
        while !Task.isCancelled {
            let began = ContinuousClock.now
            for await next in source.layerUpdates() { take(next) }
            report(ended)
            await restAfterStream(since: began)
        }
    }

    private mutating func take(_ next: DefaultsLayerUpdate) {
        let hadValues = isInstalled
        var failures = next.failures.map { SourceLayer.failure(of: source, $0) }
        if let layer = next.layer {
            do throws(DefaultsError) { accept(try SourceLayer(layer, of: source)) } catch {
                failures.append(error)
            }
        }
        guard !Task.isCancelled else { return }
        for failure in failures where !told.contains(failure) {
            context.report(advised(failure, hasValues: hadValues))
        }
        if !failures.isEmpty { answer.fail(hasValues: isInstalled) }
        if failures.isEmpty { recover() }
        told = Set(failures)
    }

    private mutating func read() async {
        switch await SourceLoop.reading(source) {
        case .success(let layer): accept(layer)
        case .failure(let error): report(error)
        }
    }

    /// Reads a source; cancelling this task ends the wait even if the source hangs.
    private static func reading(_ source: any DefaultValueSource) async -> Result<SourceLayer, DefaultsError>
    {
        let (answers, answer) = AsyncStream.makeStream(of: Result<SourceLayer, DefaultsError>.self)
        let asking = Task.detached {
            do throws(SourceFailure) { answer.yield(.success(try await SourceLayer.read(source))) } catch {
                answer.yield(.failure(error.reported))
            }
        }
        defer { asking.cancel() }
        for await answer in answers { return answer }
        return .failure(SourceLayer.failure(of: source, CancellationError()))
    }

    private typealias Changes = AsyncThrowingStream<[String: DefaultsValue], any Error>

    /// Reads the source, and takes every layer until the stream ends or fails.
    private mutating func take(_ changes: Changes) async {
        do {
            var isFirst = true
            while !isKnown {
                guard let values = try await first(of: changes, readsAtOnce: isFirst) else {
                    return report(ended)
                }
                isFirst = false
                take(values)
            }
            for try await values in changes { take(values) }
            report(ended)
        } catch {
            report(SourceLayer.failure(of: source, error))
        }
    }

    private mutating func take(_ values: [String: DefaultsValue]) {
        do throws(DefaultsError) { accept(try SourceLayer(values, of: source)) } catch { report(error) }
    }

    /// The end of a wait.
    private enum Event: Sendable {
        case rested
        case reading(Result<SourceLayer, DefaultsError>)
        case change(Result<[String: DefaultsValue]?, any Error>)
    }

    /// The next layer of a stream; nil if it ends.
    ///
    /// Until one comes, the source is read again until a read succeeds.
    private mutating func first(
        of changes: Changes, readsAtOnce: Bool
    ) async throws -> [String: DefaultsValue]? {
        let first = await withTaskGroup(of: Event.self) { group in
            // One wait for the stream during all reads: cancelling it would end the stream.
            group.addTask { .change(await SourceLoop.next(of: changes)) }
            if readsAtOnce {
                group.addTask { [source] in .reading(await SourceLoop.reading(source)) }
            } else {
                group.addTask { [readPause] in await SourceLoop.rest(readPause) }
            }
            while let event = await group.next() {
                switch event {
                case .change(let next):
                    group.cancelAll()
                    return next
                case .rested:
                    guard !Task.isCancelled else { continue }
                    readPause = SourceLoop.longer(readPause)
                    // Concurrent with that wait: a read that hangs must not delay a layer of the stream.
                    group.addTask { [source] in .reading(await SourceLoop.reading(source)) }
                case .reading(.success(let layer)):
                    accept(layer)
                case .reading(.failure(let error)):
                    report(error)
                    group.addTask { [readPause] in await SourceLoop.rest(readPause) }
                }
            }
            return .success(nil)
        }
        return try first.get()
    }

    private static func next(of changes: Changes) async -> Result<[String: DefaultsValue]?, any Error> {
        var iterator = changes.makeAsyncIterator()
        do { return .success(try await iterator.next()) } catch { return .failure(error) }
    }

    private mutating func accept(_ layer: SourceLayer) {
        guard !Task.isCancelled else { return }
        layer.install(in: context, of: source, keepsPlace: isInstalled)
        if let known = layer.known { lastKnown?.keep(known) } else { lastKnown?.forget() }
        isInstalled = true
        isKnown = true
        readPause = SourceLoop.shortest
        if !(source is any LiveDefaultValueSource) { recover() }
        answer.succeed()
    }

    /// Reports the recovery, if there was a failure.
    private mutating func recover() {
        guard reported != nil || !told.isEmpty else { return }
        (reported, told) = (nil, [])
        context.report(SourceLayer.recovered(source))
    }

    private mutating func report(_ error: DefaultsError) {
        guard !Task.isCancelled else { return }
        answer.fail(hasValues: isInstalled)
        guard error != reported else { return }
        reported = error
        context.report(advised(error, hasValues: isInstalled))
    }

    /// Adds the advice that the last good values stay, if there are any.
    private func advised(_ error: DefaultsError, hasValues: Bool) -> DefaultsError {
        error.advising(hasValues ? "Look at the source; its last good values stay." : nil)
    }

    private var ended: DefaultsError {
        DefaultsError(.sourceFailed, underlyingDescription: "\"\(source.name)\": its changes have ended")
    }

    private mutating func restAfterStream(since began: ContinuousClock.Instant) async {
        // A stream that has lasted for a while resets the back-off.
        if ContinuousClock.now - began > streamPause { streamPause = SourceLoop.shortest }
        _ = await SourceLoop.rest(streamPause)
        streamPause = SourceLoop.longer(streamPause)
    }

    private static func longer(_ pause: Duration) -> Duration { min(pause * 2, longest) }

    private static func rest(_ pause: Duration) async -> Event {
        do { try await Task.sleep(for: pause) } catch {
            // The loop checks for cancellation itself.
            return .rested
        }
        return .rested
    }
}
