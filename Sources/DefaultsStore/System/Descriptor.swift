#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// An open file, closed when its one owner lets go of it.
struct Descriptor: ~Copyable, Sendable {
    /// The number the kernel knows it by; only for the calls in this folder.
    let raw: Int32

    init(taking raw: Int32) { self.raw = raw }

    // A refused close has closed all the same on every system we know, and what had to be kept was synchronized before.
    deinit { close(raw) }
}
