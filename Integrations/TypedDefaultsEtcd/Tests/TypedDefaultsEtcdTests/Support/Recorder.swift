import Dispatch
import Synchronization

/// A list that any thread adds to and a test waits on.
final class Recorder<Element: Sendable>: Sendable {
    private struct Waiter {
        let id: Int
        let isEnough: @Sendable ([Element]) -> Bool
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var elements: [Element] = []
        var waiters: [Waiter] = []
        var next = 0
    }

    private let state = Mutex(State())

    var all: [Element] { state.withLock { $0.elements } }

    func append(_ element: Element) {
        let done = state.withLock { state in
            state.elements.append(element)
            let done = state.waiters.filter { $0.isEnough(state.elements) }
            state.waiters.removeAll { waiter in done.contains { $0.id == waiter.id } }
            return done
        }
        for waiter in done { waiter.continuation.resume(returning: true) }
    }

    /// Waits until the elements are as the test wants them.
    ///
    /// - Returns: whether they became so in time.
    func wait(
        within seconds: Double = 120, until isEnough: @escaping @Sendable ([Element]) -> Bool
    ) async -> Bool {
        await withCheckedContinuation { continuation in
            let id = state.withLock { state -> Int? in
                if isEnough(state.elements) { return nil }
                state.next += 1
                state.waiters.append(Waiter(id: state.next, isEnough: isEnough, continuation: continuation))
                return state.next
            }
            guard let id else { return continuation.resume(returning: true) }
            DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in self?.giveUp(id) }
        }
    }

    /// The same by count.
    func wait(for count: Int, within seconds: Double = 120) async -> Bool {
        await wait(within: seconds) { $0.count >= count }
    }

    private func giveUp(_ id: Int) {
        let waiter = state.withLock { state -> Waiter? in
            guard let index = state.waiters.firstIndex(where: { $0.id == id }) else { return nil }
            return state.waiters.remove(at: index)
        }
        waiter?.continuation.resume(returning: false)
    }
}
