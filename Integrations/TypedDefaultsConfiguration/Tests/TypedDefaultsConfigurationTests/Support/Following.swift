import Synchronization
import TypedDefaults

/// A list that any thread adds to and a test waits on.
final class Recorder<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var waiting:
            [(isEnough: @Sendable ([Element]) -> Bool, continuation: CheckedContinuation<Void, Never>)] =
                []
    }

    private let state = Mutex(State())

    var all: [Element] { state.withLock { $0.elements } }

    func append(_ element: Element) {
        let done = state.withLock { state in
            state.elements.append(element)
            let done = state.waiting.filter { $0.isEnough(state.elements) }
            state.waiting.removeAll { $0.isEnough(state.elements) }
            return done
        }
        for one in done { one.continuation.resume() }
    }

    /// Waits until the elements are as the test wants them; the suite's time limit ends a wait in vain.
    func wait(until isEnough: @escaping @Sendable ([Element]) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if isEnough(state.elements) { return true }
                state.waiting.append((isEnough, continuation))
                return false
            }
            if isDone { continuation.resume() }
        }
    }
}

/// A suite that follows a source, and what has come of it.
struct Follower {
    let suite: DefaultsSuite
    let layers = Recorder<[String: DefaultsValue]>()
    let failures = Recorder<DefaultsError>()
    let recoveries = Recorder<DefaultsError>()
    private let observation: DefaultsObservation
    let following: DefaultValueSourceSubscription

    init(_ source: some DefaultValueSource, in suite: DefaultsSuite) {
        self.suite = suite
        suite.onFailure = { [failures, recoveries] failure in
            (failure.code == .recovered ? recoveries : failures).append(failure)
        }
        observation = suite.observeAll { [layers] in layers.append(suite.dictionaryRepresentation()) }
        following = suite.follow(source)
    }
}
