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
        guard let folder = try SuiteDirectory.open(open, creating: false) else {
            add(.note, "missing", location.folder, "the folder is not there: nothing was ever written")
            return
        }
        lookAtFolder(
            try DefaultsError.reading(location.folder) { () throws(SystemError) in
                try SystemCalls.status(of: folder)
            })
        do throws(DefaultsError) {
            try lookAtFiles(folder, under: openLock(folder))
        } catch {
            add(error)
            // A lock file that cannot be used hides none of the others; whether a writer is at work is not known.
            do throws(DefaultsError) { try lookAtSettings(folder) } catch { add(error) }
            if error.code != .newerFormat {
                do throws(DefaultsError) { try lookAtJournal(folder) } catch { add(error) }
            }
            do throws(DefaultsError) { try lookAtDamagedCopies() } catch { add(error) }
        }
    }

    /// Looks at all files, if the lock file is in order or there is none.
    private mutating func lookAtFiles(
        _ folder: borrowing Descriptor, under lock: consuming Descriptor?
    ) throws(DefaultsError) {
        var isAlone = true
        // Held until the end.
        switch lock {
        case .some(let lock):
            isAlone = waitForLock(lock)
            try lookAtLock(lock)
        case .none: break
        }
        // One by one, so that a file that cannot be used hides none of the others.
        do throws(DefaultsError) { try lookAtSettings(folder) } catch { add(error) }
        do throws(DefaultsError) { try lookAtJournal(folder) } catch { add(error) }
        if isAlone {
            do throws(DefaultsError) { try lookAtLeftovers(folder) } catch { add(error) }
        } else {
            add(
                .note, "busy", location.lockPath, "another process is writing",
                remedy: "What a dead writer may have left was not looked for; check again.")
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
