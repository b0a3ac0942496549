/// Inspects the files of a suite without changing or creating any.
///
/// It holds the writer's lock meanwhile, if it can be had: otherwise a writer's work would look like what a dead
/// writer has left.
struct SuiteInspection {
    let location: SuiteLocation
    private(set) var findings: [DefaultsFinding] = []

    /// How long it waits for the lock, in milliseconds.
    private static let patience: UInt64 = 1_000

    init(_ location: SuiteLocation) { self.location = location }

    /// Inspects everything there is.
    static func findings(at location: SuiteLocation) -> [DefaultsFinding] {
        do throws(DefaultsError) {
            var inspection = SuiteInspection(try SuiteDirectory.resolve(location))
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
        lookAtFolder(
            try DefaultsError.reading(location.folder) { () throws(SystemError) in
                try SystemCalls.status(of: folder)
            })
        do throws(DefaultsError) {
            guard let lock = try openLock(folder) else { return lookAtFiles(folder, isAlone: true) }
            let isAlone = waitForLock(lock)
            try lookAtLock(lock)
            lookAtFiles(folder, isAlone: isAlone)
        } catch {
            add(error)
            // A lock file that cannot be used hides none of the others.
            lookAtFiles(folder, isAlone: nil, isNewer: error.code == .newerFormat)
        }
    }

    /// Looks at the files one by one, so that one that cannot be used hides none of the others.
    ///
    /// - Parameters:
    ///   - isAlone: whether nobody else is writing; nil if that cannot be known.
    ///   - isNewer: whether the journal is one of a newer format.
    private mutating func lookAtFiles(_ folder: borrowing Descriptor, isAlone: Bool?, isNewer: Bool = false) {
        do throws(DefaultsError) { try lookAtSettings(folder) } catch { add(error) }
        if !isNewer {
            do throws(DefaultsError) { try lookAtJournal(folder) } catch { add(error) }
        }
        switch isAlone {
        case true?: do throws(DefaultsError) { try lookAtLeftovers(folder) } catch { add(error) }
        case false?:
            add(
                .note, "busy", location.lockPath, "another process is writing",
                remedy: "What a dead writer may have left was not looked for; check again.")
        case nil: break
        }
        do throws(DefaultsError) { try lookAtDamagedCopies() } catch { add(error) }
    }

    private func waitForLock(_ lock: borrowing Descriptor) -> Bool {
        let deadline = Deadline.after(milliseconds: SuiteInspection.patience)
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
    /// Adds a finding.
    mutating func add(
        _ weight: DefaultsFinding.Weight, _ kind: String, _ path: String, _ reason: String,
        remedy: String? = nil, repair: DefaultsFinding.Repair? = nil
    ) {
        add(
            DefaultsFinding(
                weight: weight, kind: kind, path: path, reason: reason, remedy: remedy, repair: repair))
    }

    /// Adds an error as a finding.
    mutating func add(_ error: DefaultsError) { add(DefaultsFinding(error, at: location.path)) }

    /// Adds a finding.
    mutating func add(_ finding: DefaultsFinding) { findings.append(finding) }
}
