#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// An open file, closed when its one owner releases it, and in a forked child at once.
///
/// A copy in a child would share the parent's lock, and keep it held after the parent's death.
struct Descriptor: ~Copyable, Sendable {
    private let number: Int32
    /// F20: whether the system may remember what has changed since; see `SystemCalls+Refreshing`.
    private(set) var isRemote = false
    /// Whether it is read from again and again while others write to the file.
    private(set) var staysOpen = false

    /// Takes charge of an open file.
    init(taking number: Int32) {
        self.number = number
        Fork.inheritance.withLock { $0.files.append(Int(number)) }
    }

    /// Returns the same file under a number above the three that every program and its libraries write to.
    ///
    /// If those are closed, the next file to be opened gets one of them, and what anything prints would go into it.
    /// The idea is SQLite's.
    consuming func aboveStandardStreams() throws(SystemError) -> Descriptor {
        guard number <= STDERR_FILENO else { return self }
        let number = number
        return Descriptor(
            taking: try SystemCalls.check("fcntl") { fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) })
    }

    /// Returns the same file, or folder, as one of a file system that is not local.
    consuming func remote(_ isRemote: Bool) -> Descriptor {
        self.isRemote = isRemote
        return self
    }

    /// Returns the same file as one that is read from again and again while others write to it.
    consuming func stayingOpen() -> Descriptor {
        staysOpen = true
        return self
    }

    /// The kernel's number of the file; only for the calls in this folder.
    ///
    /// In a refused child, where the number may be another file's, it is one that no call accepts.
    var raw: Int32 { Fork.isRefused ? -1 : number }

    // A failed close has closed the file all the same on every system we know, and what has to be kept was synced
    // before.
    deinit { _ = Descriptor.close(number) }

    /// Closes the file, and returns why what was written to it has not arrived where it is kept; 0 if it has.
    consuming func closed() -> Int32 {
        let number = number
        discard self
        return Descriptor.close(number)
    }

    @inline(never)  // A descriptor ends in many places, which would all be compiled with it.
    private static func close(_ number: Int32) -> Int32 {
        if Fork.isRefused { return 0 }
        // In this order, or a child could close a file that has been given the number since. A fork between the two
        // leaves the child a descriptor that nobody knows of, of a file that the parent has no more.
        _ = Fork.inheritance.withLock { $0.files.removeOne(Int(number)) }
        return end(number) == 0 ? 0 : SystemCalls.lastError
    }

    /// Closes a child's copies of what its parent has open; the parent's locks stay the parent's.
    static func close(_ numbers: [Int]) { for number in numbers { _ = end(Int32(number)) } }
}

/// The C function, whose name is taken inside the type.
private func end(_ file: Int32) -> Int32 { close(file) }
