import Synchronization

/// The administrator's file: read at the suite's first use and whenever it changes.
extension SuiteCore {
    /// Reads the file unless that was done; one that cannot be used is reported.
    func readManagedFileOnce() {
        guard !managed.isKnown.load(ordering: .acquiring) else { return }
        readManagedFileForCaller()
    }

    /// Looks whether the file is the one that was read, as long as no notice tells; begins to listen where the store
    /// does.
    func lookAtManagedFile(_ store: SuiteStore) {
        if store.isWatched {
            watchManagedFile()
        } else if managed.isAsRead {
            return
        }
        readManagedFileForCaller()
    }

    /// Has changes from outside told by the kernel from now on, as an observer does.
    package func startWatching() throws(DefaultsError) { startWatching(try store()) }

    func startWatching(_ store: SuiteStore) {
        store.startWatching()
        if !managed.isWatched.load(ordering: .acquiring) { lookAtManagedFile(store) }
    }

    /// Has changes of the administrator's file told by the kernel where somebody has asked for failures, who hears of
    /// its damage when it happens.
    func watchForFailures() {
        guard failures.isHeard, openStore != nil else { return }
        if managed.isWatched.load(ordering: .acquiring) { return }
        watchManagedFile()
        readManagedFileForCaller()
    }

    /// Takes another file for the administrator's, and reads it at once.
    func useManagedFile(_ file: ManagedFile?) {
        managed.choose(file)
        if openStore?.isWatched == true || failures.isHeard { watchManagedFile() }
        let pending = readManagedFile()
        guard let store = openStore else { return }
        store.tell { pending.forEach { $0.deliver() } }
    }

    private func watchManagedFile() {
        managed.watch { [weak self] in self?.noticedManagedFile() }
    }

    /// Reads the file on a thread that only wanted to read or write.
    private func readManagedFileForCaller() {
        let pending = readManagedFile()
        if !pending.isEmpty { Courier.shared.deliver(pending) }
    }

    /// Reads the file; what was read before stays where it cannot be used now.
    private func readManagedFile() -> [Subscription] {
        let (number, file, isMissing) = managed.beginReading()
        var reading = ManagedDomain(path: file?.path, reading: number)
        var isFinal = true
        defer { if isFinal { managed.isKnown.store(true, ordering: .releasing) } }
        do {
            // One that comes now is found by a later reading: it looks otherwise than what was seen, or a notice tells.
            let contents = isMissing ? nil : try file?.read()
            reading.document = contents?.document ?? .empty
            report(contents, of: reading)
            // A file that was whole before says more than what can be read of it now.
            let last = domains.load().contents.managed
            if contents?.isDamaged == true, last.path == reading.path, last.isWhole { return [] }
            reading.isWhole = contents?.isDamaged != true
        } catch {
            managed.noteRefusal()
            reportStanding(error)
            if error.mayPass {
                isFinal = false
                lookAgainAtManagedFile(error.path)
            }
            guard domains.load().contents.managed.path != reading.path else { return [] }
        }
        return replaceDomains(.fileEdited) { $0.setting(reading) }
    }

    /// Has the file read again soon: no notice need come of what makes it readable.
    private func lookAgainAtManagedFile(_ path: String?) {
        do {
            try Housekeeper.shared.schedule(afterMilliseconds: 500) { [weak self] in
                self?.noticedManagedFile()
            }
        } catch {
            report(.reading(path ?? "", error))
        }
    }

    private func report(_ contents: ManagedFile.Contents?, of reading: ManagedDomain) {
        if let contents, contents.isDamaged { return reportDamage(contents) }
        // Mostly there is no such file, and never was.
        guard contents != nil || FailureLog.isAnyStanding, let path = reading.path else { return }
        // The folder's trouble is the file's too.
        failures.forgetStanding { $0.path.map { $0 == path || path.hasPrefix($0 + "/") } ?? false }
        for (key, line, column) in reading.document.duplicateKeys(atMost: FailureLog.mostOfOneFile) {
            reportStanding(
                DefaultsError(
                    .duplicateKey, key: key.string, path: reading.path, line: line, column: column))
        }
    }

    /// Apart, because most files are whole, and the first error of a process costs it more than to look for the file.
    @inline(never)
    private func reportDamage(_ contents: ManagedFile.Contents) {
        if let fault = contents.fault { reportStanding(fault) }
    }

    /// Has the file read again; called on the housekeeping thread, which runs nobody's code.
    private func noticedManagedFile() {
        guard managed.notice() else { return }
        Courier.shared.run { [weak self] in
            guard let self else { return }
            managed.beginLook()
            readManagedFileForCaller()
        }
    }
}

extension DefaultsError {
    /// Whether the same may succeed soon without a change of the file: the system was short of something, or failed.
    fileprivate var mayPass: Bool { code == .io && systemError?.isForbidden != true }
}
