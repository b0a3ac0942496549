import Dispatch
import Synchronization
import TypedDefaults

/// Takes a configuration from the file when all of it is good.
final class Follower: Sendable {
    private struct State {
        /// The configuration of the last save; nil while that is not good.
        var taken: Configuration?
        /// Whether it will look at the file by itself.
        var looksAgain = false
    }

    private let suite: DefaultsSuite
    private let tell: @Sendable (Configuration.Event) -> Void
    private let state = Mutex(State())

    init(_ suite: DefaultsSuite, tell: @escaping @Sendable (Configuration.Event) -> Void) {
        self.suite = suite
        self.tell = tell
    }

    /// Goes on with what was taken before.
    func keep(because reason: String) {
        keep()
        tell(.kept(because: reason))
    }

    /// Takes what the file has if all of it is good, and new.
    func look() {
        // A default in place of a value that cannot be used would be a surprise.
        guard isGood else { return keep() }
        let configuration = Configuration(suite.snapshot())
        let isNew = state.withLock { state in
            defer { state.taken = configuration }
            return state.taken != configuration
        }
        if isNew { tell(.took(configuration)) }
    }

    /// Looks every second until the file is good again.
    ///
    /// No observer hears of that where a value was mended to the one that was served in its place, such as the default.
    private func keep() {
        let begins = state.withLock { state in
            state.taken = nil
            defer { state.looksAgain = true }
            return !state.looksAgain
        }
        guard begins else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + 1) { [weak self] in self?.lookAgain() }
    }

    private func lookAgain() {
        state.withLock { $0.looksAgain = false }
        look()
    }

    private var isGood: Bool {
        do { _ = try suite.storedValues() } catch { return false }
        return suite.problems().isEmpty
    }
}
