/// The background threads: they see to changes from outside the process, make checkpoints, and call handlers.
///
/// Each piece of work is done in a place, which has a number of seats. All threads serve all places, and a place whose
/// seats are taken by work that does not come to its end keeps no other waiting: neither a file system that has
/// stopped answering, nor handlers that block.
///
/// A few pieces of work have a thread at once. What comes beyond them mostly need not have one of its own, because those
/// before it are done in a moment; so it waits for any thread, and gets another one only if none comes within some
/// milliseconds. Then those at work may be blocked.
package final class WorkerPool: Sendable {
    /// The instance of this process.
    package static let shared = WorkerPool()

    /// Where a piece of work is done.
    package enum Place: Hashable, Sendable {
        /// People's code: handlers, and what they have captured.
        case people
        /// The turns of the tasks which wait in one queue, and people's code behind them.
        case tasks(ObjectIdentifier)
        /// The library's own work on files of one file system, which the number of the device tells.
        case fileSystem(UInt64)
        /// Whatever a path leads to, and people's code that makes something of it.
        case path(String)

        /// Whether its work may be people's, and so take any time.
        fileprivate var isPeople: Bool {
            switch self {
            case .people, .tasks: true
            case .fileSystem, .path: false
            }
        }
    }

    /// A piece of work that has a seat.
    fileprivate struct Piece {
        /// Nil for work that needs no seat.
        let place: Place?
        let body: @Sendable () -> Void
    }

    /// A place that has work.
    fileprivate struct Seats {
        let place: Place
        var taken = 0
        /// What waits for a seat.
        var waiting = Queue<@Sendable () -> Void>()
    }

    /// A thread at work that is not people's, and what it leaves to them.
    fileprivate struct Worker {
        let thread: UInt
        let place: Place
        var left: [@Sendable () -> Void] = []
    }

    fileprivate struct State {
        // Arrays, because all are short, and the first dictionary of a type costs a process more than all of this.
        var places: [Seats] = []
        /// What has a seat, and waits for a thread.
        var seated = Queue<Piece>()
        /// How many have been seated since the beginning.
        var came = 0
        /// Whether a thread sees to it that what is seated gets a thread.
        var isOverseen = false
        /// What an idle thread has been reserved for; no other thread may do it.
        var handedOver = Queue<Piece>()
        var workers: [Worker] = []
        /// What wakes each idle thread.
        ///
        /// The last one is woken first, so that those that are not needed end.
        var idle: [Semaphore] = []
    }

    /// What waits for a thread needs.
    fileprivate enum Need {
        case nothing, newThread, overseer
        case idleThread(Semaphore)
    }

    /// How many threads work in one place at once.
    static let seats = 16
    /// How many pieces of work have a thread at once, if none is idle.
    static let prompt = 4
    /// How long what is beyond these waits at the least, before the first of it gets a thread of its own.
    static let patienceInNanoseconds: UInt64 = 10_000_000

    // Lock L7: protects the lists; nothing is taken, called or released under it.
    private let state = Locked(State())
    /// What people's code finds blocked: known when the first thread is started.
    private let signals = LazyReference<SignalMask>()

    /// Has a piece of work done soon.
    package func run(in place: Place = .people, _ body: @escaping @Sendable () -> Void) {
        provide(state.withLock { $0.seat(body, in: place) })
    }

    private func performIfSeated(_ body: @escaping @Sendable () -> Void, in place: Place) {
        let isSeated = state.withLock { $0.takeSeat(place, orWaitFor: body) }
        if isSeated { perform(Piece(place: place, body: body)) }
    }

    /// Has people's code run: behind the work at hand if the caller is at work in another place, and else here and
    /// now.
    ///
    /// So a handler that blocks keeps no seat but people's own.
    package func tell(_ body: @escaping @Sendable () -> Void) {
        // In a forked child nobody comes to what is left.
        if Fork.isRefused { return body() }
        let me = SystemCalls.threadID
        let isLeft = state.withLock { state in
            guard let mine = state.workers.firstIndex(where: { $0.thread == me }) else { return false }
            state.workers[mine].left.append(body)
            return true
        }
        if !isLeft { body() }
    }

    /// Notes that the rest of the caller's work in a place is people's code, and runs what it has left to people.
    func turnToPeople(in place: Place) {
        let me = SystemCalls.threadID
        let left = state.withLock { $0.removeWorker(me, in: place) }
        left.forEach { $0() }
    }

    /// Whether no work is under way or waiting but people's own.
    package var isQuiet: Bool { state.withLock { $0.places.allSatisfy(\.place.isPeople) } }

    /// How many threads are idle.
    var idleThreads: Int { state.withLock { $0.idle.count } }

    /// Has a piece of work done at once by a thread that does nothing else, an idle one or a new one.
    ///
    /// - Returns: false if there is none to be had; the work is not done then.
    func handOver(_ body: @escaping @Sendable () -> Void) -> Bool {
        do { try startThread(with: body) } catch { return false }
        return true
    }

    /// Does the same; the thread serves other work afterwards.
    func startThread(with body: @escaping @Sendable () -> Void) throws(SystemError) {
        let piece = Piece(place: nil, body: body)
        let idle = state.withLock { state in
            let idle = state.idle.popLast()
            if idle != nil { state.handedOver.append(piece) }
            return idle
        }
        if let idle { idle.signal() } else { try start(with: piece) }
    }

    /// Has a thread come for what has been given a seat.
    private func provide(_ need: Need) {
        switch need {
        case .nothing: return
        case .idleThread(let idle): idle.signal()
        case .newThread:
            // If no thread can be had, the thread that brought the work does it.
            do { try start() } catch { performSeated() }
        case .overseer:
            guard !handOver({ [self] in oversee() }) else { return }
            state.withLock { $0.isOverseen = false }
            performSeated()
        }
    }

    /// Sees to it that what waits for a thread does not wait for those that are blocked, as long as there is such work.
    private func oversee() {
        var seen = state.withLock { $0.came }
        while !Fork.isRefused {
            SystemCalls.pause(nanoseconds: WorkerPool.patienceInNanoseconds)
            let (late, isOver) = state.withLock { state -> (Piece?, Bool) in
                // Only one at a time: on a busy machine threads are late that are not blocked, and more would not help.
                let isLate = state.seated.count > state.came - seen
                let late = isLate ? state.seated.popFirst() : nil
                state.isOverseen = late != nil || state.came > seen
                seen = state.came
                return (late, !state.isOverseen)
            }
            if let late, !handOver({ [self] in perform(late) }) {
                // It may block, and then whoever brings the next piece has to look for a thread.
                state.withLock { $0.isOverseen = false }
                perform(late)
            }
            if isOver { return }
        }
    }

    private func start(with first: Piece? = nil) throws(SystemError) {
        if signals.load() == nil { _ = signals.storeIfNil(.ofProgram) }
        try BackgroundThread.start { [self] in
            if let first { perform(first) }
            serve()
        }
    }

    /// Serves until nothing has arrived for a while; one thread stays, because the next change should not wait for a
    /// new one.
    private func serve() {
        let wake = Semaphore()
        // A handler may fork: the child's only thread then returns to here, and the work is its parent's.
        while !Fork.isRefused {
            while let next = take(isOwnThread: true) { perform(next) }
            let stays = state.withLock { state -> Bool? in
                guard state.seated.isEmpty, state.handedOver.isEmpty else { return nil }
                state.idle.append(wake)
                return state.idle.count == 1
            }
            guard let stays else { continue }
            let isWoken = wake.wait(until: stays ? .never : .after(milliseconds: 2_000))
            let ends = state.withLock { state in
                // If it is not there, it has just been woken.
                guard let place = state.idle.firstIndex(where: { $0 === wake }) else { return false }
                state.idle.remove(at: place)
                return !isWoken && !state.idle.isEmpty
            }
            if ends { return }
        }
    }

    /// Does what waits for a thread.
    private func performSeated() { while let next = take(isOwnThread: false) { perform(next) } }

    private func take(isOwnThread: Bool) -> Piece? {
        guard !Fork.isRefused else { return nil }
        return state.withLock { state in
            isOwnThread ? state.handedOver.popFirst() ?? state.seated.popFirst() : state.seated.popFirst()
        }
    }

    /// Does a piece of work that has its seat, and then what it leaves to people.
    private func perform(_ piece: Piece) {
        guard let place = piece.place else { return piece.body() }
        if case .people = place {
            asPeople(piece.body)
            return leave(place)
        }
        let me = SystemCalls.threadID
        state.withLock { $0.workers.append(Worker(thread: me, place: place)) }
        if case .fileSystem = place { piece.body() } else { asPeople(piece.body) }
        guard !Fork.isRefused else { return }
        let left = state.withLock { $0.removeWorker(me, in: place) }
        leave(place)
        if !left.isEmpty { performIfSeated({ left.forEach { $0() } }, in: .people) }
    }

    /// Runs people's code with the signals blocked that they have blocked themselves, and so for the programs that it
    /// starts.
    private func asPeople(_ body: @Sendable () -> Void) {
        if let signals = signals.load() { signals.during(body) } else { body() }
    }

    /// Gives a seat to what waits for one, or back.
    private func leave(_ place: Place) {
        // In a child that the work has forked, the seats are those of its parent.
        guard !Fork.isRefused else { return }
        provide(state.withLock { $0.leaveSeat(place) })
    }
}

extension WorkerPool.State {
    /// - Returns: what the thread has left to people; nothing if it is not at work there.
    fileprivate mutating func removeWorker(_ thread: UInt, in place: WorkerPool.Place)
        -> [@Sendable () -> Void]
    {
        guard let mine = workers.firstIndex(where: { $0.thread == thread && $0.place == place }) else {
            return []
        }
        return workers.remove(at: mine).left
    }

    /// Gives a body a seat and has it wait for a thread, or has it wait for a seat.
    fileprivate mutating func seat(
        _ body: @escaping @Sendable () -> Void, in place: WorkerPool.Place
    ) -> WorkerPool.Need {
        guard takeSeat(place, orWaitFor: body) else { return .nothing }
        return wait(with: WorkerPool.Piece(place: place, body: body))
    }

    /// Takes a seat for the caller, who does the work; if there is none, the body waits for one.
    fileprivate mutating func takeSeat(
        _ place: WorkerPool.Place, orWaitFor body: @escaping @Sendable () -> Void
    ) -> Bool {
        let known = places.firstIndex { $0.place == place }
        let index = known ?? places.count
        if known == nil { places.append(WorkerPool.Seats(place: place)) }
        guard places[index].taken < WorkerPool.seats else {
            places[index].waiting.append(body)
            return false
        }
        places[index].taken += 1
        return true
    }

    /// Gives the seat to what waits for it, which then waits for a thread.
    fileprivate mutating func leaveSeat(_ place: WorkerPool.Place) -> WorkerPool.Need {
        guard let index = places.firstIndex(where: { $0.place == place }) else { return .nothing }
        if let next = places[index].waiting.popFirst() {
            return wait(with: WorkerPool.Piece(place: place, body: next))
        }
        places[index].taken -= 1
        if places[index].taken == 0 { places.remove(at: index) }
        return .nothing
    }

    /// Has what has a seat wait for a thread.
    private mutating func wait(with piece: WorkerPool.Piece) -> WorkerPool.Need {
        seated.append(piece)
        came += 1
        if let last = idle.popLast() { return .idleThread(last) }
        if places.reduce(0, { $0 + $1.taken }) <= WorkerPool.prompt { return .newThread }
        if isOverseen { return .nothing }
        isOverseen = true
        return .overseer
    }
}
