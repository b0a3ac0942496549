import DefaultsStore
import TestSupport
import TypedDefaults

/// A source that does what a test tells it to.
final class ScriptedSource: DefaultValueSource {
    /// What the source throws when it is told to fail.
    struct Broken: Error, Hashable, CustomStringConvertible {
        var description = "it is broken"
    }

    private struct State {
        var answer: Result<[String: DefaultsValue], any Error>
        var isHanging = false
        var streams: [AsyncThrowingStream<[String: DefaultsValue], any Error>.Continuation] = []
    }

    let name: String
    private let hasChanges: Bool
    private let state: Locked<State>
    /// One element for each time the source was asked.
    let readings = Recorder<Int>()
    /// One element for each stream that was asked for.
    let streams = Recorder<Int>()
    /// One element for each stream whose consumer stopped.
    let ends = Recorder<Int>()

    init(
        _ name: String, _ values: [String: DefaultsValue], hasChanges: Bool = false
    ) {
        self.name = name
        self.hasChanges = hasChanges
        state = Locked(State(answer: .success(values)))
    }

    /// What the next reading gives.
    func answer(_ values: [String: DefaultsValue]) { state.withLock { $0.answer = .success(values) } }

    /// Makes the next readings fail.
    func fail(_ error: any Error = Broken()) { state.withLock { $0.answer = .failure(error) } }

    /// Makes the next readings last until they are cancelled.
    func hang() { state.withLock { $0.isHanging = true } }

    /// Gives a layer to the newest stream.
    func send(_ values: [String: DefaultsValue]) { state.withLock { $0.streams.last }?.yield(values) }

    /// Ends the newest stream.
    func finish(_ error: (any Error)? = nil) { state.withLock { $0.streams.last }?.finish(throwing: error) }

    func defaultValues() async throws -> [String: DefaultsValue] {
        let (answer, isHanging) = state.withLock { ($0.answer, $0.isHanging) }
        readings.append(1)
        if isHanging {
            let never = AsyncStream<Never> { _ in }
            for await _ in never {}
            throw CancellationError()
        }
        return try answer.get()
    }

    func changes() -> AsyncThrowingStream<[String: DefaultsValue], any Error>? {
        guard hasChanges else { return nil }
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: [String: DefaultsValue].self)
        continuation.onTermination = { [ends] _ in ends.append(1) }
        state.withLock { $0.streams.append(continuation) }
        streams.append(1)
        return stream
    }
}

extension DefaultsSuite {
    /// The error of reading sources, whole; nil when all were read.
    func readingError(_ sources: any DefaultValueSource...) async -> DefaultsError? {
        do throws(DefaultsError) {
            try await read(sources: sources)
            return nil
        } catch {
            return error
        }
    }
}
