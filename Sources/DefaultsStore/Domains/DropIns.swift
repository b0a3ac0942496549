/// Settings files that come in several folders and in parts, in the order of the configuration files specification
/// (UAPI.6): `defaults.json`, and what is in `defaults.d`.
///
/// Of the whole file the highest folder's applies. Of the parts, those of one name replace one another in the same way;
/// a later name goes before an earlier one, whatever folder it is in, and all go before the whole file. An empty file
/// or a link to `/dev/null` replaces too, and says nothing.
struct DropIns: Hashable, Sendable {
    /// The highest first.
    let folders: [String]
    /// `defaults` for `defaults.json` and `defaults.d`.
    let name: String
    /// Otherwise only the parts apply.
    var hasWhole = true

    /// The most files that apply, and the most bytes of all of them.
    static let most = (files: 1_024, bytes: SettingsFile.limit)

    /// One file that applies.
    struct File: Sendable {
        let path: String
        let document: SettingsDocument

        /// Whether both are the same text at the same place.
        func isSame(as other: File) -> Bool {
            path == other.path && document.bytes == other.document.bytes
        }
    }

    /// What there was to read.
    struct Contents: Sendable {
        /// The effective files, the highest first.
        var files: [File] = []
        var failures: [DefaultsError] = []
        /// The folders through which links lead.
        var passed: Set<String> = []
        /// Whether a file has just been written and may not be whole yet.
        var isBeingWritten = false
        /// Why a file, or a folder of them, could not be read that never was before; nil if there is no such one.
        var unread: DefaultsError?
        /// What each folder with parts had that counted, by the folder's path.
        fileprivate var parts: [String: [Part]] = [:]
    }

    /// A part's name that is taken, and what is in it: nil if that is nothing, so that it only replaces others.
    fileprivate struct Part: Sendable {
        let name: String
        let file: File?
    }

    /// The highest first.
    var partFolders: [String] { folders.map(partFolder) }

    private func partFolder(in folder: String) -> String {
        SuiteLocation.path(of: name + ".d", inFolder: folder)
    }

    /// Reads all files as they were at one moment.
    ///
    /// A file that cannot be read as JSON, or not at all, is a failure; what it said the last time goes on to count, and
    /// the others count in any case. Neither is a folder that cannot be read taken for an empty one. One that others can
    /// write is treated as if it were not there.
    func read(after last: Contents) -> Contents {
        let deadline = Deadline.after(milliseconds: 50)
        while true {
            let (contents, doubt) = PathStats.still(of: folders.first ?? "") { stats in
                var reading = Reading(last: last, stats: stats)
                defer { stats = reading.stats }
                return reading.contents(of: self)
            }
            if let doubt { return last.going(on: doubt, passed: contents.passed) }
            // One that was saved in place is empty for a moment.
            if !contents.isBeingWritten || deadline.hasPassed { return contents }
            SystemCalls.pause(nanoseconds: 5_000_000)
        }
    }

    /// One pass over all folders.
    private struct Reading {
        let last: Contents
        var stats: PathStats
        private var contents = Contents()
        private var bytesLeft = DropIns.most.bytes

        init(last: Contents, stats: PathStats) { (self.last, self.stats) = (last, stats) }

        mutating func contents(of all: DropIns) -> Contents {
            let whole = all.hasWhole ? whole(of: all) : nil
            let parts = parts(of: all)
            contents.files = (whole.map { [$0] } ?? []) + parts
            contents.files.reverse()
            return contents
        }

        private mutating func whole(of all: DropIns) -> File? {
            for folder in all.folders {
                let found = file(all.name + ".json", in: TrustedFolder(path: folder))
                if case .found(let file) = found { return file }
            }
            return nil
        }

        /// The effective parts, the lowest first.
        private mutating func parts(of all: DropIns) -> [File] {
            var found: [Part] = []
            var taken: Set<KeyName> = []
            for outer in all.folders {
                let path = all.partFolder(in: outer)
                let folder = TrustedFolder(path: path)
                guard let names = names(in: folder, inside: outer) else {
                    let known = (last.parts[path] ?? []).filter { taken.insert(KeyName($0.name)).inserted }
                    found += known
                    contents.parts[path] = known
                    continue
                }
                for name in names where !taken.contains(KeyName(name)) {
                    guard found.count < DropIns.most.files else {
                        contents.parts = last.parts
                        contents.failures.append(
                            DefaultsError(
                                .valueTooLarge, path: path,
                                underlyingDescription: "there are more than \(DropIns.most.files) files"))
                        return last.files.filter { all.isPart($0.path) }.reversed()
                    }
                    guard case .found(let file) = file(name, in: folder) else { continue }
                    taken.insert(KeyName(name))
                    found.append(Part(name: name, file: file))
                    contents.parts[path, default: []].append(Part(name: name, file: file))
                }
            }
            return found.sorted(byName: { KeyName($0.name) }).compactMap(\.file)
        }

        /// Nil if they cannot be listed now.
        private mutating func names(in folder: TrustedFolder, inside outer: String) -> [String]? {
            stats.record(folder.path)
            do throws(DefaultsError) {
                guard try TrustedFolder(path: outer).exists(), let names = try folder.names() else {
                    return []
                }
                return names.filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }
            } catch {
                contents.failures.append(error)
                // What is not the administrator's says nothing, whatever it said before.
                if error.code == .insecureDirectory { return [] }
                if last.parts[folder.path] == nil { contents.unread = error }
                return nil
            }
        }

        private enum Found {
            /// There is none, or none that applies: the next folder's does.
            case nothing
            /// The name is taken; nil if there is nothing in it.
            case found(File?)
        }

        private mutating func file(_ name: String, in folder: TrustedFolder) -> Found {
            let path = SuiteLocation.path(of: name, inFolder: folder.path)
            stats.record(path)
            do throws(DefaultsError) {
                let entry = try folder.read(name, limit: bytesLeft, passed: &contents.passed)
                switch entry {
                case nil: return .nothing
                case .mask: return .found(nil)
                case .folder:
                    throw DefaultsError(
                        .insecureDirectory, path: path, underlyingDescription: "it is not a regular file")
                case .file(let bytes, let status):
                    bytesLeft -= bytes.count
                    return .found(try file(bytes, status, path))
                }
            } catch {
                contents.failures.append(error)
                // A file that is not the administrator's must not replace one that is.
                if error.code == .insecureDirectory { return .nothing }
                let known = lastFile(path)
                if known == nil { contents.unread = error }
                return .found(known)
            }
        }

        private mutating func file(
            _ bytes: [UInt8], _ status: FileStatus, _ path: String
        ) throws(DefaultsError) -> File? {
            let (document, fault) = SettingsDocument.read(file: bytes)
            if document.isObject {
                contents.failures += document.duplicates(in: path)
                return File(path: path, document: document)
            }
            if status.isFresh { contents.isBeingWritten = true }
            guard let fault else { return nil }
            throw DefaultsError(
                .malformedFile, path: path, line: fault.line, column: fault.column,
                underlyingDescription: fault.reason)
        }

        private func lastFile(_ path: String) -> File? { last.files.first { $0.path == path } }
    }

    private func isPart(_ path: String) -> Bool {
        partFolders.contains { path.hasPrefix($0 + "/") }
    }
}

extension DropIns.Contents {
    /// Returns what goes on to count where the files could not be read as they were at one moment.
    fileprivate func going(on doubt: DefaultsError, passed: Set<String>) -> DropIns.Contents {
        var contents = self
        contents.failures = [doubt]
        contents.passed.formUnion(passed)
        if parts.isEmpty { contents.unread = doubt }
        return contents
    }

    func saysTheSame(as other: DropIns.Contents) -> Bool {
        files.count == other.files.count && zip(files, other.files).allSatisfy { $0.isSame(as: $1) }
    }
}
