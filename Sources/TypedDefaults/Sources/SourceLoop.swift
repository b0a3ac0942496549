import DefaultsStore

/// Follows one source: read, then every change; after a failure the same again, later each time.
struct SourceLoop {
    let source: any DefaultValueSource
    let core: SuiteCore
    private var reported: DefaultsError?
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
            // What went well for a while starts over with the shortest pause.
            if ContinuousClock.now - began > pause { pause = SourceLoop.shortest }
            await rest()
        }
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
            report(
                DefaultsError(
                    .sourceFailed, underlyingDescription: "\"\(source.name)\": its changes have ended"))
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

    private mutating func rest() async {
        do { try await Task.sleep(for: pause) } catch {
            // Cancelled, which the loop sees by itself.
            return
        }
        pause = min(pause * 2, SourceLoop.longest)
    }
}
