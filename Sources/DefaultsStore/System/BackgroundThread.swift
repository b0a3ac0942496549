#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A thread of the library's own, which ends when its body returns.
enum BackgroundThread {
    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a thread with every signal blocked: signals belong to the program's own threads.
    static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
        if let planned = Faults.strike("pthread_create") {
            throw SystemError(call: "pthread_create", errno: planned)
        }
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let box = Unmanaged.passRetained(Body(body))
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        let code = pthread_create(&thread, nil, BackgroundThread.entry, box.toOpaque())
        guard code == 0 else {
            box.release()
            throw SystemError(call: "pthread_create", errno: code)
        }
        #if canImport(Darwin)
            if let thread { pthread_detach(thread) }
        #else
            pthread_detach(thread)
        #endif
    }

    #if canImport(Darwin)
        private static let entry: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = {
            context in
            Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
            return nil
        }
    #else
        private static let entry: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
            context in
            guard let context else { return nil }
            Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
            return nil
        }
    #endif
}
