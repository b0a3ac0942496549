import DefaultsStore

/// Follows one source: read, then every change; after a failure the same again, later each time.
struct SourceLoop {
    let source: any DefaultValueSource
    let core: SuiteCore
    private var reported: DefaultsError?
    /// What a reporting source said was wrong the last time.
    private var told: Set<DefaultsError> = []
    private var isInstalled = false
    private var pause = SourceLoop.shortest

    private static let shortest = Duration.milliseconds(250)
    private static let longest = Duration.seconds(30)

    init(source: any DefaultValueSource, core: SuiteCore) {
        self.source = source
        self.core = core
    }

    /// Goes on until the task is cancelled, or the source has been read and cannot tell of changes.
    mutating func run() async {
        if let source = source as? any ReportingDefaultValueSource { return await run(reporting: source) }
        while !Task.isCancelled {
            // Asked for before the reading, so that a change in between is not missed.
            let changes = source.changes()
            let isRead = await read()
            let began = ContinuousClock.now
            if let changes {
                await take(changes)
            } else if isRead {
                return
            }
            await rest(since: began)
        }
    }

    /// The same of a source that tells of everything in one stream.
    private mutating func run(reporting source: any ReportingDefaultValueSource) async {
        while !Task.isCancelled {
            let began = ContinuousClock.now
            for await next in source.reports() { take(next) }
            report(ended)
            await rest(since: began)
        }
    }

    private mutating func take(_ next: DefaultValueReport) {
        var failures = next.failures.map { SourceLayer.failure(of: source, $0) }
        if let layer = next.layer {
            do throws(DefaultsError) { accept(try SourceLayer(layer, of: source)) } catch {
                failures.append(error)
            }
        }
        guard !Task.isCancelled else { return }
        for failure in failures where !told.contains(failure) { core.report(failure) }
        told = Set(failures)
    }

    private mutating func read() async -> Bool {
        do throws(DefaultsError) {
            accept(try await SourceLayer.read(source))
            return true
        } catch {
            report(error)
            return false
        }
    }

    /// Takes every layer until the stream ends or fails.
    private mutating func take(_ changes: AsyncThrowingStream<[String: DefaultsValue], any Error>) async {
        do {
            for try await values in changes {
                do throws(DefaultsError) {
                    accept(try SourceLayer(values, of: source))
                } catch {
                    report(error)
                }
            }
            report(ended)
        } catch {
            report(SourceLayer.failure(of: source, error))
        }
    }

    private mutating func accept(_ layer: SourceLayer) {
        guard !Task.isCancelled else { return }
        layer.install(in: core, of: source, keepsPlace: isInstalled)
        isInstalled = true
        reported = nil
    }

    private mutating func report(_ error: DefaultsError) {
        guard !Task.isCancelled, error != reported else { return }
        reported = error
        core.report(error)
    }

    private var ended: DefaultsError {
        DefaultsError(.sourceFailed, underlyingDescription: "\"\(source.name)\": its changes have ended")
    }

    private mutating func rest(since began: ContinuousClock.Instant) async {
        // What went well for a while starts over with the shortest pause.
        if ContinuousClock.now - began > pause { pause = SourceLoop.shortest }
        do { try await Task.sleep(for: pause) } catch {
            // Cancelled, which the loop sees by itself.
            return
        }
        pause = min(pause * 2, SourceLoop.longest)
    }
}
