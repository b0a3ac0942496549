import DefaultsStore

/// The last good layer of a followed source, on disk.
///
/// It is served until the source answers, replaced by each answer, and removed by an answer that must not be
/// on disk.
final class LastKnownLayer: Sendable {
    /// A pending change of the file.
    private enum Change: Sendable {
        case keep(KnownLayer)
        case forget
    }

    private struct State {
        /// The newest pending change.
        var next: Change?
        var isWriting = false
        /// The pause before the next write.
        var rest: Task<Void, Never>?
        var isOver = false
        /// The failure reported since the last write.
        var reported: DefaultsError?
    }

    private let source: any DefaultValueSource
    private let context: SuiteContext
    private let path: String
    private let state = Locked(State())  // A leaf: nobody is called under it.

    /// The pause between two writes, for the disk's sake: a source may supply a hundred layers a second.
    private static let pause = Duration.seconds(1)

    /// Locates the file; nil for a suite in memory, which keeps nothing.
    init?(of source: any DefaultValueSource, in context: SuiteContext) {
        guard let path = context.pathOfKnownLayer(of: source.name) else { return nil }
        (self.source, self.context, self.path) = (source, context, path)
    }

    /// Serves the kept layer before this returns, unless the source has already answered in this process.
    ///
    /// - Returns: whether the kept layer is in place now.
    func serve() -> Bool {
        do throws(DefaultsError) {
            guard let layer = try context.knownLayer(of: source.name) else { return false }
            context.setLayer(
                source.name, values: layer.values, locked: layer.locked, location: layer.location,
                age: layer.age,
                asked: 0, isLastKnown: true)
            return context.layers.contains { $0.name == source.name && $0.isLastKnown }
        } catch {
            context.report(
                failure("the last known layer is not used, and the next answer replaces it", error))
            return false
        }
    }

    /// Schedules a write of a layer; of several before the write, the last one wins.
    func keep(_ layer: KnownLayer) { make(.keep(layer)) }

    /// Schedules the removal of the kept layer, and of any that still waits to be written.
    func forget() { make(.forget) }

    private func make(_ change: Change) {
        let (begins, displaced) = state.withLock { state in
            defer { (state.next, state.isWriting) = (change, true) }
            return (!state.isWriting, state.next)
        }
        // Released outside the lock.
        withExtendedLifetime(displaced) {}
        if begins { Task.detached { await self.write() } }
    }

    /// Makes the pending change at once.
    func finish() {
        let rest = state.withLock { state in
            state.isOver = true
            return state.rest
        }
        rest?.cancel()
    }

    private func write() async {
        while let change = takeNext() {
            await write(change)
            let rest = Task.detached {
                // A cancelled pause is over too.
                do { try await Task.sleep(for: LastKnownLayer.pause) } catch { return }
            }
            let isOver = state.withLock { state in
                state.rest = rest
                return state.isOver
            }
            if isOver { rest.cancel() }
            await rest.value
            // Released at the end of the scope, outside the lock.
            _ = state.withLock { $0.rest.take() }
        }
    }

    private func takeNext() -> Change? {
        state.withLock { state in
            if state.next == nil { state.isWriting = false }
            return state.next.take()
        }
    }

    private func write(_ change: Change) async {
        let error = await FileChanges.inBackground(at: path) { () -> DefaultsError? in
            do throws(DefaultsError) {
                switch change {
                case .keep(let layer): try self.context.keep(layer, of: self.source.name)
                case .forget: try self.context.forgetKnownLayer(of: self.source.name)
                }
                return nil
            } catch {
                let what =
                    switch change {
                    case .keep: "the last known layer cannot be kept"
                    case .forget: "the last known layer cannot be removed"
                    }
                return self.failure(what, error)
            }
        }
        let before = state.withLock { state in
            defer { state.reported = error }
            return state.reported
        }
        if let error, error != before { context.report(error) }
        if error == nil, before != nil {
            context.report(SourceLayer.recovered(source, "its last layer is kept again"))
        }
    }

    private func failure(_ what: String, _ error: DefaultsError) -> DefaultsError {
        let reasons = [error.code.clause, error.underlyingDescription].compactMap { $0 }
        return SourceLayer.failure(
            of: source,
            DefaultsError(
                .sourceFailed, path: error.path, systemError: error.systemError,
                underlyingDescription: "\(what): \(reasons.joined(separator: ": "))"))
    }
}
