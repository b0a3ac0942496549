#if os(Linux)
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// `epoll`, which no Swift module provides: several threads wait for the same files, and an event wakes one of
    /// them.
    extension LinuxCalls {
        private typealias Make = @convention(c) (Int32) -> Int32
        private typealias Change = @convention(c) (Int32, Int32, Int32, UnsafeMutableRawPointer) -> Int32
        private typealias Wait = @convention(c) (Int32, UnsafeMutableRawPointer, Int32, Int32) -> Int32

        // The cast is sound because this is the prototype in epoll_create(2).
        private static let make: Make? = symbol("epoll_create1").map { unsafeBitCast($0, to: Make.self) }
        // The cast is sound because this is the prototype in epoll_ctl(2).
        private static let change: Change? = symbol("epoll_ctl").map { unsafeBitCast($0, to: Change.self) }
        // The cast is sound because this is the prototype in epoll_wait(2).
        private static let wait: Wait? = symbol("epoll_wait").map { unsafeBitCast($0, to: Wait.self) }

        // `struct epoll_event` is packed on one architecture only.
        #if arch(x86_64)
            private static let (eventSize, dataPlace) = (12, 4)
        #else
            private static let (eventSize, dataPlace) = (16, 8)
        #endif

        /// `epoll_create1` with `EPOLL_CLOEXEC`.
        static func makeEpoll() -> Int32 {
            guard let make else {
                errno = ENOSYS
                return -1
            }
            return make(O_CLOEXEC)
        }

        /// `epoll_ctl` with `EPOLL_CTL_ADD`: from now on, new data wakes one waiting thread, each time that more
        /// arrives.
        static func add(_ file: Int32, to epoll: Int32, as number: UInt64) -> Int32 {
            guard let change else {
                errno = ENOSYS
                return -1
            }
            return withUnsafeTemporaryAllocation(byteCount: eventSize, alignment: 8) { event in
                // `EPOLLIN` and `EPOLLET`.
                event.storeBytes(of: 0x1 | 0x8000_0000, as: UInt32.self)
                event.storeBytes(of: number, toByteOffset: dataPlace, as: UInt64.self)
                guard let start = event.baseAddress else { return -1 }
                return change(epoll, 1, file, start)
            }
        }

        /// `epoll_wait` for at most that many files.
        ///
        /// - Returns: what it returns; `heard` is called with the number of each file.
        static func wait(
            _ epoll: Int32, milliseconds: Int32, atMost most: Int, _ heard: (UInt64) -> Void
        ) -> Int32 {
            guard let wait else {
                errno = ENOSYS
                return -1
            }
            return withUnsafeTemporaryAllocation(byteCount: eventSize * most, alignment: 8) { events in
                guard let start = events.baseAddress else { return -1 }
                let count = wait(epoll, start, Int32(most), milliseconds)
                for number in 0..<max(0, Int(count)) {
                    heard(
                        start.loadUnaligned(
                            fromByteOffset: number * eventSize + dataPlace, as: UInt64.self))
                }
                return count
            }
        }
    }
#endif
