#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The names in a folder.
extension SystemCalls {
    /// Returns the names in a folder, in no particular order; links on the path are followed.
    ///
    /// - Throws: also if the listing breaks off, so that what is returned is complete.
    static func names(inFolder path: String) throws(SystemError) -> [String] {
        if let planned = Faults.strike("opendir") { throw SystemError(call: "opendir", errno: planned) }
        guard let list = opendir(path) else { throw SystemError(call: "opendir", errno: errno) }
        defer { closedir(list) }
        return try names { readdir(list) }
    }

    /// Returns the names in an open folder, whatever has taken its place since it was opened.
    static func names(in folder: borrowing Descriptor) throws(SystemError) -> [String] {
        let raw = folder.raw
        // A number of the list's own, which closes it.
        let own = try check("fcntl") { fcntl(raw, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) }
        let planned = Faults.strike("fdopendir")
        guard planned == nil, let list = fdopendir(own) else {
            let code = planned ?? errno
            _ = close(own)
            throw SystemError(call: "fdopendir", errno: code)
        }
        defer { closedir(list) }
        // Both numbers are of one place in the folder, where an earlier list may have ended.
        rewinddir(list)
        return try names { readdir(list) }
    }

    private static func names(
        _ next: () -> UnsafeMutablePointer<dirent>?
    ) throws(SystemError) -> [String] {
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = next() else {
                let code = errno
                guard code == 0 else { throw SystemError(call: "readdir", errno: code) }
                return names.filter { $0 != "." && $0 != ".." }
            }
            // By its offset in the entry, because a copy of the whole structure would read beyond a shorter entry.
            let place = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
            let name = UnsafeRawPointer(entry) + place
            names.append(String(cString: name.assumingMemoryBound(to: CChar.self)))
        }
    }
}
