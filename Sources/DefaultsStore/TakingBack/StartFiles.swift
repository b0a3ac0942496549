/// F28: what is kept of a program's starts, next to the versions of its settings file: `good.json`, a settings file with the
/// values of the last healthy start, and `start.json`, the starts that have failed since.
///
/// Each is put in place as a whole, and durable before the call that writes it returns.
struct StartFiles {
    private let folder: VersionFolder

    init(of settings: SuiteLocation) { folder = VersionFolder(of: settings) }

    private static let good = "good.json"
    private static let failed = "start.json"

    /// Reads the values of the last healthy start; nil if there was none.
    ///
    /// - Throws: `.malformedFile`; `.insecureDirectory` for a link, or a file of another user's; `.valueTooLarge`,
    ///   `.ioFailure`. The same holds for ``failedStarts()``.
    func good() throws(DefaultsError) -> DropIns.File? { try document(StartFiles.good) }

    func failedStarts() throws(DefaultsError) -> FailedStarts {
        guard let file = try document(StartFiles.failed) else { return FailedStarts() }
        guard let starts = FailedStarts(file.document) else {
            throw DefaultsError(
                .malformedFile, path: file.path, underlyingDescription: "it has no count of starts")
        }
        return starts
    }

    /// Keeps a settings file's text as the good one, unless it is that already.
    ///
    /// - Throws: `.insecureDirectory`, `.readOnly`, `.diskFull`, `.ioFailure`; what was kept still is then.
    func setGood(_ text: [UInt8]) throws(DefaultsError) {
        let present: [UInt8]?
        do { present = try folder.bytes(named: StartFiles.good) } catch {
            // What cannot be used is replaced. Where it is the folder that cannot, the write says so.
            present = nil
        }
        if present == text { return }
        try folder.put(text, named: StartFiles.good)
        try folder.synchronizeNames()
    }

    func setFailedStarts(_ starts: FailedStarts) throws(DefaultsError) {
        // A count that power loss brings back counts only where the same values are there.
        if starts.count == 0 { return try folder.remove(named: StartFiles.failed) }
        try folder.put(JSONWriter.text(of: starts.value), named: StartFiles.failed)
        try folder.synchronizeNames()
    }

    private func document(_ name: String) throws(DefaultsError) -> DropIns.File? {
        guard let bytes = try folder.bytes(named: name) else { return nil }
        let (document, fault) = SettingsDocument.read(file: bytes)
        let path = folder.path(named: name)
        guard let fault else { return DropIns.File(path: path, document: document) }
        throw DefaultsError(
            .malformedFile, path: path, line: fault.line, column: fault.column,
            underlyingDescription: fault.reason)
    }
}
