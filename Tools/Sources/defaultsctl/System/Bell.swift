#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A bell that one thread rings and another waits for, as long as the output has a reader.
final class Bell: Sendable {
    private let hearing: Int32
    private let ringing: Int32

    /// - Throws: where the system has no descriptors left.
    init() throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw System.refusal("no pipe could be made", errno) }
        (hearing, ringing) = (ends[0], ends[1])
    }

    deinit {
        close(hearing)
        close(ringing)
    }

    /// Rings, once for all; it may be rung before anybody waits.
    func ring() { System.writeIfPossible("!", to: ringing) }

    /// Why a wait is over.
    enum Outcome {
        case rung, timedOut
        /// Nobody reads the output any more.
        case unread
    }

    /// Waits until it is rung.
    func wait(until end: ContinuousClock.Instant? = nil) -> Outcome {
        while true {
            let left = end.map { ContinuousClock.now.duration(to: $0) }
            // In pieces, since the system counts no more than some days.
            let milliseconds = left.map { Int32(max(0, min($0 / .milliseconds(1), 3_600_000)).rounded(.up)) }
            let heard = System.wait(for: hearing, milliseconds: milliseconds ?? -1)
            if heard.isReadable { return .rung }
            if heard.isUnread { return .unread }
            if let left, left <= .zero { return .timedOut }
        }
    }
}

extension System {
    /// Waits until a descriptor can be read, or the output has no reader any more, or some time has passed.
    static func wait(
        for file: Int32 = -1, milliseconds: Int32 = -1
    ) -> (isReadable: Bool, isUnread: Bool) {
        // Of a file or a terminal that is there nothing is told, and of a descriptor that is closed a write will tell.
        var wanted = [
            pollfd(fd: file, events: Int16(POLLIN), revents: 0), pollfd(fd: output, events: 0, revents: 0),
        ]
        guard poll(&wanted, 2, milliseconds) > 0 else { return (false, false) }
        return (wanted[0].revents != 0, Int32(wanted[1].revents) & (POLLERR | POLLHUP) != 0)
    }

    /// Ends the program as the system ends one that writes where nobody reads.
    ///
    /// - Throws: `.refusedBySystem` where whoever has started the program wants that signal ignored.
    static func endWithoutReader() throws -> Never {
        var broken = sigset_t()
        sigemptyset(&broken)
        sigaddset(&broken, SIGPIPE)
        // A thread of the library may hold signals back.
        pthread_sigmask(SIG_UNBLOCK, &broken, nil)
        raise(SIGPIPE)
        throw refusal("the output could not be written", EPIPE)
    }
}
