import DefaultsStore
import TypedDefaults

/// An observer of one key that notes what it is told, a line `<old> <new>` for each change.
final class Listener: Sendable {
    let key: String
    private let observation: DefaultsObservation
    private let told: Told

    /// What was told last; a value of its own, so that the handler does not keep the observation alive.
    private final class Told: Sendable {
        let last = Locked<DefaultsValue?>(nil)
        let arrivals = Mailbox<Void>()
    }

    /// The observer was not told in time.
    struct NotTold: Error {
        let key: String
    }

    init(_ key: String, notes path: String, in suite: DefaultsSuite) throws {
        let (notes, told) = (try Notes(path: path), Told())
        self.key = key
        self.told = told
        observation = suite.observe(forKey: key, options: [.initial, .old, .new]) { change in
            let words = [change.oldValue, change.newValue].map { Notes.text(Worker.number($0)) }
            do { try notes.add(words) } catch { preconditionFailure("the notes cannot be written: \(error)") }
            told.last.withLock { $0 = change.newValue }
            told.arrivals.append(())
        }
    }

    /// Waits until a value was the last one told.
    func wait(for value: DefaultsValue?) throws {
        while told.last.withLock({ $0 }) != value {
            guard told.arrivals.take(1) != nil else { throw NotTold(key: key) }
        }
    }
}
