#if os(Linux)
    import CTypedDefaults

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// `epoll`: several threads wait for the same files, and an event wakes one of them.
    extension LinuxCalls {
        /// `epoll_create1` with `EPOLL_CLOEXEC`.
        static func makeEpoll() -> Int32 { epoll_create1(O_CLOEXEC) }

        /// From now on, new data in a file wakes one waiting thread, each time that more arrives.
        static func add(_ file: Int32, to epoll: Int32, as number: UInt64) -> Int32 {
            typed_defaults_add_to_epoll(epoll, file, number)
        }

        /// `epoll_wait` for at most that many files.
        ///
        /// - Returns: what it returns; `heard` is called with the number of each file.
        static func wait(
            _ epoll: Int32, milliseconds: Int32, atMost most: Int, _ heard: (UInt64) -> Void
        ) -> Int32 {
            withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: most) { events in
                let count = epoll_wait(epoll, events.baseAddress, Int32(most), milliseconds)
                for number in 0..<max(0, Int(count)) { heard(events[number].data.u64) }
                return count
            }
        }
    }
#endif
