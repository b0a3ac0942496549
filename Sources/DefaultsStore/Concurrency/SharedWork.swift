/// One piece of work at a time: the threads that wait meanwhile share its result, and leave together.
// Unchecked is sound because what varies is only touched under the monitor's mutex.
final class SharedWork: @unchecked Sendable {
    private let monitor = Monitor()
    private var isBusy = false
    private var sleeping = 0
    private var wasShared = false

    /// How waiting has ended.
    enum Outcome: Hashable {
        /// The caller has to do the work, and then ``end()``.
        case mine
        case done
        case late
    }

    /// Waits until nobody is at work, unless what the caller wants is done before.
    ///
    /// - Parameter isDone: asked under the mutex; takes nothing but a leaf.
    func begin(until deadline: Deadline, unless isDone: () -> Bool) -> Outcome {
        monitor.sync {
            sleeping += 1
            defer { sleeping -= 1 }
            var isInTime = !deadline.hasPassed || !isBusy
            while true {
                if isDone() { return .done }
                guard isBusy else {
                    isBusy = true
                    return .mine
                }
                guard isInTime else { return .late }
                isInTime = monitor.wait(until: deadline)
            }
        }
    }

    /// Ends the work, and has all that wait check whether theirs is done.
    func end() {
        monitor.sync {
            isBusy = false
            if sleeping > 0 {
                wasShared = true
                monitor.wakeAll()
            }
        }
    }

    /// Whether somebody waited when the last work ended; true once for each time.
    func takeWasShared() -> Bool {
        monitor.sync {
            defer { wasShared = false }
            return wasShared
        }
    }
}
