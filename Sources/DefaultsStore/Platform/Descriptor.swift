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
    private let fork = Fork.count
    /// F20: whether the system may remember what has changed since; see `SystemCalls+Refreshing`.
    private(set) var isRemote = false
    /// Whether it is read from again and again while others write to the file.
    private(set) var staysOpen = false

    /// The numbers that a forked child has to close; there are few.
    private static let open = Locked<[Int]>([])  // A leaf: nothing is taken or called under it.

    /// Takes charge of an open file, inside ``Fork/holdingOff(_:)``.
    init(taking number: Int32) {
        self.number = number
        Descriptor.open.withLock { $0.append(Int(number)) }
    }

    /// Returns the same file under a number above the three that every program and its libraries write to.
    ///
    /// If those are closed, the next file to be opened gets one of them, and what anything prints would go into it.
    /// The idea is SQLite's. Inside ``Fork/holdingOff(_:)``.
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
    /// In a child of the process that opened it, where the number may be another file's, it is one that no call
    /// accepts.
    var raw: Int32 { isInherited ? -1 : number }

    /// Whether the file was opened by a parent of this process, and is no longer open.
    var isInherited: Bool { fork != Fork.count }

    // A failed close has closed the file all the same on every system we know, and what has to be kept was synced
    // before.
    deinit {
        guard !isInherited else { return }
        _ = Descriptor.close(number)
    }

    /// Closes the file, and returns why what was written to it has not arrived where it is kept; 0 if it has.
    consuming func closed() -> Int32 {
        let (number, isInherited) = (number, isInherited)
        discard self
        return isInherited ? 0 : Descriptor.close(number)
    }

    @inline(never)  // A descriptor ends in many places, which would all be compiled with it.
    private static func close(_ number: Int32) -> Int32 {
        // In this order, or a child could close a file that has been given the number since. A fork between the two
        // leaves the child a descriptor that nobody knows of, of a file that the parent has no more.
        _ = Descriptor.open.withLock { $0.removeOne(Int(number)) }
        return end(number) == 0 ? 0 : SystemCalls.lastError
    }

    /// Closes the child's copies of what its parent has open; the parent's locks stay the parent's.
    static func closeInherited() {
        for number in open.exchange([]) { _ = end(Int32(number)) }
    }
}

/// The C function, whose name is taken inside the type.
private func end(_ file: Int32) -> Int32 { close(file) }
