/// The event loop of a process: it receives notifications about watched folders and runs timers, on one thread at a
/// time, the housekeeping thread.
///
/// It is started when first needed, and calls what it was given with no lock held. It never calls user code: before
/// the thread does so because of a notification, another thread takes over the housekeeping. So an observer waits for
/// one thread to be woken, not for two. (The pattern is Leader/Followers: Schmidt and others.) After the first such
/// notification, two threads wait for the next: the kernel wakes one of them, and because the other is waiting
/// already, none has to be woken to take over.
package final class Housekeeper: Sendable {
    /// The instance of this process.
    package static var shared: Housekeeper { perProcess.object }
    private static let perProcess = PerProcess { Housekeeper() }

    /// What the thread waits on.
    private final class Loop: Sendable {
        let notices: FolderNotices
        init() throws(SystemError) { notices = try FolderNotices() }
    }

    private struct Appointment {
        let due: Deadline
        let body: @Sendable () -> Void
    }

    private struct Watched {
        let watch: Int32
        let number: Int
        let handler: @Sendable (FolderNotices.Notice) -> Void
    }

    private struct State {
        var loop: Loop?
        var next = 0
        // Arrays, because both are short, and the first dictionary of a type costs a process more than everything
        // else here.
        var watches: [Watched] = []
        var appointments: [Appointment] = []
        /// The thread that is handling what has arrived; nil if all are waiting.
        var thread: UInt?
        /// The latest time until which each waiting thread waits, in monotonic nanoseconds.
        var waiting: [UInt64] = []
        /// What the handling thread does next, after another one has taken over the housekeeping.
        var prompt: [@Sendable () -> Void] = []
    }

    /// Creates a housekeeper.
    ///
    /// - Parameter courier: provides the threads, if they are not to be the shared ones.
    init(courier: Courier? = nil) { self.courier = courier }

    /// The watch of one folder or file; the watch ends with this object.
    final class Watch: Sendable {
        fileprivate let number: Int
        fileprivate let watch: Int32
        private let fork = Fork.count

        fileprivate init(number: Int, watch: Int32) {
            self.number = number
            self.watch = watch
        }

        deinit {
            // In a forked child, the numbers of the parent's watches belong to other watches.
            if fork == Fork.count { Housekeeper.shared.end(number, of: watch) }
        }
    }

    // Lock L7: protects the lists; nothing but the kernel is called under it.
    private let state = Locked(State())
    /// Passed by one thread at a time, which handles what has arrived; not a lock, because what it calls takes locks.
    private let house = Gate()
    /// Provides the threads; nil for the shared ones.
    private let courier: Courier?
    private var threads: Courier { courier ?? .shared }
    private let fork = Fork.count

    /// Calls a function for every notification about a folder or file, on the housekeeping thread.
    ///
    /// - Throws: if the system has no watch to give; the caller has to check once a second instead.
    func watch(
        _ file: borrowing Descriptor, for interest: FolderNotices.Interest = .names,
        _ handler: @escaping @Sendable (FolderNotices.Notice) -> Void
    ) throws(SystemError) -> Watch {
        let loop = try startedLoop()
        // Under the lock, or the end of another watch of this folder could remove the kernel's watch in between.
        return try state.withLock { (state) throws(SystemError) in
            let watch = try loop.notices.watch(file, for: interest)
            state.next += 1
            state.watches.append(Watched(watch: watch, number: state.next, handler: handler))
            return Watch(number: state.next, watch: watch)
        }
    }

    /// Calls a function once after a delay, on the housekeeping thread.
    ///
    /// - Throws: if no thread can be had; the function will not be called.
    package func schedule(
        afterMilliseconds time: UInt64, _ body: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        let loop = try startedLoop()
        state.withLock { state in
            state.appointments.append(Appointment(due: .after(milliseconds: time), body: body))
        }
        loop.notices.ring()
    }

    private func startedLoop() throws(SystemError) -> Loop {
        if let loop = state.withLock({ $0.loop }) { return loop }
        let fresh = try Loop()
        let (loop, isNew) = state.withLock { state in
            let isNew = state.loop == nil
            let loop = state.loop ?? fresh
            state.loop = loop
            return (loop, isNew)
        }
        if isNew {
            do {
                try threads.startThread { [self] in run(loop) }
            } catch {
                state.withLock { $0.loop = nil }
                throw error
            }
        }
        return loop
    }

    /// Runs a piece of work as soon as possible: on the calling thread if that is the housekeeping thread.
    func runPromptly(_ work: @escaping @Sendable () -> Void) {
        let isHere = state.withLock { state in
            guard state.thread == SystemCalls.threadID else { return false }
            state.prompt.append(work)
            return true
        }
        if !isHere { threads.run(work) }
    }

    /// How many threads wait for notifications, if a notification wakes only one of them.
    private static let most = 2

    /// How many threads are waiting now.
    var waitingThreads: Int { state.withLock { $0.waiting.count } }

    private func run(_ loop: Loop) {
        // A handler may fork: the child's only thread then returns to here, and the gate belongs to its parent.
        while fork == Fork.count, let end = beginToWait() {
            let call = loop.notices.wait(milliseconds: end.milliseconds)
            _ = house.close(until: .never)
            endWait(end.moment)
            for notice in loop.notices.answer(call) {
                handlers(for: notice).forEach { $0(notice) }
            }
            for appointment in dueAppointments() { appointment.body() }
            let (work, isAlone, isMissed) = leave()
            house.open()
            guard let first = work.first else { continue }
            if isMissed { loop.notices.ring() }
            if isAlone, !threads.handOver({ [self] in run(loop) }) {
                work.forEach(threads.run)
                continue
            }
            work.dropFirst().forEach(threads.run)
            first()
            guard loop.notices.canBeShared else { return }
        }
    }

    /// Notes that the calling thread waits from now on.
    ///
    /// - Returns: until when; nil if enough others wait, one of them no longer than to the next timer.
    private func beginToWait() -> (moment: UInt64, milliseconds: Int32)? {
        state.withLock { state in
            let first = state.appointments.map(\.due.nanoseconds).min() ?? .max
            if state.waiting.count >= Housekeeper.most, state.waiting.contains(where: { $0 <= first }) {
                return nil
            }
            state.waiting.append(first)
            guard first < .max else { return (first, -1) }
            let now = SystemCalls.monotonicNanoseconds
            return (first, first <= now ? 0 : Int32(clamping: (first - now) / 1_000_000 + 1))
        }
    }

    /// Notes that the calling thread has stopped waiting, and handles what has arrived.
    private func endWait(_ moment: UInt64) {
        state.withLock { state in
            if let place = state.waiting.firstIndex(of: moment) { state.waiting.remove(at: place) }
            state.thread = SystemCalls.threadID
        }
    }

    /// Hands the housekeeping over to the next thread.
    ///
    /// - Returns: what is to be done at once; whether no other thread waits; and whether those that wait would miss a
    ///   timer.
    private func leave() -> (work: [@Sendable () -> Void], isAlone: Bool, isMissed: Bool) {
        state.withLock { state in
            let work = state.prompt
            (state.prompt, state.thread) = ([], nil)
            guard let last = state.waiting.min() else { return (work, true, false) }
            return (work, false, state.appointments.contains { $0.due.nanoseconds < last })
        }
    }

    private func handlers(
        for notice: FolderNotices.Notice
    ) -> [@Sendable (FolderNotices.Notice) -> Void] {
        // Those whose watch ends are returned, too, and so are not released under the lock.
        state.withLock { state in
            guard let watch = notice.watch else { return state.watches.map(\.handler) }
            defer { if notice.isEnd { state.watches.removeAll { $0.watch == watch } } }
            return state.watches.compactMap { $0.watch == watch ? $0.handler : nil }
        }
    }

    private func dueAppointments() -> [Appointment] {
        state.withLock { state in
            let now = SystemCalls.monotonicNanoseconds
            guard state.appointments.contains(where: { $0.due.nanoseconds <= now }) else { return [] }
            let due = state.appointments.filter { $0.due.nanoseconds <= now }
            state.appointments.removeAll { $0.due.nanoseconds <= now }
            return due.sorted { $0.due.nanoseconds < $1.due.nanoseconds }
        }
    }

    private func end(_ number: Int, of watch: Int32) {
        // What its handler has captured may end with it, so it leaves the lock first.
        let ended = state.withLock { state -> Watched? in
            guard let place = state.watches.firstIndex(where: { $0.number == number }) else { return nil }
            let ended = state.watches.remove(at: place)
            if !state.watches.contains(where: { $0.watch == watch }) { state.loop?.notices.unwatch(watch) }
            return ended
        }
        withExtendedLifetime(ended) {}
    }
}
