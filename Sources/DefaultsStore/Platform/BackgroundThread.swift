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

    /// What a main thread usually has for its stack, because the library's threads call user code too; memory is
    /// taken for what is used of it.
    ///
    /// Musl would give 128 KiB, and Apple's systems 512 KiB.
    private static let stack = 8 << 20

    /// Starts a thread that takes no signal but those it brings upon itself: the others belong to the program's own
    /// threads.
    ///
    /// - Throws: if the system has none to give; in a refused child.
    static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
        if Fork.isRefused { throw SystemError(call: "pthread_create", errno: EAGAIN) }
        Fork.arm()
        if let planned = FaultInjection.strike("pthread_create") {
            throw SystemError(call: "pthread_create", errno: planned)
        }
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        var usual = 0
        if pthread_attr_getstacksize(&attributes, &usual) != 0 || usual < stack {
            pthread_attr_setstacksize(&attributes, stack)
        }
        #if canImport(Darwin)
            // `QOS_CLASS_USER_INITIATED`, by its number because its type depends on how the header is read. A main thread
            // may wait for this one, and could not lend it its own class.
            pthread_attr_set_qos_class_np(&attributes, qos_class_t(0x19), 0)
        #endif
        let box = Unmanaged.passRetained(Body(body))
        #if canImport(Glibc)
            var thread = pthread_t()
        #else
            var thread: pthread_t?
        #endif
        // The thread begins with what the one that starts it has blocked.
        let code = SignalMask.ofLibrary.during {
            pthread_create(&thread, &attributes, BackgroundThread.entry, box.toOpaque())
        }
        guard code == 0 else {
            box.release()
            throw SystemError(call: "pthread_create", errno: code)
        }
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
