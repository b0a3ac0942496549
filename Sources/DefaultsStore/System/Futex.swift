#if os(Linux) && canImport(Glibc) && (arch(x86_64) || arch(arm64))
    import Glibc

    /// `futex`: the kernel compares a word with what it was and puts the thread to sleep, in one step.
    ///
    /// The C library has no function for it, and the headers hide its number from Swift.
    enum Futex {
        /// Whether this system has it.
        static let exists = true

        private typealias Call =
            @convention(c) (Int, UnsafeMutableRawPointer, Int, Int, UnsafePointer<timespec>?, Int, Int) -> Int

        private static let found: Call? = LinuxCalls.symbol("syscall").map {
            // The cast is sound because on both architectures the arguments of a function that takes any number of
            // them, as syscall(2) does, are passed like those of any other.
            unsafeBitCast($0, to: Call.self)
        }

        /// No fork happens while it is looked up for the first time: a child could never do so.
        private static var call: Call? { Fork.holdingOff { found } }

        #if arch(x86_64)
            private static let number = 202
        #else
            private static let number = 98
        #endif

        /// Waits until somebody wakes those who wait on a word, unless it has another value by then; it may end earlier.
        ///
        /// - Returns: false once the deadline has passed.
        static func wait(on word: UnsafeMutableRawPointer, while value: UInt32, until deadline: Deadline)
            -> Bool
        {
            guard let call else {
                // In a program linked without a dynamic linker, where no function is found by its name.
                SystemCalls.pause(nanoseconds: 1_000_000)
                return !deadline.hasPassed
            }
            var time = timespec(nanoseconds: deadline.nanoseconds)
            // `FUTEX_WAIT_BITSET` with `FUTEX_PRIVATE_FLAG`, any bit: until a time of the monotonic clock.
            return call(number, word, 9 | 128, Int(value), &time, 0, 0xFFFF_FFFF) == 0 || errno != ETIMEDOUT
        }

        /// Wakes one of those who wait on a word, or all.
        static func wake(_ audience: WaitWord.Audience, on word: UnsafeMutableRawPointer) {
            // `FUTEX_WAKE` with `FUTEX_PRIVATE_FLAG`.
            _ = call?(number, word, 1 | 128, audience == .one ? 1 : Int(Int32.max), nil, 0, 0)
        }
    }
#else
    /// What Linux alone has.
    enum Futex {
        static let exists = false
        static func wait(on word: UnsafeMutableRawPointer, while value: UInt32, until deadline: Deadline)
            -> Bool
        {
            !deadline.hasPassed
        }
        static func wake(_ audience: WaitWord.Audience, on word: UnsafeMutableRawPointer) {}
    }
#endif
