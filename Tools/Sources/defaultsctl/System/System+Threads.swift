import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Work that may take too long.
extension System {
    #if canImport(Darwin)
        private typealias Argument = UnsafeMutableRawPointer
    #else
        private typealias Argument = UnsafeMutableRawPointer?
    #endif

    /// What is handed to a thread, and comes back from it.
    private final class Outcome<Value: Sendable>: Sendable {
        let value = Mutex<Value?>(nil)
    }

    private final class Call: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Runs a body on a thread of its own.
    ///
    /// A program that can start none runs it on this one.
    ///
    /// - Returns: nil if it has not ended in time; it goes on then, until the program ends.
    static func value<Value: Sendable>(
        withinSeconds seconds: Int, of body: @escaping @Sendable () -> Value
    ) -> Value? {
        let outcome = Outcome<Value>()
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        // As deep as a program's first thread, for schemas within schemas.
        pthread_attr_setstacksize(&attributes, 8 << 20)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        let call = Unmanaged.passRetained(
            Call {
                let value = body()
                outcome.value.withLock { $0 = value }
            })
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        let run: @convention(c) (Argument) -> UnsafeMutableRawPointer? = { argument in
            let call = argument as UnsafeMutableRawPointer?
            call.map { Unmanaged<Call>.fromOpaque($0).takeRetainedValue().body() }
            return nil
        }
        guard pthread_create(&thread, &attributes, run, call.toOpaque()) == 0 else {
            call.release()
            return body()
        }
        let end = ContinuousClock.now + .seconds(seconds)
        while true {
            if let value = outcome.value.withLock({ $0 }) { return value }
            if ContinuousClock.now >= end { return nil }
            poll(nil, 0, 2)
        }
    }
}
