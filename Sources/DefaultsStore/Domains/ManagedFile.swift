/// An administrator's file: read as a whole, and only if nobody but its owner can have written it; and the drop-ins
/// next to it.
struct ManagedFile: Hashable, Sendable {
    private let folder: String
    private let name: String

    var path: String { SuiteLocation.path(of: name, inFolder: folder) }

    /// `managed.d/*.json` next to `managed.json`.
    var parts: DropIns {
        let base = name.hasSuffix(".json") ? String(name.dropLast(5)) : name
        return DropIns(folders: [folder], name: base, hasWhole: false)
    }

    /// What can be told about the file without reading it.
    ///
    /// The folder's status is part of that, because others may have been given the right to write there.
    ///
    /// A class, because a program's first copy of so many optionals takes as long as a third of opening a suite.
    final class Status: Sendable, Equatable {
        /// Nil if there is none.
        fileprivate let file, folder: FileStatus?
        /// Nil if there is no folder of drop-ins.
        fileprivate let parts: FileStatus?

        fileprivate init(file: FileStatus?, folder: FileStatus?, parts: FileStatus?) {
            (self.file, self.folder, self.parts) = (file, folder, parts)
        }

        static func == (one: Status, other: Status) -> Bool {
            one.file == other.file && one.folder == other.folder && one.parts == other.parts
        }

        /// Whether there is a folder of drop-ins, in which files may change without a change of this status.
        var hasParts: Bool { parts != nil }

        var isWithoutFolder: Bool { folder == nil }

        var isWithoutFile: Bool { file == nil }

        /// Whether the file may change again without a change in its status.
        ///
        /// - Parameter time: a time on the clock of files, taken before the file was read.
        func isRecent(at time: Int64) -> Bool {
            file?.identity.isRecent(from: time, to: time, isExact: false) ?? false
        }
    }

    /// Checks the file's status.
    ///
    /// - Returns: nil if nothing can be told, about which a read says more.
    func status() -> Status? {
        do {
            // The usual case: without the folder there is no file in it.
            guard let folder = try SystemCalls.statusBehindLinks(orMissing: folder) else {
                return Status(file: nil, folder: nil, parts: nil)
            }
            let file = try SystemCalls.statusBehindLinks(orMissing: path)
            var parts: FileStatus?
            for path in self.parts.partFolders {
                parts = try SystemCalls.statusBehindLinks(orMissing: path)
            }
            return Status(file: file, folder: folder, parts: parts)
        } catch {
            return nil
        }
    }

    /// Creates the file of a suite with a folder of that name: in a fixed location, because a file named by a
    /// variable would not be under an administrator's control.
    init(ofFolder folder: String) {
        self.folder = "/etc/xdg/" + folder
        name = "managed.json"
    }

    /// Nil if the path names no file.
    init?(path: String) {
        guard !path.utf8.contains(0),
            let location = SuiteLocation(path: path, allowsInsecureDirectory: false)
        else { return nil }
        folder = location.folder
        name = location.settings
    }

    /// What the file says, and what is wrong with its text.
    final class Contents: Sendable {
        let document: SettingsDocument
        let fault: DefaultsError?
        let isDamaged: Bool

        init(document: SettingsDocument, fault: DefaultsError?) {
            (self.document, self.fault, isDamaged) = (document, fault, fault != nil)
        }
    }

    /// Reads the file; one that does not parse, or is empty, is given a moment to become valid: it may be half written.
    ///
    /// - Returns: nil if there is no file, or a link to `/dev/null` in its place, by which an administrator says so.
    /// - Throws: `.insecureDirectory` if the file or its folder belongs to a user other than root and this one, or
    ///   can be written by others than the owner; `.valueTooLarge`, `.ioFailure`.
    func read() throws(DefaultsError) -> Contents? {
        let deadline = Deadline.after(milliseconds: 50)
        while true {
            guard let bytes = try bytes() else { return nil }
            let (document, fault) = SettingsDocument.read(file: bytes)
            if document.isObject || deadline.hasPassed {
                let error = fault.map {
                    DefaultsError(
                        .malformedFile, path: path, line: $0.line, column: $0.column,
                        underlyingDescription: $0.reason)
                }
                return Contents(document: document, fault: error)
            }
            SystemCalls.pause(nanoseconds: 5_000_000)
        }
    }

    private func bytes() throws(DefaultsError) -> [UInt8]? {
        guard let folder = try SafePath.open(folder, allowsOthers: false) else { return nil }
        // First, because in a folder that others can write whatever is wrong with the file may be their doing.
        let status = try DefaultsError.reading(self.folder, SystemCalls.status(of: folder))
        try TrustedFolder.check(status, self.folder)
        let opened: RegularFile.Opened
        do throws(DefaultsError) {
            guard let found = try RegularFile.open(name, in: folder, path) else { return nil }
            opened = found
        } catch {
            guard error.code == .insecureDirectory,
                try SafePath.linkTarget(name, in: folder, path) == "/dev/null"
            else { throw error }
            return nil
        }
        let read = try RegularFile.readWhole(opened.file, opened.status, path) {
            (status) throws(DefaultsError) in try TrustedFolder.check(status, path)
        }
        // Whoever could write it in the meantime may have done so.
        try TrustedFolder.check(read.status, path)
        return read.bytes
    }
}
