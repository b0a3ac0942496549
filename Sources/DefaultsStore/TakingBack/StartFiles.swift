/// What is kept of a program's starts, next to the versions of its settings file: `good.json`, a settings file with the
/// values of the last healthy start, and `start.json`, the starts that have failed since.
struct StartFiles {
    private let settings: SuiteLocation

    init(of settings: SuiteLocation) { self.settings = settings }

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
        do { present = try bytes(StartFiles.good) } catch {
            // What cannot be used is replaced. Where it is the folder that cannot, the write says so.
            present = nil
        }
        if present != text { try put(text, named: StartFiles.good) }
    }

    func setFailedStarts(_ starts: FailedStarts) throws(DefaultsError) {
        if starts.count > 0 { return try put(JSONWriter.text(of: starts.value), named: StartFiles.failed) }
        let place = settings.version(StartFiles.failed)
        guard let folder = try SuiteDirectory.open(place, creating: false) else { return }
        try DefaultsError.writing(place.path, SystemCalls.remove(place.settings, in: folder))
    }

    private func document(_ name: String) throws(DefaultsError) -> DropIns.File? {
        guard let bytes = try bytes(name) else { return nil }
        let (document, fault) = SettingsDocument.read(file: bytes)
        let path = settings.version(name).path
        guard let fault else { return DropIns.File(path: path, document: document) }
        throw DefaultsError(
            .malformedFile, path: path, line: fault.line, column: fault.column,
            underlyingDescription: fault.reason)
    }

    /// Nil if there is no such file.
    private func bytes(_ name: String) throws(DefaultsError) -> [UInt8]? {
        let place = settings.version(name)
        guard let folder = try SuiteDirectory.open(place, creating: false),
            let opened = try RegularFile.open(name, in: folder, place.path)
        else { return nil }
        return try RegularFile.readWhole(opened.file, opened.status, place.path).bytes
    }

    private func put(_ text: [UInt8], named name: String) throws(DefaultsError) {
        let place = settings.version(name)
        let folder = try WholeFile.openFolder(of: place)
        WholeFile.removeLeftovers(of: name, in: folder)
        // Always its owner's alone: it may have what is a secret.
        _ = try WholeFile.put(text, like: FileAttributes(of: nil), at: place, in: folder)
    }
}

/// The starts in a row that began with other values than the last healthy one, and were never marked healthy.
struct FailedStarts {
    private(set) var count = 0
    /// The values that the last of them began with and the healthy one did not: of each a checksum, so that none is kept
    /// twice, and nil if it was removed.
    private var tried: [KeyName: UInt32?] = [:]

    init() {}

    /// Nil for a file that was not written as one.
    init?(_ document: SettingsDocument) {
        guard let count = document.value(forKey: FailedStarts.failed)?.value.int, count > 0,
            let tried = document.value(forKey: FailedStarts.changed)?.value.object
        else { return nil }
        self.count = count
        for (name, value) in tried {
            let checksum = value.int.map { UInt32(truncatingIfNeeded: $0) }
            // Not by the subscript, for which nil is no value but a removal.
            self.tried.updateValue(checksum, forKey: KeyName(name))
        }
    }

    private static let failed = KeyName("failed")
    private static let changed = KeyName("changed")

    private static func checksum(_ text: StoredValue) -> UInt32 { Checksum.crc32c(text.onOneLine.bytes) }

    /// Returns the same with one more, which began with these values.
    func adding(_ values: [KeyName: StoredValue?]) -> FailedStarts {
        var starts = FailedStarts()
        (starts.count, starts.tried) = (count + 1, values.mapValues { $0.map(FailedStarts.checksum) })
        return starts
    }

    func hasTried(_ stored: StoredValue?, of key: KeyName) -> Bool {
        tried[key].map { $0 == stored.map(FailedStarts.checksum) } ?? false
    }

    var value: DefaultsValue {
        let changed = tried.sorted(byName: \.key).map {
            key, checksum -> (name: KeyName, value: DefaultsValue) in
            (key, checksum.map { .number(DefaultsNumber(Int($0))) } ?? .null)
        }
        return .object(
            DefaultsObject([
                (name: FailedStarts.failed, value: .number(DefaultsNumber(count))),
                (name: FailedStarts.changed, value: .object(DefaultsObject(changed))),
            ]))
    }
}
