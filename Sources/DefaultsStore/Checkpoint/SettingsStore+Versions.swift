/// Keeping versions of the settings file.
extension SettingsStore {
    /// Keeps a new settings file as a version if the file asks for that: once it is in place, and no lock is held.
    ///
    /// - Parameters:
    ///   - identity: the new file's.
    ///   - base: the state whose settings file was replaced.
    ///   - quarantined: the name that this file is kept under, if it could not be read.
    func keepVersions(
        of document: SettingsDocument, _ identity: FileStatus.Identity, over base: StoreSnapshot,
        quarantined: String? = nil
    ) {
        // A failure costs nothing but a version.
        do throws(DefaultsError) {
            _ = try keepVersions(asIn: document, identity, base) { (files) throws(DefaultsError) in
                let new = VersionFolder.File(document.bytes, at: identity.modified)
                // Nobody may have kept it, if a person has saved it.
                let old = try VersionFolder.File(of: base, files, quarantined: quarantined)
                return [old, new].compactMap(\.self)
            }
        } catch {
            reportLasting(error, in: .versions)
        }
    }

    /// Keeps the present settings file as a version, unless it is one: a person may have saved it.
    ///
    /// - Returns: whether versions are kept.
    func keepPresentVersion() throws(DefaultsError) -> Bool { try keepVersion(of: try state()) }

    /// Keeps the present settings file as a version for whoever has asked for a checkpoint: another thread or process may
    /// have made it, and be about to keep it.
    func keepVersionOfCheckpoint() {
        do throws(DefaultsError) { _ = try keepVersion(of: latest) } catch {
            reportLasting(error, in: .versions)
        }
    }

    private func keepVersion(of base: StoreSnapshot) throws(DefaultsError) -> Bool {
        guard !base.isDamaged, let identity = base.identity else { return false }
        return try keepVersions(asIn: base.values.document, identity, base) { (files) throws(DefaultsError) in
            try VersionFolder.File(of: base, files, quarantined: nil).map { [$0] } ?? []
        }
    }

    private func keepVersions(
        asIn document: SettingsDocument, _ identity: FileStatus.Identity, _ base: StoreSnapshot,
        _ versions: (SuiteFiles) throws(DefaultsError) -> [VersionFolder.File]
    ) throws(DefaultsError) -> Bool {
        guard let text = document.value(forKey: .history)?.value else { return false }
        guard let limit = DefaultsHistoryLimit(text), let files = base.files else { return false }
        try VersionFolder(of: files.location).keep(try versions(files), within: limit) {
            () throws(DefaultsError) in
            try SettingsFile.status(files)?.identity == identity
        }
        recordSuccess(of: .versions)
        return true
    }
}

extension VersionFolder.File {
    init(_ bytes: [UInt8], at nanoseconds: Int64) {
        // A person may have given the file any time; what comes behind one of the future would have it too.
        let time = min(nanoseconds, SystemCalls.wallNanoseconds)
        self.init(bytes: bytes, moment: VersionMoment(nanoseconds: time))
    }

    /// The settings file of a state; nil if there was none.
    fileprivate init?(of state: StoreSnapshot, _ files: SuiteFiles, quarantined: String?)
        throws(DefaultsError)
    {
        guard let identity = state.identity else { return nil }
        guard let quarantined else {
            self.init(state.values.document.bytes, at: identity.modified)
            return
        }
        let path = files.location.path(of: quarantined)
        guard let opened = try RegularFile.open(quarantined, in: files.folder, path) else { return nil }
        self.init(try RegularFile.readWhole(opened.file, opened.status, path).bytes, at: identity.modified)
    }
}
