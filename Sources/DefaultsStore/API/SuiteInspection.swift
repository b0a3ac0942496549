/// Inspects the files of a suite without changing or creating any.
///
/// It holds the writer's lock meanwhile, if it can be had: otherwise a writer's work would look like what a dead
/// writer has left.
struct SuiteInspection {
    let location: SuiteLocation
    private let callerHasLock: Bool
    private(set) var findings: [DefaultsFinding] = []

    private static let lockTimeoutInMilliseconds: UInt64 = 1_000

    init(_ location: SuiteLocation, callerHasLock: Bool = false) {
        (self.location, self.callerHasLock) = (location, callerHasLock)
    }

    /// Inspects everything there is.
    ///
    /// - Parameter callerHasLock: whether the caller has the writer's lock, for which there is nothing to wait then.
    static func findings(at location: SuiteLocation, callerHasLock: Bool) -> [DefaultsFinding] {
        do throws(DefaultsError) {
            var inspection = SuiteInspection(
                try SuiteDirectory.resolve(location), callerHasLock: callerHasLock)
            try inspection.run()
            return inspection.findings
        } catch {
            return [DefaultsFinding(error, at: location.path)]
        }
    }

    private mutating func run() throws(DefaultsError) {
        let open = SuiteLocation(
            folder: location.folder, settings: location.settings, allowsInsecureDirectory: true)
        guard let opened = try SuiteDirectory.open(open, creating: false) else {
            add(.note, "missing", location.folder, "the folder is not there: nothing was ever written")
            return
        }
        let fileSystem = SystemCalls.fileSystem(of: opened)
        let folder = opened.remote(!fileSystem.isLocal)
        checkFolder(
            try DefaultsError.reading(location.folder, SystemCalls.status(of: folder)))
        do throws(DefaultsError) {
            guard let lock = try openLock(folder) else { return checkFiles(folder, isAlone: true) }
            let isAlone = !callerHasLock && waitForLock(lock)
            try checkLock(lock)
            checkFiles(folder, isAlone: isAlone)
        } catch {
            add(error)
            // A lock file that cannot be used hides none of the others.
            checkFiles(folder, isAlone: nil, isNewer: error.code == .unsupportedFormat)
        }
    }

    /// Looks at the files one by one, so that one that cannot be used hides none of the others.
    ///
    /// - Parameters:
    ///   - isAlone: whether nobody else is writing; nil if that cannot be known.
    ///   - isNewer: whether the journal is one of a newer format.
    private mutating func checkFiles(_ folder: borrowing Descriptor, isAlone: Bool?, isNewer: Bool = false) {
        do throws(DefaultsError) { try checkSettings(folder) } catch { add(error) }
        if !isNewer {
            do throws(DefaultsError) { try checkJournal(folder) } catch { add(error) }
        }
        switch isAlone {
        case true?: do throws(DefaultsError) { try checkLeftovers(folder) } catch { add(error) }
        case false?:
            add(
                .note, "busy", location.lockPath,
                callerHasLock ? "a transaction of the caller's is under way" : "another process is writing",
                recoverySuggestion: "What a dead writer may have left was not looked for; check again.")
        case nil: break
        }
        do throws(DefaultsError) { try checkDamagedCopies(folder) } catch { add(error) }
    }

    private func waitForLock(_ lock: borrowing Descriptor) -> Bool {
        let deadline = Deadline.after(milliseconds: SuiteInspection.lockTimeoutInMilliseconds)
        do throws(SystemError) {
            while try SystemCalls.tryLock(lock) == false {
                if deadline.hasPassed { return false }
                SystemCalls.pause(nanoseconds: 500_000)
            }
            return true
        } catch {
            // A file system that locks only files that may be written.
            return false
        }
    }
}

extension SuiteInspection {
    mutating func add(
        _ severity: DefaultsFinding.Severity, _ category: String, _ path: String, _ reason: String,
        recoverySuggestion: String? = nil, repair: DefaultsFinding.Repair? = nil
    ) {
        add(
            DefaultsFinding(
                severity: severity, category: category, path: path, reason: reason,
                recoverySuggestion: recoverySuggestion, repair: repair))
    }

    mutating func add(_ error: DefaultsError) { add(DefaultsFinding(error, at: location.path)) }

    @inline(never)
    mutating func add(_ finding: DefaultsFinding) { findings.append(finding) }
}

/// The checks of each file of a suite.
extension SuiteInspection {
    mutating func checkFolder(_ status: FileStatus) {
        if !SuiteDirectory.isTrusted(owner: status.owner) {
            add(
                .error, "insecureDirectory", location.folder,
                "it " + SuiteDirectory.belongs(to: status.owner),
                recoverySuggestion: "Use a folder of your own.")
        }
        if status.permissions & 0o002 != 0 {
            add(
                .error, "insecureDirectory", location.folder, "everybody can write in it",
                recoverySuggestion: "Take that right away (chmod o-w).", repair: .narrowMode)
        } else if status.canOthersWrite {
            add(
                .error, "insecureDirectory", location.folder, "its group can write in it",
                recoverySuggestion: "Take that right away (chmod g-w).", repair: .narrowMode)
        } else if status.permissions & 0o020 != 0 {
            add(.note, "mode", location.folder, "its group can write in it")
        }
    }

    mutating func checkSettings(_ folder: borrowing Descriptor) throws(DefaultsError) {
        let path = location.path
        guard let opened = try RegularFile.open(location.settings, in: folder, path) else {
            return add(.note, "missing", path, "there is no settings file yet")
        }
        checkMode(opened.status)
        guard opened.status.identity.size <= SettingsFile.limit else {
            throw DefaultsError(.valueTooLarge, path: path)
        }
        let bytes = try DefaultsError.reading(path, SystemCalls.readToEnd(opened.file, from: 0))
        let (document, fault) = SettingsDocument.read(file: bytes)
        if let fault {
            let count = document.keys.count
            var isKnown = count > 0 || document.beginsAsObject
            if !isKnown { isKnown = try isWritten(folder) }
            guard isKnown else {
                return add(
                    DefaultsFinding(
                        severity: .error, category: DefaultsFinding.foreignFile, path: path, line: fault.line,
                        column: fault.column, reason: "this is no settings file: \(fault.reason)",
                        recoverySuggestion:
                            "Name another file. A repair would put an empty one in its place, and keep it beside that.",
                        repair: .checkpoint))
            }
            add(
                DefaultsFinding(
                    severity: .error, category: "malformedFile", path: path, line: fault.line,
                    column: fault.column,
                    reason: "it is no settings file: \(fault.reason)",
                    recoverySuggestion:
                        "Fix that place. A repair keeps the file beside the new one, which has only the "
                        + "\(count) \(count == 1 ? "key" : "keys") that can be read.",
                    repair: .checkpoint))
        }
        for (key, line, column) in document.duplicateKeys {
            add(
                DefaultsFinding(
                    severity: .warning, category: "duplicateKey", path: path, line: line, column: column,
                    key: key.string, reason: "it is in the file more than once; the last one applies",
                    recoverySuggestion: "Delete the one that is not meant."))
        }
        checkSizes(of: document)
    }

    /// Whether a suite has been written here, whatever is in the file now.
    private func isWritten(_ folder: borrowing Descriptor) throws(DefaultsError) -> Bool {
        let path = location.journalPath
        let journal = try DefaultsError.reading(
            path, SystemError.nilIfMissing(SystemCalls.status(location.journal, in: folder)))
        return (journal?.identity.size ?? 0) > 0
    }

    /// Finds values over the limits, which a user has put into the file: they are read and kept.
    private mutating func checkSizes(of document: SettingsDocument) {
        var place = TextPlace(startOf: document.bytes[...])
        func add(_ category: String, _ position: Int, _ reason: String, _ recoverySuggestion: String) {
            let member = document.member(at: position)
            place.advance(to: member.start, in: document.bytes[...])
            self.add(
                DefaultsFinding(
                    severity: .note, category: category, path: location.path, line: place.line,
                    column: place.column,
                    key: KeyName.isValid(member.key.string) ? member.key.string : nil, reason: reason,
                    recoverySuggestion: recoverySuggestion))
        }
        for position in 0..<document.count {
            if !KeyName.isValid(document.key(at: position).string) {
                add(
                    "invalidKey", position,
                    "a key that is empty or longer than \(KeyName.greatestLength) bytes can be read but not written",
                    "Give it another name.")
            }
            let size = document.valueRange(at: position).count
            if size > StoredValue.greatestLength {
                add(
                    "valueTooLarge", position,
                    "a value of \(size) bytes can be read, but not written again: the limit is "
                        + "\(StoredValue.greatestLength)",
                    "Keep large data in a file of its own, and its path here.")
            }
        }
    }

    private mutating func checkMode(_ status: FileStatus) {
        if status.permissions & 0o002 != 0 {
            add(
                .warning, "mode", location.path, "everybody can write it",
                recoverySuggestion: "Take that right away (chmod o-w).", repair: .narrowMode)
        }
        if status.permissions & 0o044 != 0 {
            add(.note, "mode", location.path, "other users can read it")
        }
    }

    mutating func openLock(_ folder: borrowing Descriptor) throws(DefaultsError) -> Descriptor? {
        let path = location.lockPath
        guard let opened = try RegularFile.open(location.lock, in: folder, path) else { return nil }
        try RegularFile.check(opened.status.inode, path, isWrittenInPlace: true)
        if opened.status.identity.size < MappedPage.size {
            add(
                .warning, "lockFile", path, "it is \(opened.status.identity.size) bytes long, not 4096",
                recoverySuggestion: "The next program that opens the suite repairs it.", repair: .checkpoint)
        }
        if opened.status.permissions & 0o077 != 0 {
            add(
                .warning, "mode", path, "other users can open it, and so keep writers waiting",
                recoverySuggestion: "The next program that opens the suite repairs it.", repair: .checkpoint)
        }
        return opened.file
    }

    func checkLock(_ lock: borrowing Descriptor) throws(DefaultsError) {
        try LockFile.checkVersion(lock, nil, location.lockPath)
    }

    mutating func checkJournal(_ folder: borrowing Descriptor) throws(DefaultsError) {
        let path = location.journalPath
        guard let opened = try RegularFile.open(location.journal, in: folder, path) else { return }
        try RegularFile.check(opened.status.inode, path, isWrittenInPlace: true)
        let bytes = try DefaultsError.reading(
            path, SystemCalls.read(opened.file, count: JournalHeader.length, at: 0))
        guard let header = JournalHeader(bytes) else {
            let size = opened.status.identity.size
            guard size > 0 else { return }
            return add(
                .warning, "journal", path, "its first line does not count, so none of its \(size) bytes do",
                recoverySuggestion: "The next writer keeps them beside the settings and begins it anew.")
        }
        var lines = JournalLines(nonce: header.nonce, after: 0)
        let (surplus, _) = try DefaultsError.reading(
            path, Journal.read(&lines, from: JournalHeader.length, opened.file))
        let mark = try mark(of: header, folder)
        let count = lines.records(after: mark.generation).count
        if count > 0 {
            add(
                .note, "journal", path,
                "the last \(count == 1 ? "write is" : "\(count) writes are") not in the settings "
                    + "file yet", recoverySuggestion: "It follows by itself; nothing is lost.",
                repair: .checkpoint)
        }
        if surplus > 0 {
            add(
                .note, "journal", path,
                "\(surplus) bytes behind its last whole line do not count",
                recoverySuggestion: "The next writer cuts them off, and keeps what is not a torn line.")
        }
    }

    private func mark(
        of header: JournalHeader, _ folder: borrowing Descriptor
    ) throws(DefaultsError) -> CheckpointMark {
        let path = location.lockPath
        guard let opened = try RegularFile.open(location.lock, in: folder, path) else {
            return CheckpointMark(header)
        }
        let bytes = try DefaultsError.reading(
            path, SystemCalls.read(opened.file, count: MappedPage.size, at: 0))
        guard bytes.count == MappedPage.size else { return CheckpointMark(header) }
        return bytes.withUnsafeBytes { page in CheckpointMark.of(header) { page.word(at: $0) } }
    }

    mutating func checkLeftovers(_ folder: borrowing Descriptor) throws(DefaultsError) {
        for name in [location.temporary, location.displaced] {
            let path = location.path(of: name)
            let left = try DefaultsError.reading(
                path, SystemError.nilIfMissing(SystemCalls.status(name, in: folder)))
            guard let left else { continue }
            if left.isDirectory {
                add(
                    .error, "leftover", path,
                    "a folder is in a file's place, so that no write can be put in order",
                    recoverySuggestion: "Move it away.")
                continue
            }
            add(
                .warning, "leftover", path, "a writer that died has left it",
                recoverySuggestion: "The next writer puts it right.", repair: .clearing)
        }
    }

    mutating func checkDamagedCopies(_ folder: borrowing Descriptor) throws(DefaultsError) {
        let names = try DefaultsError.reading(location.folder, SystemCalls.names(in: folder))
        let copies = names.filter { $0.hasPrefix("\(location.settings).damaged-") }
        for name in copies.sorted(byName: { KeyName($0) }) {
            add(
                .note, "damagedCopy", location.path(of: name), "bytes that could not be used are kept here",
                recoverySuggestion: "Take from it what you miss, then delete it.")
        }
    }
}
