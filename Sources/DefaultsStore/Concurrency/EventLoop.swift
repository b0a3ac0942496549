/// The event loop of a process: it reads the kernel's notifications about watched files, and keeps appointments.
///
/// It does nothing that could wait: no path, no file and no user code. What a notification or an appointment
/// requires is a piece of work for the ``WorkerPool``, in a place of its own.
///
/// Whatever the system refuses is asked for again, at the next use and later. Without descriptors one thread keeps the
/// appointments, and callers look for themselves; without a thread, the appointments wait for one.
package final class EventLoop: Sendable {
    package static let shared = EventLoop()

    /// What the threads wait on.
    private final class Loop: Sendable {
        let notices: FileEvents
        init() throws(SystemError) { notices = try FileEvents() }
    }

    /// A piece of work, and where it is done.
    private struct Piece: Sendable {
        let resource: WorkerPool.Resource
        let body: @Sendable () -> Void
    }

    private struct Appointment {
        let due: Deadline
        let piece: Piece
    }

    /// A class, because a list of them is copied for each notification.
    private final class Watched: Sendable {
        let watch: Int32
        let number: Int
        let work: CoalescedWork
        let piece: Piece
        let notes: @Sendable (FileEvents.Notice) -> Bool

        init(
            _ watch: Int32, _ number: Int, _ work: CoalescedWork, _ piece: Piece,
            _ notes: @escaping @Sendable (FileEvents.Notice) -> Bool
        ) {
            (self.watch, self.number, self.work) = (watch, number, work)
            (self.piece, self.notes) = (piece, notes)
        }
    }

    private struct State {
        var loop: Loop?
        var next = 0
        // Arrays, because both are short, and the first dictionary of a type costs a process more than everything
        // else here.
        var watches: [Watched] = []
        var appointments: [Appointment] = []
        var hasThread = false
        /// How many watches of the kernel's have ended.
        var ended = 0
    }

    /// - Parameter pool: provides the threads and does the work, if that is not to be the shared one.
    init(pool: WorkerPool? = nil) { self.pool = pool }

    /// The watch of one folder or file; the watch ends with this object.
    final class Watch: Sendable {
        fileprivate let number: Int
        fileprivate let watch: Int32

        fileprivate init(number: Int, watch: Int32) {
            self.number = number
            self.watch = watch
        }

        deinit { EventLoop.shared.end(number, of: watch) }
    }

    // Lock L7: protects the lists; nothing but the kernel is called under it, and nothing that waits for a file system.
    private let state = Locked(State())
    private let starting = Locked(())  // One start at a time; may take L7.
    /// Nil for the shared one.
    private let pool: WorkerPool?
    private var threads: WorkerPool { pool ?? .shared }

    /// Has some work done after every notification about a folder or file that is of interest.
    ///
    /// It takes as long as the file system does to answer.
    ///
    /// - Parameter notes: notes a notification; whether the work is wanted. Called on the thread that waits for the
    ///   kernel, so that it must not wait for anything, nor release what is not its own.
    /// - Throws: if the system has no watch to give now; the caller has to look for itself, and may try again.
    func watch(
        _ file: borrowing Descriptor, for interest: FileEvents.Interest = .names,
        on resource: WorkerPool.Resource,
        _ work: CoalescedWork, notes: @escaping @Sendable (FileEvents.Notice) -> Bool = { _ in true }
    ) throws(SystemError) -> Watch {
        let loop = try obtainLoop().get()
        try attend()
        let piece = Piece(resource: resource) { [threads] in work.perform(by: threads, on: resource) }
        while true {
            let before = state.withLock { $0.ended }
            let watch = try loop.notices.watch(file, for: interest)
            // The kernel has one watch for all that are of one folder. If one has ended since, it may have been this.
            let number = state.withLock { state -> Int? in
                guard state.ended == before else { return nil }
                state.next += 1
                state.watches.append(Watched(watch, state.next, work, piece, notes))
                return state.next
            }
            if let number { return Watch(number: number, watch: watch) }
        }
    }

    /// Has a piece of work done once after a delay.
    ///
    /// - Throws: if no thread can be had; it will not be done.
    package func schedule(
        afterMilliseconds time: UInt64, on resource: WorkerPool.Resource,
        _ body: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        try attend()
        add(afterMilliseconds: time, Piece(resource: resource, body: body))
    }

    /// Has a piece of work done once after a delay, or as soon as a thread can be had, which is asked for at each use.
    ///
    /// For what nobody else would do: looks for changes that the kernel does not notify of.
    ///
    /// - Returns: why it may take longer; nil if it does not.
    @discardableResult
    package func scheduleAnyway(
        afterMilliseconds time: UInt64, on resource: WorkerPool.Resource,
        _ body: @escaping @Sendable () -> Void
    ) -> SystemError? {
        var refusal: SystemError?
        do { try attend() } catch { refusal = error }
        add(afterMilliseconds: time, Piece(resource: resource, body: body))
        return refusal
    }

    private func add(afterMilliseconds time: UInt64, _ piece: Piece) {
        let loop = state.withLock { state in
            state.appointments.append(Appointment(due: .after(milliseconds: time), piece: piece))
            return state.loop
        }
        loop?.notices.wake()
    }

    /// Returns what the threads wait on, which the system may have to give now though it had not before.
    private func obtainLoop() -> Result<Loop, SystemError> {
        if let loop = state.withLock({ $0.loop }) { return .success(loop) }
        let fresh: Loop
        do { fresh = try Loop() } catch { return .failure(error) }
        let (loop, isNew) = state.withLock { state in
            let isNew = state.loop == nil
            let loop = state.loop ?? fresh
            state.loop = loop
            return (loop, isNew)
        }
        if isNew, pool == nil { ExitWork.setWakeUp { loop.notices.wake() } }
        return .success(loop)
    }

    /// Has a thread attend to events and appointments, unless one does.
    package func attend() throws(SystemError) {
        try starting.withLock { _ throws(SystemError) in
            guard state.withLock({ !$0.hasThread }) else { return }
            // Here, so that the thread finds it.
            _ = obtainLoop()
            state.withLock { $0.hasThread = true }
            do throws(SystemError) { try threads.startThread { [self] in run() } } catch {
                state.withLock { $0.hasThread = false }
                throw error
            }
            if pool == nil { ExitWork.attend() }
        }
    }

    /// The longest pause between two checks of the appointments while there is nothing to wait on, in
    /// nanoseconds.
    private static let longestRest: UInt64 = 50_000_000

    private func run() {
        while !Fork.isRefused {
            let first = state.withLock { EventLoop.first(of: $0.appointments) }
            let now = SystemCalls.monotonicNanoseconds
            let rest = max(first, now) - now
            var pieces: [Piece] = []
            if case .success(let loop) = obtainLoop() {
                let time = first == .max ? -1 : Int32(clamping: (rest + 999_999) / 1_000_000)
                pieces = self.pieces(for: loop.notices.wait(milliseconds: time))
            } else {
                SystemCalls.pause(nanoseconds: min(rest, EventLoop.longestRest))
            }
            ExitWork.performIfWanted()
            addDue(to: &pieces)
            pieces.forEach { threads.run(on: $0.resource, $0.body) }
        }
    }

    private static func first(of appointments: [Appointment]) -> UInt64 {
        var first = UInt64.max
        for appointment in appointments { first = min(first, appointment.due.nanoseconds) }
        return first
    }

    /// Notes some notifications.
    ///
    /// - Returns: the work that they require and that nobody else does.
    private func pieces(for notices: [FileEvents.Notice]) -> [Piece] {
        var pieces: [Piece] = []
        for notice in notices {
            for watched in watches(of: notice) where watched.notes(notice) && watched.work.want() {
                pieces.append(watched.piece)
            }
        }
        return pieces
    }

    private func watches(of notice: FileEvents.Notice) -> [Watched] {
        // Those whose watch ends are returned, too, and so are not released under the lock.
        state.withLock { state in
            guard let watch = notice.watch else { return state.watches }
            let found = state.watches.filter { $0.watch == watch }
            if notice.isEnd {
                state.watches.removeAll { $0.watch == watch }
                state.ended += 1
            }
            return found
        }
    }

    private func addDue(to pieces: inout [Piece]) {
        let due = state.withLock { state -> [Piece] in
            let now = SystemCalls.monotonicNanoseconds
            guard EventLoop.first(of: state.appointments) <= now else { return [] }
            let due = state.appointments.filter { $0.due.nanoseconds <= now }
            state.appointments.removeAll { $0.due.nanoseconds <= now }
            return due.sorted { $0.due.nanoseconds < $1.due.nanoseconds }.map(\.piece)
        }
        if !due.isEmpty { pieces += due }
    }

    private func end(_ number: Int, of watch: Int32) {
        // What it has captured may end with it, so it leaves the lock first.
        let ended = state.withLock { state -> Watched? in
            guard let place = state.watches.firstIndex(where: { $0.number == number }) else { return nil }
            let ended = state.watches.remove(at: place)
            if !state.watches.contains(where: { $0.watch == watch }) {
                state.ended += 1
                state.loop?.notices.unwatch(watch)
            }
            return ended
        }
        withExtendedLifetime(ended) {}
    }
}
