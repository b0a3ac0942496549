#if os(Linux) && (arch(x86_64) || arch(arm64))
    import CTypedDefaults

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// `futex`: the kernel compares a word with what it was and puts the thread to sleep, in one step.
    enum Futex {
        /// Whether this system has it.
        static let exists = true

        /// Waits until somebody wakes those who wait on a word, unless it has another value by then; it may end earlier.
        ///
        /// - Returns: false once the deadline has passed.
        static func wait(on word: UnsafeMutableRawPointer, while value: UInt32, until deadline: Deadline)
            -> Bool
        {
            var time = timespec(nanoseconds: deadline.nanoseconds)
            return typed_defaults_futex_wait(word, value, &time) == 0 || SystemCalls.lastError != ETIMEDOUT
        }

        /// Wakes one of those who wait on a word, or all.
        static func wake(_ audience: WaitWord.Audience, on word: UnsafeMutableRawPointer) {
            _ = typed_defaults_futex_wake(word, audience == .one ? 1 : .max)
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
