/// The event loop of a process: it hears what happens in watched folders and keeps appointments, on one thread at a time, the
/// housekeeping thread.
///
/// It is started when first needed and calls what it was given with no lock held. It never calls a person's code: where
/// a notice leads to that, another one keeps house before. So an observer waits for one thread to be woken, and not for two.
/// (The pattern's name is Leader/Followers: Schmidt and others.) Once there has been such a notice, two threads wait for the next:
/// the kernel wakes one of them, and the other has been waiting all the time, so that nobody has to be woken for that either.
package final class Housekeeper: Sendable {
    /// The one of this process.
    package static var shared: Housekeeper { perProcess.object }
    private static let perProcess = PerProcess { Housekeeper() }

    /// The thread's side: what it waits on.
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
        // Lists, since both are short, and the first dictionary of a type costs a process more than all else here.
        var watches: [Watched] = []
        var appointments: [Appointment] = []
        /// The thread that is seeing to what came; nil where all wait.
        var thread: UInt?
        /// Until when each of those who wait does so at the most, in monotonic nanoseconds.
        var waiting: [UInt64] = []
        /// What the thread that sees to what came does next, when another one keeps house.
        var prompt: [@Sendable () -> Void] = []
    }

    /// - Parameter courier: whose threads keep house, where it is not to be those of all.
    init(courier: Courier? = nil) { self.courier = courier }

    /// One watched folder; the watch ends with it.
    final class Watch: Sendable {
        fileprivate let number: Int
        fileprivate let watch: Int32
        private let fork = Fork.count

        fileprivate init(number: Int, watch: Int32) {
            self.number = number
            self.watch = watch
        }

        deinit {
            // The numbers of a parent's watches are others' in its child.
            if fork == Fork.count { Housekeeper.shared.end(number, of: watch) }
        }
    }

    // Lock L7: protects the lists; nothing is called under it but the kernel.
    private let state = Locked(State())
    /// Passed by one thread at a time, which sees to what came; no lock, since what it calls takes locks.
    private let house = Gate()
    /// Whose threads keep house; nil for those of all.
    private let courier: Courier?
    private var threads: Courier { courier ?? .shared }
    private let fork = Fork.count

    /// Calls a function for every notice about a folder or file, on the housekeeping thread.
    ///
    /// - Throws: where the system has no watch to give; look once a second instead.
    func watch(
        _ file: borrowing Descriptor, for interest: FolderNotices.Interest = .names,
        _ handler: @escaping @Sendable (FolderNotices.Notice) -> Void
    ) throws(SystemError) -> Watch {
        let loop = try startedLoop()
        // Under the lock, or the end of another watch of this folder could take the kernel's watch away in between.
        return try state.withLock { (state) throws(SystemError) in
            let watch = try loop.notices.watch(file, for: interest)
            state.next += 1
            state.watches.append(Watched(watch: watch, number: state.next, handler: handler))
            return Watch(number: state.next, watch: watch)
        }
    }

    /// Calls a function once after a time, on the housekeeping thread.
    ///
    /// - Throws: where no thread can be had; nothing will be called.
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

    /// Does a piece of work as soon as can be: on the calling thread, if it is the housekeeping one.
    func runPromptly(_ work: @escaping @Sendable () -> Void) {
        let isHere = state.withLock { state in
            guard state.thread == SystemCalls.threadID else { return false }
            state.prompt.append(work)
            return true
        }
        if !isHere { threads.run(work) }
    }

    /// How many threads wait for what comes, where it wakes one of them only.
    private static let most = 2

    /// How many threads wait now.
    var waitingThreads: Int { state.withLock { $0.waiting.count } }

    private func run(_ loop: Loop) {
        // A handler may fork: the child's only thread then comes back to here, and the house is its parent's.
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
    /// - Returns: until when; nil where enough others wait, one of them no longer than to the next appointment.
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

    /// Notes that the calling thread, which has waited, sees to what came.
    private func endWait(_ moment: UInt64) {
        state.withLock { state in
            if let place = state.waiting.firstIndex(of: moment) { state.waiting.remove(at: place) }
            state.thread = SystemCalls.threadID
        }
    }

    /// Leaves the house to whoever comes next.
    ///
    /// - Returns: what is to be done at once; then whether nobody else waits, and whether those who do would miss an
    ///   appointment.
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
        state.withLock { state in
            guard let place = state.watches.firstIndex(where: { $0.number == number }) else { return }
            state.watches.remove(at: place)
            if !state.watches.contains(where: { $0.watch == watch }) { state.loop?.notices.unwatch(watch) }
        }
    }
}
