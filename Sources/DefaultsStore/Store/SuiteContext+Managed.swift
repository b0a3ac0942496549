import Synchronization

/// The administrator's file: read at the suite's first use and whenever it changes.
extension SuiteContext {
    /// Reads the file unless that has been done; a file that cannot be used is reported.
    func readManagedFileOnce() {
        guard !managed.isKnown.load(ordering: .acquiring) else { return }
        readManagedFileForCaller()
    }

    /// Checks whether the file is still the one that was read, as long as there are no notifications, and begins to
    /// listen when the store does.
    func checkManagedFile(_ store: SettingsStore) {
        if store.isWatched {
            watchManagedFile()
        } else if managed.isAsRead {
            return
        }
        readManagedFileForCaller()
    }

    /// Has the kernel notify of changes from outside from now on, as an observer does.
    package func startWatching() throws(DefaultsError) { startWatching(try store()) }

    func startWatching(_ store: SettingsStore) {
        store.monitor.startWatching()
        if !managed.isWatched.load(ordering: .acquiring) { checkManagedFile(store) }
    }

    /// Has the kernel notify of changes of the administrator's file if somebody has asked for failures, so that
    /// damage is reported when it happens.
    func watchForFailures() {
        guard failures.isHeard, openStore != nil else { return }
        if managed.isWatched.load(ordering: .acquiring) { return }
        watchManagedFile()
        readManagedFileForCaller()
    }

    /// Reads the file at once.
    func useManagedFile(_ file: ManagedFile?) {
        managed.choose(file)
        if openStore?.isWatched == true || failures.isHeard { watchManagedFile() }
        let pending = readManagedFile()
        guard let store = openStore else { return }
        store.runUserCode { pending.forEach { $0.deliver() } }
    }

    /// Uses the file that a later handle names where the first one named none.
    ///
    /// The next read or write of this suite reads it. Who listens already is notified on another thread, because a
    /// handle may be created where no handler may run: in the initialiser of a `static let`.
    func takeUpManagedFile(_ file: ManagedFile) {
        guard managed.take(file) else { return }
        // What is cached was read without it.
        openStore?.raiseEpoch()
        guard openStore?.isWatched == true || failures.isHeard else { return }
        WorkerPool.shared.run(on: .path(file.path)) { [weak self] in
            guard let self else { return }
            watchManagedFile()
            readManagedFileForCaller()
        }
    }

    private func watchManagedFile() {
        managed.watch { [weak self] in self?.readManagedFileForCaller() }
    }

    /// Reads the file on a thread that only wanted to read or write.
    private func readManagedFileForCaller() {
        let pending = readManagedFile()
        if !pending.isEmpty { WorkerPool.shared.deliver(pending) }
    }

    /// If the file cannot be used now, the last read still applies.
    private func readManagedFile() -> [ObserverSubscription] {
        let (number, file, status) = managed.beginReading()
        let isMissing = status?.isWithoutFolder == true
        var reading = ManagedDomain(path: file?.path, reading: number)
        let last = domains.load().contents.managed
        // What was read in this place, which applies where it cannot be read now.
        let known = last.path == reading.path ? last : ManagedDomain()
        if !isMissing, let file {
            reading.parts = readManagedParts(of: file, status, after: known.parts)
        } else {
            reportManagedParts([])
        }
        var isFinal = true
        defer { if isFinal { managed.isKnown.store(true, ordering: .releasing) } }
        do {
            // A file that appears now is found by a later read: its status differs from what was seen, or there is a
            // notification.
            let contents = isMissing ? nil : try file?.read()
            if let contents, let file {
                reading.whole = DropIns.File(path: file.path, document: contents.document)
            }
            report(contents, of: reading)
            reading.isWhole = contents?.isDamaged != true
            if let contents, contents.isDamaged { reading.turn(to: known, because: contents.fault) }
        } catch {
            managed.recordRefusal()
            reportLasting(error.ofAdministrator, in: .managedFile)
            if error.mayPass {
                isFinal = false
                if let file { checkAgain(at: file) }
            }
            (reading.whole, reading.isWhole) = (known.whole, known.isWhole)
            if status?.isWithoutFile != true { reading.turn(to: known, because: error) }
        }
        return replaceDomains(.fileEdited) { $0.setting(reading) }
            // Only of new names: a default that is asked for its members may read this suite, and so the file.
            + takeUpForms(among: reading.keys.filter { last[$0] == nil }, .fileEdited)
    }

    private func readManagedParts(
        of file: ManagedFile, _ status: ManagedFile.Status?, after last: DropIns.Contents
    ) -> DropIns.Contents {
        let again: @Sendable () -> Void = { [weak self] in self?.readManagedFileForCaller() }
        // Nobody looks at each of them at every read.
        if status?.hasParts == true { watchManagedFile() }
        // Watched from now on only, so that they may have come since they were looked for.
        let isNew = managed.watchParts(file.parts.partFolders, again)
        // If nothing can be told of the folder, reading the file says why.
        guard let status else { return last }
        guard isNew || status.hasParts else {
            reportManagedParts([])
            return DropIns.Contents()
        }
        var contents = file.parts.read(after: last)
        // What a link leads to is watched as well, and read once more, because it may have changed before that.
        for _ in 0..<4 where managed.watchParts(contents.passed, again) {
            contents = file.parts.read(after: last)
        }
        // Where there are none, a fault of the folder around them is reported for the file.
        if !status.hasParts { contents.failures.removeAll { $0.code == .insecureDirectory } }
        reportManagedParts(contents.failures)
        if contents.failures.contains(where: \.mayPass) { checkAgain(at: file) }
        return contents
    }

    private func reportManagedParts(_ failures: [DefaultsError]) {
        // Usually there are none, and never were.
        if failures.isEmpty, !FailureLog.isAnyLasting { return }
        reportLasting(only: failures.map(\.ofAdministrator), in: .managedParts)
    }

    private func checkAgain(at file: ManagedFile) {
        readAgainSoon(file.path) { [weak self] in self?.readManagedFileForCaller() }
    }

    /// Has a file or folder read again soon: there need not be a notification of what makes it readable.
    func readAgainSoon(_ path: String, _ body: @escaping @Sendable () -> Void) {
        let refusal = EventLoop.shared.scheduleAnyway(afterMilliseconds: 500, on: .path(path), body)
        if let refusal {
            reportLasting(.reading(path, refusal), in: .waking)
        } else if FailureLog.isAnyLasting {
            failures.forgetLasting(in: .waking)
        }
    }

    private func report(_ contents: ManagedFile.Contents?, of reading: ManagedDomain) {
        if let contents, contents.isDamaged { return reportDamage(contents) }
        // Usually there is no such file, and never was.
        guard contents != nil || FailureLog.isAnyLasting, let path = reading.path else { return }
        reportLasting(only: reading.whole?.document.duplicates(in: path) ?? [], in: .managedFile)
    }

    /// In a function of its own, because most files are valid, and a process's first error costs more than checking
    /// the file.
    @inline(never)
    private func reportDamage(_ contents: ManagedFile.Contents) {
        if let fault = contents.fault { reportLasting(only: [fault.ofAdministrator], in: .managedFile) }
    }
}

extension ManagedDomain {
    /// Has what was read before count in place of a file that cannot be read as a whole now; where none was, it is not
    /// known which keys are locked.
    ///
    /// A file that is not the administrator's locks nothing.
    fileprivate mutating func turn(to known: ManagedDomain, because error: DefaultsError?) {
        if known.isWhole, known.whole != nil {
            (whole, isWhole) = (known.whole, true)
        } else if error?.code != .insecureDirectory {
            unread = error
        }
    }
}

extension DefaultsError {
    /// The same error, with what is done about it where a file of the administrator's is at fault.
    fileprivate var ofAdministrator: DefaultsError {
        switch code {
        case .malformedFile, .ioFailure, .valueTooLarge:
            advising(
                "Have the administrator's file corrected; what was read of it before goes on to count, "
                    + "and if nothing was, no key can be set.")
        case .insecureDirectory:
            advising(
                "It locks nothing until it and its folder belong to root or to you, nobody else can write them "
                    + "(chmod go-w), and no link but one to /dev/null is in its place.")
        default: self
        }
    }
}
