import Synchronization

/// Refuses every use in a forked child of a program that had suites open, until the child calls `exec`.
///
/// A child has all memory and only the thread that forked. The threads that watch files are not there, and a lock that
/// another thread had stays locked, those of Swift's runtime included. So nothing of ours goes on: the child's handler
/// raises a flag, and gives up what would last otherwise, which is open files and mapped pages, because they keep the
/// parent's lock held after its death, and cached values.
package enum Fork {
    /// What a child gives up.
    struct Inheritance: ~Copyable {
        /// The numbers of open files; there are few.
        var files: [Int] = []
        var pages: [Int] = []
        var cells = FreshnessCell.Pool()
    }

    /// A leaf: only the kernel is called under it, and nothing that waits for a file system, because a fork waits for it.
    static let inheritance = Locked(Inheritance())
    private static let refused = Atomic<Bool>(false)
    private static let begun = Atomic<UInt32>(0)

    /// True in a forked child of a process that had suites open.
    @inline(__always)
    package static var isRefused: Bool { refused.load(ordering: .relaxed) }

    /// How many forks this process has begun since ``arm()``.
    static var countBegun: UInt32 { begun.load(ordering: .relaxed) }

    /// Has children refused from now on: before the first store is opened, and before a thread is started.
    static func arm() { _ = isArmed }

    private static let isArmed: Bool = {
        SystemCalls.atFork(
            before: {
                Fork.inheritance.lock()
                Fork.begun.add(1, ordering: .relaxed)
            },
            inParent: { Fork.inheritance.unlock() },
            inChild: {
                Fork.inheritance.unlock()
                // A child of a child: what had these numbers was given up, and they may be others' by now.
                if Fork.refused.exchange(true, ordering: .relaxed) { return }
                Fork.inheritance.withLock { inheritance in
                    Descriptor.close(inheritance.files)
                    MappedPage.blank(inheritance.pages)
                    inheritance.cells.end()
                }
            })
        return true
    }()

    static let recoverySuggestion = "Open suites after fork or daemon(3), or call exec in the child."
}
