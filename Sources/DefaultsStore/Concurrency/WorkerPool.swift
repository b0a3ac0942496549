/// The background threads: they see to changes from outside the process, make checkpoints, and call handlers.
///
/// Each piece of work is done in a place, which has a number of seats. All threads serve all places, and a place whose
/// seats are taken by work that does not come to its end keeps no other waiting: neither a file system that has
/// stopped answering, nor handlers that block.
package final class WorkerPool: Sendable {
    /// The instance of this process.
    package static var shared: WorkerPool { perProcess.object }
    private static let perProcess = PerProcess { WorkerPool() }

    /// Where a piece of work is done.
    package enum Place: Hashable, Sendable {
        /// People's code: handlers, and what they have captured.
        case people
        /// The turns of the tasks which wait in one line, and people's code behind them.
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
        /// What an idle thread has been reserved for; no other thread may do it.
        var handedOver = Queue<Piece>()
        var workers: [Worker] = []
        var threads = 0
        var idle = 0
    }

    /// How many threads work in one place at once.
    static let seats = 16

    // Lock L7: protects the lists; nothing is taken, called or released under it.
    private let state = Locked(State())
    private let wanted = Semaphore()
    private let fork = Fork.count
    /// What people's code finds blocked: known when the first thread is started.
    private let signals = LazyReference<SignalMask>()

    /// Has a piece of work done soon.
    package func run(in place: Place = .people, _ body: @escaping @Sendable () -> Void) {
        let startsThread = state.withLock { state in
            guard state.takeSeat(place, for: body) else { return false }
            return state.needsThread()
        }
        summon(startsThread)
    }

    /// Does a piece of work here and now, on one of this pool's threads, if there is a seat for it; otherwise it is
    /// done when there is one.
    func runHere(in place: Place, _ body: @escaping @Sendable () -> Void) {
        let isSeated = state.withLock { $0.takeSeat(place, orWaitFor: body) }
        if isSeated { perform(Piece(place: place, body: body)) }
    }

    /// Has people's code run: behind the work at hand if the caller is at work in another place, and else here and
    /// now.
    ///
    /// So a handler that blocks keeps no seat but people's own.
    package func tell(_ body: @escaping @Sendable () -> Void) {
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

    /// Whether the caller's work has left something to people's code so far.
    var hasLeftToPeople: Bool {
        let me = SystemCalls.threadID
        return state.withLock { state in state.workers.contains { $0.thread == me && !$0.left.isEmpty } }
    }

    /// Whether no work is under way or waiting but people's own.
    package var isQuiet: Bool { state.withLock { $0.places.allSatisfy(\.place.isPeople) } }

    /// Has a piece of work done at once by a thread that does nothing else, an idle one or a new one.
    ///
    /// - Returns: false if there is none to be had; the work is not done then.
    func handOver(_ body: @escaping @Sendable () -> Void) -> Bool {
        let piece = Piece(place: nil, body: body)
        let isIdle = state.withLock { state in
            if state.idle > state.seated.count + state.handedOver.count {
                state.handedOver.append(piece)
                return true
            }
            state.threads += 1
            return false
        }
        if isIdle {
            wanted.signal()
            return true
        }
        do { try start(with: piece) } catch { return false }
        return true
    }

    /// Starts a thread for a piece of work, which serves other work afterwards.
    func startThread(with body: @escaping @Sendable () -> Void) throws(SystemError) {
        state.withLock { $0.threads += 1 }
        try start(with: Piece(place: nil, body: body))
    }

    /// Has a thread come for what has been given a seat.
    private func summon(_ startsThread: Bool) {
        wanted.signal()
        guard startsThread else { return }
        do { try start() } catch {
            // If no thread can be had, the thread that brought the work does it.
            while let next = take(isOwnThread: false) { perform(next) }
        }
    }

    /// Starts a thread that is counted already.
    private func start(with first: Piece? = nil) throws(SystemError) {
        if signals.load() == nil { _ = signals.storeIfNil(.ofProgram) }
        do {
            try BackgroundThread.start { [self] in
                if let first { perform(first) }
                serve()
            }
        } catch {
            state.withLock { $0.threads -= 1 }
            throw error
        }
    }

    /// Serves until nothing has arrived for a while; one thread stays, because the next change should not wait for a
    /// new one.
    private func serve() {
        // A handler may fork: the child's only thread then returns to here, and the work is its parent's.
        while fork == Fork.count {
            while let next = take(isOwnThread: true) { perform(next) }
            let stays = state.withLock { state in
                state.idle += 1
                return state.idle == 1
            }
            let rang = wanted.wait(until: stays ? .never : .after(milliseconds: 2_000))
            let ends = state.withLock { state in
                state.idle -= 1
                guard !rang, state.seated.isEmpty, state.handedOver.isEmpty, state.idle > 0 else {
                    return false
                }
                state.threads -= 1
                return true
            }
            if ends { return }
        }
    }

    private func take(isOwnThread: Bool) -> Piece? {
        guard fork == Fork.count else { return nil }
        let (next, isMore) = state.withLock { state in
            let next =
                isOwnThread ? state.handedOver.popFirst() ?? state.seated.popFirst() : state.seated.popFirst()
            return (next, !state.seated.isEmpty || !state.handedOver.isEmpty)
        }
        // The semaphore keeps only one signal, so the thread that hears it passes it on.
        if isMore { wanted.signal() }
        return next
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
        guard fork == Fork.count else { return }
        let left = state.withLock { $0.removeWorker(me, in: place) }
        leave(place)
        if !left.isEmpty { runHere(in: .people) { left.forEach { $0() } } }
    }

    /// Runs people's code with the signals blocked that they have blocked themselves, and so for the programs that it
    /// starts.
    private func asPeople(_ body: @Sendable () -> Void) {
        if let signals = signals.load() { signals.during(body) } else { body() }
    }

    /// Gives a seat to what waits for one, or back.
    private func leave(_ place: Place) {
        // In a child that the work has forked, the seats are those of its parent.
        guard fork == Fork.count else { return }
        let (isGiven, startsThread) = state.withLock { state in
            guard state.leaveSeat(place) else { return (false, false) }
            return (true, state.needsThread())
        }
        if isGiven { summon(startsThread) }
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
    ///
    /// - Returns: whether it has a seat.
    fileprivate mutating func takeSeat(_ place: WorkerPool.Place, for body: @escaping @Sendable () -> Void)
        -> Bool
    {
        guard takeSeat(place, orWaitFor: body) else { return false }
        seated.append(WorkerPool.Piece(place: place, body: body))
        return true
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

    /// - Returns: whether the seat was given to something that waits for a thread now.
    fileprivate mutating func leaveSeat(_ place: WorkerPool.Place) -> Bool {
        guard let index = places.firstIndex(where: { $0.place == place }) else { return false }
        if let next = places[index].waiting.popFirst() {
            seated.append(WorkerPool.Piece(place: place, body: next))
            return true
        }
        places[index].taken -= 1
        if places[index].taken == 0 { places.remove(at: index) }
        return false
    }

    /// Counts a new thread if one is needed for what waits.
    ///
    /// An idle thread takes one piece; it may not have woken for an earlier one yet.
    fileprivate mutating func needsThread() -> Bool {
        guard idle < seated.count + handedOver.count else { return false }
        threads += 1
        return true
    }
}
