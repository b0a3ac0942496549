/// The background threads: they see to changes from outside the process, make checkpoints, and call handlers.
///
/// Each piece of work names the resource that it may block on, and takes one of that resource's slots. All threads serve
/// all resources, so a resource whose slots are all blocked keeps no other waiting: neither a file system that has
/// stopped answering, nor handlers that block.
///
/// A few pieces of work have a thread at once. What comes beyond them mostly need not have one of its own, because those
/// before it are done in a moment; so it waits for any thread, and gets another one only if none comes within some
/// milliseconds. Then those at work may be blocked.
package final class WorkerPool: Sendable {
    package static let shared = WorkerPool()

    /// What a piece of work may block on.
    package enum Resource: Hashable, Sendable {
        /// User code: handlers, and what they have captured.
        case userCode
        /// The turns of the tasks which wait in one queue, and user code behind them.
        case tasks(ObjectIdentifier)
        /// The library's own work on files of one file system, by the number of its device.
        case fileSystem(UInt64)
        /// Whatever a path leads to, and user code that makes something of it.
        case path(String)

        fileprivate var isUserCode: Bool {
            switch self {
            case .userCode, .tasks: true
            case .fileSystem, .path: false
            }
        }
    }

    /// A piece of work that has a slot.
    fileprivate struct Piece {
        /// Nil for work that needs no slot.
        let resource: Resource?
        let body: @Sendable () -> Void
    }

    /// The slots of a resource that has work.
    fileprivate struct Slots {
        let resource: Resource
        var taken = 0
        /// What waits for a slot.
        var waiting = Queue<@Sendable () -> Void>()
    }

    /// A thread at work that is not user code, and the user code that it leaves for later.
    fileprivate struct Worker {
        let thread: UInt
        let resource: Resource
        var left: [@Sendable () -> Void] = []
    }

    fileprivate struct State {
        // Arrays, because all are short, and the first dictionary of a type costs a process more than all of this.
        var resources: [Slots] = []
        /// What has a slot, and waits for a thread.
        var ready = Queue<Piece>()
        /// How many have been given a slot since the beginning.
        var came = 0
        /// How many threads have been woken or started for what is ready and have not asked for it yet.
        ///
        /// Each will, so as many pieces need no other one: on a busy machine a thread may run much later, while those at
        /// work have done its piece and bring others.
        var coming = 0
        /// Whether a thread sees to it that what has a slot gets a thread.
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

    /// How many threads work on one resource at once.
    static let slots = 16
    /// How many pieces of work have a thread at once, if none is idle.
    static let prompt = 4
    /// How long pieces beyond these wait at least, before the first of them gets a thread of its own.
    static let queueDelayInNanoseconds: UInt64 = 10_000_000

    // Lock L7: protects the lists; nothing is taken, called or released under it.
    private let state = Locked(State())
    /// What user code finds blocked: known when the first thread is started.
    private let signals = LazyReference<SignalMask>()

    package func run(on resource: Resource = .userCode, _ body: @escaping @Sendable () -> Void) {
        provide(state.withLock { $0.enqueue(body, on: resource) })
    }

    private func performWithSlot(_ body: @escaping @Sendable () -> Void, on resource: Resource) {
        let hasSlot = state.withLock { $0.takeSlot(resource, orWaitFor: body) }
        if hasSlot { perform(Piece(resource: resource, body: body)) }
    }

    /// Runs user code: after the work at hand if the caller is at work on another resource, else here and now.
    ///
    /// So a handler that blocks takes no slot but one of user code.
    @inline(never)
    package func runUserCode(_ body: @escaping @Sendable () -> Void) {
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

    /// Marks the rest of the caller's work on a resource as user code, and runs what it has left for later.
    func turnToUserCode(on resource: Resource) {
        let me = SystemCalls.threadID
        let left = state.withLock { $0.removeWorker(me, on: resource) }
        left.forEach { $0() }
    }

    /// Whether no work but user code is under way or waiting.
    package var isQuiet: Bool { state.withLock { $0.resources.allSatisfy(\.resource.isUserCode) } }

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
        let piece = Piece(resource: nil, body: body)
        let idle = state.withLock { state in
            let idle = state.idle.popLast()
            if idle != nil {
                state.handedOver.append(piece)
                state.coming += 1
            }
            return idle
        }
        if let idle { idle.signal() } else { try start(with: piece) }
    }

    private func provide(_ need: Need) {
        switch need {
        case .nothing: return
        case .idleThread(let idle): idle.signal()
        case .newThread:
            // If no thread can be had, the thread that brought the work does it.
            do { try start() } catch {
                state.withLock { $0.coming -= 1 }
                performReady()
            }
        case .overseer:
            guard !handOver({ [self] in oversee() }) else { return }
            state.withLock { $0.isOverseen = false }
            performReady()
        }
    }

    /// Sees to it that what waits for a thread does not wait for those that are blocked, as long as there is such work.
    private func oversee() {
        var seen = state.withLock { $0.came }
        while !Fork.isRefused {
            SystemCalls.pause(nanoseconds: WorkerPool.queueDelayInNanoseconds)
            let (late, isOver) = state.withLock { state -> (Piece?, Bool) in
                // Only one at a time: on a busy machine threads are late that are not blocked, and more would not help.
                let isLate = state.lacksThread && state.ready.count > state.came - seen
                let late = isLate ? state.ready.popFirst() : nil
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
            if let first { perform(first) } else { state.withLock { $0.coming -= 1 } }
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
                guard state.ready.isEmpty, state.handedOver.isEmpty else { return nil }
                state.idle.append(wake)
                return state.idle.count == 1
            }
            guard let stays else { continue }
            let isWoken = wake.wait(until: stays ? .never : .after(milliseconds: 2_000))
            let ends = state.withLock { state in
                // If it is not there, it has just been woken.
                guard let index = state.idle.firstIndex(where: { $0 === wake }) else {
                    state.coming -= 1
                    return false
                }
                state.idle.remove(at: index)
                return !isWoken && !state.idle.isEmpty
            }
            if ends { return }
        }
    }

    private func performReady() { while let next = take(isOwnThread: false) { perform(next) } }

    private func take(isOwnThread: Bool) -> Piece? {
        guard !Fork.isRefused else { return nil }
        return state.withLock { state in
            isOwnThread ? state.handedOver.popFirst() ?? state.ready.popFirst() : state.ready.popFirst()
        }
    }

    /// Does a piece of work that has its slot, and then the user code that it leaves.
    private func perform(_ piece: Piece) {
        guard let resource = piece.resource else { return piece.body() }
        if case .userCode = resource {
            asUserCode(piece.body)
            return leave(resource)
        }
        let me = SystemCalls.threadID
        state.withLock { $0.workers.append(Worker(thread: me, resource: resource)) }
        if case .fileSystem = resource { piece.body() } else { asUserCode(piece.body) }
        guard !Fork.isRefused else { return }
        let left = state.withLock { $0.removeWorker(me, on: resource) }
        leave(resource)
        if !left.isEmpty { performWithSlot({ left.forEach { $0() } }, on: .userCode) }
    }

    /// Runs user code with the signals blocked that the program has blocked itself, also for the programs that it
    /// starts.
    private func asUserCode(_ body: @Sendable () -> Void) {
        if let signals = signals.load() { signals.during(body) } else { body() }
    }

    /// Gives the slot to the next waiter, or back.
    private func leave(_ resource: Resource) {
        // In a child that the work has forked, the slots are those of its parent.
        guard !Fork.isRefused else { return }
        provide(state.withLock { $0.leaveSlot(resource) })
    }
}

extension WorkerPool.State {
    /// Whether more waits for a thread than threads are coming.
    fileprivate var lacksThread: Bool { ready.count + handedOver.count > coming }

    /// - Returns: the user code that the thread has left for later; nothing if it is not at work there.
    fileprivate mutating func removeWorker(_ thread: UInt, on resource: WorkerPool.Resource)
        -> [@Sendable () -> Void]
    {
        guard let mine = workers.firstIndex(where: { $0.thread == thread && $0.resource == resource }) else {
            return []
        }
        return workers.remove(at: mine).left
    }

    /// Gives a body a slot and has it wait for a thread, or has it wait for a slot.
    fileprivate mutating func enqueue(
        _ body: @escaping @Sendable () -> Void, on resource: WorkerPool.Resource
    ) -> WorkerPool.Need {
        guard takeSlot(resource, orWaitFor: body) else { return .nothing }
        return wait(with: WorkerPool.Piece(resource: resource, body: body))
    }

    /// Takes a slot for the caller, who does the work; if there is none, the body waits for one.
    fileprivate mutating func takeSlot(
        _ resource: WorkerPool.Resource, orWaitFor body: @escaping @Sendable () -> Void
    ) -> Bool {
        let known = resources.firstIndex { $0.resource == resource }
        let index = known ?? resources.count
        if known == nil { resources.append(WorkerPool.Slots(resource: resource)) }
        guard resources[index].taken < WorkerPool.slots else {
            resources[index].waiting.append(body)
            return false
        }
        resources[index].taken += 1
        return true
    }

    fileprivate mutating func leaveSlot(_ resource: WorkerPool.Resource) -> WorkerPool.Need {
        guard let index = resources.firstIndex(where: { $0.resource == resource }) else { return .nothing }
        if let next = resources[index].waiting.popFirst() {
            return wait(with: WorkerPool.Piece(resource: resource, body: next))
        }
        resources[index].taken -= 1
        if resources[index].taken == 0 { resources.remove(at: index) }
        return .nothing
    }

    private mutating func wait(with piece: WorkerPool.Piece) -> WorkerPool.Need {
        ready.append(piece)
        came += 1
        guard lacksThread else { return .nothing }
        if let last = idle.popLast() {
            coming += 1
            return .idleThread(last)
        }
        if resources.reduce(0, { $0 + $1.taken }) <= WorkerPool.prompt {
            coming += 1
            return .newThread
        }
        if isOverseen { return .nothing }
        isOverseen = true
        return .overseer
    }
}
