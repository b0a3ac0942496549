import Foundation
import TypedDefaults

/// Asks a server again and again, and tells what is known after each question.
struct HTTPPoll {
    private let fetch: HTTPFetch
    private var pace: HTTPPace
    private let place: String?
    private let mapper: HTTPDefaultValueSource.Mapper?

    /// The last good answer.
    private struct Known {
        var layer: DefaultsLayer
        var validators: HTTPValidators
        /// When the server said last that it is so.
        var confirmed: ContinuousClock.Instant
    }

    private var known: Known?

    init(
        fetch: HTTPFetch, pace: HTTPPace, place: String?, mapper: HTTPDefaultValueSource.Mapper?
    ) {
        (self.fetch, self.pace, self.place, self.mapper) = (fetch, pace, place, mapper)
    }

    /// Runs until the task is cancelled.
    mutating func run(_ tell: (DefaultsLayerUpdate) -> Void) async {
        while !Task.isCancelled {
            let (failure, wish) = await ask()
            guard !Task.isCancelled else { return }
            tell(update(failure))
            let pause = pace.pause(afterSuccess: failure == nil, wish: wish)
            do { try await Task.sleep(for: pause) } catch { return }
        }
    }

    /// Asks once.
    ///
    /// - Returns: what failed, nil if the server has answered; and how long it then wants to be left alone.
    private mutating func ask() async -> (failure: DefaultsError?, wish: Duration) {
        do {
            let asked = ContinuousClock.now
            switch try await fetch.answer(knowing: known?.validators ?? HTTPValidators()) {
            case .unchanged: known?.confirmed = asked
            case .later(let failure, let wish): return (failure, wish)
            case .body(let body, let validators):
                // Only now: an answer that cannot be used is to be sent again.
                let layer = DefaultsLayer(try await values(in: body), location: place)
                known = Known(layer: layer, validators: validators, confirmed: asked)
            }
            return (nil, .zero)
        } catch let error as DefaultsError {
            return (error, .zero)
        } catch {
            return (fetch.failure("\(error)"), .zero)
        }
    }

    private func values(in body: [UInt8]) async throws -> [String: DefaultsValue] {
        try await JSONDefaultValueSource(name: fetch.shown, text: { body }, mapper: mapper).defaultValues()
    }

    /// Everything that is to be told: a consumer may have missed the last update.
    private func update(_ failure: DefaultsError?) -> DefaultsLayerUpdate {
        var layer = known?.layer
        if let known { layer?.age = ContinuousClock.now - known.confirmed }
        return DefaultsLayerUpdate(layer: layer, failures: failure.map { [$0] } ?? [])
    }
}
