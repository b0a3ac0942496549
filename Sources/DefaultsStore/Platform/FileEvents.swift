#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The kernel's notifications about names in folders, and a wake-up that other threads can send.
///
/// On Linux this is inotify. Elsewhere no folder can be watched, and callers look for themselves, as they do where the
/// system has nothing to give.
///
/// Apple's kqueue would notify of the names in a folder, and not of a file there that is saved in place, which readers
/// without observers rely on: each file would need an open descriptor and a watch of its own.
struct FileEvents: ~Copyable, Sendable {
    /// One event about a name in a watched folder.
    struct Notice: Sendable {
        /// The number that ``watch(_:for:)`` returned; nil if the kernel has lost track of events.
        let watch: Int32?
        /// Empty for the folder itself.
        let name: String
        /// Whether a program closed the file after writing to it in place.
        let isWriteInPlace: Bool
        /// Whether the watch ended, because its folder did.
        let isEnd: Bool
    }

    /// What to be notified of.
    enum Interest: Sendable {
        /// Names that appear, disappear or are replaced in a folder, and files there that are closed after writing.
        case names
        /// A folder itself: where it is, who may use it, and whether it disappears.
        case place
        /// Bytes written to a file, also by programs that keep it open.
        case bytes
        /// Bytes read from a file.
        case reading

        #if os(Linux)
            fileprivate var mask: UInt32 {
                let itself = IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF
                let kinds =
                    switch self {
                    case .names:
                        // Not of what has no name, as a checkpoint's new file, which would wake all for nothing.
                        IN_MOVED_TO | IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | itself
                            | IN_EXCL_UNLINK
                    case .place: itself
                    case .bytes: IN_MODIFY
                    case .reading: IN_ACCESS
                    }
                return UInt32(kinds)
            }
        #endif
    }

    /// What one thread signals and another one waits for.
    private struct WakeUp: ~Copyable, Sendable {
        #if os(Linux)
            /// A counter: one descriptor, and no socket, which a sandbox may refuse.
            let read: Descriptor
            var write: Int32 { read.raw }
        #else
            let read: Descriptor
            private let end: Descriptor
            var write: Int32 { end.raw }
        #endif

        init() throws(SystemError) {
            #if os(Linux)
                read = try Descriptor(taking: SystemCalls.check("eventfd") { LinuxCalls.makeEventFD() })
                    .aboveStandardStreams()
            #else
                var ends: [Int32] = [0, 0]
                _ = try SystemCalls.check("pipe") { pipe(&ends) }
                // Both are owned before either can fail.
                let first = Descriptor(taking: ends[0])
                let second = Descriptor(taking: ends[1])
                let read = try first.aboveStandardStreams()
                let end = try second.aboveStandardStreams()
                for number in [read.raw, end.raw] {
                    _ = try SystemCalls.check("fcntl") { fcntl(number, F_SETFD, FD_CLOEXEC) }
                    _ = try SystemCalls.check("fcntl") { fcntl(number, F_SETFL, O_NONBLOCK) }
                }
                self.read = read
                self.end = end
            #endif
        }
    }

    private let wakeUp: WakeUp
    /// Where notifications come from, once there is something to watch and the system has had one to give.
    private let kept = Kept()
    /// In a class, because the compiler of Swift 6.3 crashes over such a reference among the members of this struct.
    private final class Kept: Sendable {
        let source = LazyReference<Source>()
    }

    /// The kernel's source of notifications, of which a user has a limited number.
    private final class Source: Sendable {
        let descriptor: Descriptor
        init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
    }

    /// - Throws: if the system has no descriptor to give now, or none of the kind at all.
    init() throws(SystemError) {
        wakeUp = try WakeUp()
    }

    /// Asks again for one that the system has refused.
    private func openedSource() throws(SystemError) -> Source {
        if let known = kept.source.load() { return known }
        #if os(Linux)
            let fresh = try Descriptor(
                taking: SystemCalls.check("inotify_init1") {
                    inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
                }
            ).aboveStandardStreams()
            let used = kept.source.storeIfNil(Source(fresh))
            // The thread that waits does not wait for it yet.
            wake()
            return used
        #else
            throw SystemError(call: "inotify_init1", errno: ENOSYS)
        #endif
    }

    /// Wakes the thread that waits in ``wait(milliseconds:)``.
    func wake() {
        // As many bytes as a counter takes. What is full refuses them, which is just as good: the waiting thread is being
        // woken already.
        var one: UInt64 = 1
        _ = write(wakeUp.write, &one, 8)
    }

    /// Starts to watch a folder or file; one that is watched already is watched for this too.
    func watch(_ file: borrowing Descriptor, for interest: Interest) throws(SystemError) -> Int32 {
        let source = try openedSource()
        #if os(Linux)
            let raw = source.descriptor.raw
            let path = "/proc/self/fd/\(file.raw)"
            return try SystemCalls.check("inotify_add_watch") {
                inotify_add_watch(raw, path, interest.mask | UInt32(IN_MASK_ADD))
            }
        #else
            throw SystemError(call: "inotify_add_watch", errno: ENOSYS)
        #endif
    }

    /// Not an error if the watch has ended by itself.
    func unwatch(_ watch: Int32) {
        #if os(Linux)
            if let source = kept.source.load() { _ = inotify_rm_watch(source.descriptor.raw, watch) }
        #endif
    }

    /// Waits for notifications or the wake-up, and returns all pending ones; nothing at the timeout.
    ///
    /// - Parameter milliseconds: the timeout; -1 for none.
    func wait(milliseconds: Int32) -> [Notice] {
        var watched = [
            pollfd(fd: wakeUp.read.raw, events: Int16(POLLIN), revents: 0),
            // A number below zero is passed over.
            pollfd(fd: kept.source.load()?.descriptor.raw ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&watched, nfds_t(watched.count), milliseconds) > 0 else { return [] }
        if watched.contains(where: { $0.revents & Int16(POLLNVAL) != 0 }) { restFromFailure() }
        if watched[0].revents != 0 { silence() }
        return watched[1].revents != 0 ? readNotices() : []
    }

    /// The program may have closed descriptors that are not its own; then no wait waits any more, and what calls it again
    /// and again would use a whole processor.
    private func restFromFailure() { SystemCalls.pause(nanoseconds: 100_000_000) }

    private func silence() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(wakeUp.read.raw, &bytes, bytes.count) == bytes.count {}
    }

    private func readNotices() -> [Notice] {
        #if os(Linux)
            guard let source = kept.source.load()?.descriptor.raw else { return [] }
            var notices: [Notice] = []
            withUnsafeTemporaryAllocation(byteCount: 1_024, alignment: 8) { room in
                while true {
                    let count = read(source, room.baseAddress, room.count)
                    guard count > 0 else { return }
                    FileEvents.parse(UnsafeRawBufferPointer(rebasing: room[..<count]), into: &notices)
                    // If there were another one, it would have fitted.
                    if count + FileEvents.longest <= room.count { return }
                }
            }
            return notices
        #else
            return []
        #endif
    }
}

#if os(Linux)
    /// The kernel's own records of events: watch, mask, cookie, length of the name, the name padded with zeros.
    extension FileEvents {
        /// The most bytes of one record: its name has up to `NAME_MAX`.
        static let longest = 16 + 256

        /// Parses some records.
        // A pointer, because an observer waits for this; what is loaded is compared with the end first.
        static func parse(_ bytes: UnsafeRawBufferPointer, into notices: inout [Notice]) {
            var place = 0
            while place + 16 <= bytes.count {
                let watch = bytes.loadUnaligned(fromByteOffset: place, as: Int32.self)
                let mask = bytes.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)
                let length = Int(bytes.loadUnaligned(fromByteOffset: place + 12, as: UInt32.self))
                let end = min(bytes.count, place + 16 + length)
                // A file's own notices have no name; every observer of another process's writes waits for them.
                let name =
                    length == 0
                    ? "" : String(decoding: bytes[(place + 16)..<end].prefix { $0 != 0 }, as: UTF8.self)
                place = end
                let lost = mask & UInt32(IN_Q_OVERFLOW) != 0
                notices.append(
                    Notice(
                        watch: lost ? nil : watch, name: name,
                        isWriteInPlace: mask & UInt32(IN_CLOSE_WRITE) != 0,
                        isEnd: mask & UInt32(IN_IGNORED) != 0))
            }
        }
    }
#endif
