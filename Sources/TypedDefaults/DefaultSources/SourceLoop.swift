import DefaultsStore

/// Follows one source: read, then every change; after a failure the same again, after longer and longer pauses.
///
/// A read that failed is repeated even while the stream of changes continues, until one or the other has a layer.
struct SourceLoop {
    let source: any DefaultValueSource
    let context: SuiteContext
    private var reported: DefaultsError?
    /// What a reporting source reported as wrong the last time.
    private var told: Set<DefaultsError> = []
    private var isInstalled: Bool
    private let answer: SourceAnswer
    /// Where the source's layers are kept for the next start, if they are.
    private let lastKnown: LastKnownLayer?
    /// Whether there is a layer, from the current stream or from the reads beside it.
    private var isKnown = false
    /// Before the next read of a source that cannot be read.
    private var readPause = SourceLoop.shortest
    /// Before the next stream, which does not wait for the reads: while there is none, no change is noticed.
    private var streamPause = SourceLoop.shortest

    private static let shortest = Duration.milliseconds(250)
    private static let longest = Duration.seconds(30)

    /// Creates the loop, and serves what is kept of the source's last layer, before this returns.
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
        if let source = source as? any ReportingDefaultValueSource { return await run(reporting: source) }
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

    /// Requests the source's changes, for which it may look at files, on a thread that no task needs.
    private func changes() async -> Changes? {
        await FileChanges.inBackground(at: source.name) { [source] in source.changes() }
    }

    /// Does the same for a source that reports everything in one stream.
    private mutating func run(reporting source: any ReportingDefaultValueSource) async {
        while !Task.isCancelled {
            let began = ContinuousClock.now
            for await next in source.reports() { take(next) }
            report(ended)
            await restAfterStream(since: began)
        }
    }

    private mutating func take(_ next: DefaultValueReport) {
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

    /// Asks a source.
    ///
    /// Nobody waits any longer for one that hangs when this task is cancelled.
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

    /// How a wait ended.
    private enum Event: Sendable {
        case rested
        case reading(Result<SourceLayer, DefaultsError>)
        case change(Result<[String: DefaultsValue]?, any Error>)
    }

    /// Returns the next layer of a stream, nil if it ends; until it comes, the source is read again until that
    /// succeeds.
    private mutating func first(
        of changes: Changes, readsAtOnce: Bool
    ) async throws -> [String: DefaultsValue]? {
        let first = await withTaskGroup(of: Event.self) { group in
            // One wait for the stream, beside all reads: cancelling it would end the stream.
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
                    // Beside the wait too, or a read that hangs would hold back a layer of the stream.
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
        if !(source is any ReportingDefaultValueSource) { recover() }
        answer.succeed()
    }

    /// Reports that nothing is wrong any more, if something was.
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

    /// The same error; what is served meanwhile is only said where there is something.
    private func advised(_ error: DefaultsError, hasValues: Bool) -> DefaultsError {
        error.advising(hasValues ? "Look at the source; its last good values stay." : nil)
    }

    private var ended: DefaultsError {
        DefaultsError(.sourceFailed, underlyingDescription: "\"\(source.name)\": its changes have ended")
    }

    private mutating func restAfterStream(since began: ContinuousClock.Instant) async {
        // After a stream that has lasted for a while, the pauses start over with the shortest one.
        if ContinuousClock.now - began > streamPause { streamPause = SourceLoop.shortest }
        _ = await SourceLoop.rest(streamPause)
        streamPause = SourceLoop.longer(streamPause)
    }

    private static func longer(_ pause: Duration) -> Duration { min(pause * 2, longest) }

    private static func rest(_ pause: Duration) async -> Event {
        do { try await Task.sleep(for: pause) } catch {
            // Cancelled, which the loop notices by itself.
            return .rested
        }
        return .rested
    }
}
