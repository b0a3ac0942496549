/// F27: the versions of a settings file: each a plain settings file, named after the time at which it was stored.
///
/// A version is put there as a whole after its settings file is in place, so whatever goes wrong costs a version and never
/// a setting. A lock file of their own keeps versions in order; no writer waits for it.
struct VersionFolder {
    /// A version in the folder.
    struct Entry: Hashable {
        let moment: VersionMoment
        let size: Int
    }

    private let settings: SuiteLocation

    init(of settings: SuiteLocation) { self.settings = settings }

    func path(of moment: VersionMoment) -> String { settings.version(moment.name).path }

    private func openExisting() throws(DefaultsError) -> Descriptor? {
        try WholeFile.openExistingFolder(of: settings.version(""))
    }

    /// The versions, the oldest first.
    func entries() throws(DefaultsError) -> [Entry] {
        guard let folder = try openExisting() else { return [] }
        return try entries(in: folder)
    }

    private func entries(in folder: borrowing Descriptor) throws(DefaultsError) -> [Entry] {
        try DefaultsError.reading(settings.version("").folder) { () throws(SystemError) in
            var entries: [Entry] = []
            for name in try SystemCalls.names(in: folder) {
                // What else is there is somebody's own.
                guard let moment = VersionMoment(name: name) else { continue }
                let status = try SystemError.nilIfMissing(SystemCalls.status(name, in: folder))
                if let status { entries.append(Entry(moment: moment, size: status.identity.size)) }
            }
            return entries.sorted { $0.moment < $1.moment }
        }
    }

    /// Reads a version; nil if it is not there any more.
    ///
    /// - Throws: `.insecureDirectory` for a link, or a file of another user's; `.valueTooLarge`, `.ioFailure`.
    func bytes(of moment: VersionMoment) throws(DefaultsError) -> [UInt8]? { try bytes(named: moment.name) }

    /// A settings file that is to be a version.
    struct File {
        let bytes: [UInt8]
        let moment: VersionMoment
    }

    /// Keeps settings files, the oldest first, each unless it is like the version before it; then removes those that are
    /// too many.
    ///
    /// - Parameter isInPlace: whether the last of them still is the settings file. Otherwise whoever has replaced it keeps
    ///   it: so versions are in the order in which they were stored.
    func keep(
        _ files: [File], within limit: DefaultsHistoryLimit, if isInPlace: () throws(DefaultsError) -> Bool
    ) throws(DefaultsError) {
        guard let last = files.last else { return }
        let folder = try WholeFile.openFolder(of: settings.version(""))
        try whileLocked(folder) { () throws(DefaultsError) in
            try keep(last, over: files.dropLast(), within: limit, isInPlace: try isInPlace(), in: folder)
        }
    }

    private static let lock = "lock"

    private func whileLocked(
        _ folder: borrowing Descriptor, _ body: () throws(DefaultsError) -> Void
    ) throws(DefaultsError) {
        let path = settings.version(VersionFolder.lock).path
        let lock = try DefaultsError.writing(
            path, SystemCalls.open(VersionFolder.lock, in: folder, .createOrOpen))
        try WriterLock.wait(for: lock, nil, until: .after(milliseconds: WriterLock.limit), path)
        defer { VersionFolder.unlock(lock) }
        try body()
    }

    /// Not by closing alone: a forked child may have the file too.
    private static func unlock(_ lock: borrowing Descriptor) {
        // If that fails, it is released with the descriptor.
        do { try SystemCalls.unlock(lock) } catch { return }
    }

    private func keep(
        _ file: File, over replaced: ArraySlice<File>, within limit: DefaultsHistoryLimit, isInPlace: Bool,
        in folder: borrowing Descriptor
    ) throws(DefaultsError) {
        WholeFile.removeLeftovers(in: folder) { VersionMoment(name: $0) != nil }
        var entries = try entries(in: folder)
        var later: [Entry] = []
        // Another thread or process may have kept the file already, without the one that it has replaced.
        let kept = isInPlace ? entries.indices.last : entries.firstIndex { file.moment <= $0.moment }
        if let kept, try isNewest(file, of: entries[...kept], in: folder),
            replaced.allSatisfy({ $0.moment <= entries[kept].moment && $0.bytes != file.bytes })
        {
            later = Array(entries[kept...])
            entries.removeSubrange(kept...)
        } else if !isInPlace {
            return
        }
        for file in later.isEmpty ? replaced + [file] : replaced {
            if try isNewest(file, of: entries[...], in: folder) { continue }
            let moment = try moment(of: file, between: entries.last?.moment, later.first?.moment)
            // No name is left between two that are a microsecond apart: it costs the version (F27).
            guard let moment else { continue }
            try put(file.bytes, named: moment.name, in: folder)
            entries.append(Entry(moment: moment, size: file.bytes.count))
        }
        for entry in limit.surplus(of: entries + later) { try remove(entry.moment.name, in: folder) }
    }

    private func isNewest(
        _ file: File, of entries: ArraySlice<Entry>, in folder: borrowing Descriptor
    ) throws(DefaultsError) -> Bool {
        guard let newest = entries.last else { return false }
        return try ifTrusted(newest.moment.name, in: folder) == file.bytes
    }

    /// Nil for what is no version of this user's; whoever reads the versions is told of it.
    private func ifTrusted(_ name: String, in folder: borrowing Descriptor) throws(DefaultsError) -> [UInt8]?
    {
        do { return try read(name, in: folder) } catch {
            guard error.code == .insecureDirectory || error.code == .valueTooLarge else { throw error }
            return nil
        }
    }

    /// Returns the moment of a version that comes behind one and before another, whatever the clock says; nil if there is
    /// none between the two.
    private func moment(
        of file: File, between last: VersionMoment?, _ next: VersionMoment?
    ) throws(DefaultsError) -> VersionMoment? {
        var moment = file.moment
        if let next { moment = min(moment, next.previous) }
        if let last { moment = max(moment, last.next) }
        if let next, moment >= next { return nil }
        guard VersionMoment(name: moment.name) != nil else {
            throw DefaultsError(
                .ioFailure, path: last.map(path),
                underlyingDescription: "no version can come after that one"
            ).advising("Remove the file if its time is wrong.")
        }
        return moment
    }

    /// Removes all versions; other files and the folder stay.
    ///
    /// A checkpoint that had its file in place before is waited for, and later ones keep none.
    func removeAll() throws(DefaultsError) {
        guard let folder = try openExisting() else { return }
        try whileLocked(folder) { () throws(DefaultsError) in
            for entry in try entries(in: folder) { try remove(entry.moment.name, in: folder) }
        }
        try remove(VersionFolder.lock, in: folder)
    }
}

/// What else is kept next to the versions.
extension VersionFolder {
    /// Reads a file; nil if there is none.
    ///
    /// - Throws: `.insecureDirectory` for a link, or a file of another user's; `.valueTooLarge`, `.ioFailure`.
    func bytes(named name: String) throws(DefaultsError) -> [UInt8]? {
        guard let folder = try openExisting() else { return nil }
        return try read(name, in: folder)
    }

    /// Puts a file in place as a whole.
    ///
    /// - Throws: `.insecureDirectory`, `.readOnly`, `.diskFull`, `.ioFailure`; what was there still is then.
    func put(_ bytes: [UInt8], named name: String) throws(DefaultsError) {
        let folder = try WholeFile.openFolder(of: settings.version(name))
        WholeFile.removeLeftovers(in: folder) { $0 == name }
        try put(bytes, named: name, in: folder)
    }

    /// Waits until the files have their names on the disk, and what was removed has none.
    func synchronizeNames() throws(DefaultsError) {
        guard let folder = try openExisting() else { return }
        try DefaultsError.writing(settings.version("").folder, SystemCalls.synchronizeFolder(folder))
    }

    func remove(named name: String) throws(DefaultsError) {
        guard let folder = try openExisting() else { return }
        try remove(name, in: folder)
    }

    func path(named name: String) -> String { settings.version(name).path }

    private func read(_ name: String, in folder: borrowing Descriptor) throws(DefaultsError) -> [UInt8]? {
        let path = path(named: name)
        guard let opened = try RegularFile.open(name, in: folder, path) else { return nil }
        return try RegularFile.readWhole(opened.file, opened.status, path).bytes
    }

    private func put(
        _ bytes: [UInt8], named name: String, in folder: borrowing Descriptor
    ) throws(DefaultsError) {
        // Always its owner's alone: it may have what is, or was, a secret.
        _ = try WholeFile.put(
            bytes, like: FileAttributes(of: nil), at: settings.version(name), in: folder)
    }

    private func remove(_ name: String, in folder: borrowing Descriptor) throws(DefaultsError) {
        try DefaultsError.writing(path(named: name), SystemCalls.remove(name, in: folder))
    }
}
