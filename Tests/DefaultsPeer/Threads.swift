import Libc

/// Runs a body on so many threads at once and waits for all of them.
func withThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) throws {
    var threads: [pthread_t] = []
    defer { threads.forEach { pthread_join($0, nil) } }
    for number in 0..<count { threads.append(try makeThread { body(number) }) }
}

/// Runs a body on a thread of its own that nobody waits for.
func startThread(_ body: @escaping @Sendable () -> Void) throws { pthread_detach(try makeThread(body)) }

private func makeThread(_ body: @escaping @Sendable () -> Void) throws -> pthread_t {
    let work = Unmanaged.passRetained(ThreadWork(body))
    #if canImport(Glibc)
        var started = pthread_t()
    #else
        var started: pthread_t?
    #endif
    let refusal = pthread_create(
        &started, nil,
        { context in
            // Optional except on Apple's systems.
            let context: UnsafeMutableRawPointer? = context
            if let context { Unmanaged<ThreadWork>.fromOpaque(context).takeRetainedValue().run() }
            return nil
        }, work.toOpaque())
    let thread: pthread_t? = started
    guard refusal == 0, let thread else {
        work.release()
        throw ThreadRefused(errno: refusal)
    }
    return thread
}

/// A thread could not be had.
private struct ThreadRefused: Error {
    let errno: Int32
}

/// What a thread does, in a box that C can carry.
private final class ThreadWork: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
