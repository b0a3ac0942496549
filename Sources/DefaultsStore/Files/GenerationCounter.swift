/// Where the generation in the lock file is looked up: every commit of every process raises it first.
enum GenerationCounter: Sendable {
    /// In memory that shows what every process has written; a read costs no system call.
    case mapped(MappedPage)
    /// Read from the file each time: a mapped page may not show what others have written.
    case read
    /// There is no lock file, or none that may be opened.
    case absent

    init(of lock: borrowing Descriptor, isLocal: Bool) throws(SystemError) {
        self = isLocal ? .mapped(try MappedPage(of: lock)) : .read
    }

    var page: MappedPage? { if case .mapped(let page) = self { page } else { nil } }
}

extension SuiteFiles {
    /// Read from the lock file; 0 if there is none.
    func generation() throws(DefaultsError) -> UInt64 {
        if let page { return page.number }
        return try readLockFile { (file) throws(DefaultsError) in
            try LockFile.generation(file, location.lockPath)
        } ?? 0
    }

    /// A generation that cannot be read is none: the load that follows says why.
    func has(_ generation: UInt64) -> Bool {
        if let page { return page.number == generation }
        guard case .read = counter else { return false }
        do { return try self.generation() == generation } catch { return false }
    }

    /// The process that raised the generation last; nil if unknown.
    var lastWriter: Int32? {
        if let page { return page.process }
        do {
            return try readLockFile { (file) throws(DefaultsError) in
                try LockFile.process(file, location.lockPath)
            }
        } catch {
            return nil
        }
    }

    private func readLockFile<Result>(
        _ body: (borrowing Descriptor) throws(DefaultsError) -> Result
    ) throws(DefaultsError) -> Result? {
        if let result = try withLock(body) { return result }
        switch readableLock {
        case .some(let lock): return try body(lock)
        case .none: return nil
        }
    }
}
