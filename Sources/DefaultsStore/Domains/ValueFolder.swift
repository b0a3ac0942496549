/// A folder in which each file is a value: its name is the key, and what is in it is the text.
package struct ValueFolder: Hashable, Sendable {
    /// The folder's path as it was given.
    package let path: String
    /// Whether the values are secrets; then an empty file is no value.
    private let isSecret: Bool
    private let folder: Result<TrustedFolder, DefaultsError>

    package static let most = 1_024
    /// The most bytes that one file may have.
    package static let limit = 16 << 20

    /// What there was to read.
    package struct Contents: Sendable {
        /// Nil if the folder could not be read.
        package var texts: [KeyName: FileText]?
        package var failures: [DefaultsError] = []
        /// The folders through which links lead.
        package var passed: Set<String> = []
        /// Whether a file is empty that has just been written.
        fileprivate var isBeingWritten = false

        package init() {}
    }

    /// Names a folder, without touching it.
    ///
    /// - Parameter allowsOthers: whether others may own or write the folder and its files.
    package init(_ path: String, isSecret: Bool, allowsOthers: Bool = false) {
        self.path = path
        self.isSecret = isSecret
        folder = Result { () throws(DefaultsError) in
            // It would be the working folder.
            guard !path.isEmpty, !path.utf8.contains(0) else {
                throw DefaultsError(
                    .sourceFailed, path: path, underlyingDescription: "the path names no folder")
            }
            return TrustedFolder(path: try GivenPath.absolute(path), allowsOthers: allowsOthers)
        }
    }

    /// Nil where there is nothing to watch, which every read reports.
    package var absolutePath: String? {
        switch folder {
        case .success(let folder): folder.path
        case .failure: nil
        }
    }

    /// The folder of the credentials that systemd has given the service; nil if there are none.
    package static func credentials() -> ValueFolder? {
        do {
            let variable = try SystemCalls.text(inEnvironment: "CREDENTIALS_DIRECTORY")
            guard let path = variable, !path.isEmpty else { return nil }
            guard SystemCalls.isAbsolute(path) else {
                return ValueFolder(
                    DefaultsError(
                        .sourceFailed, path: path,
                        underlyingDescription: "CREDENTIALS_DIRECTORY is no absolute path"))
            }
            return ValueFolder(path, isSecret: true)
        } catch {
            let failure = DefaultsError(
                .sourceFailed, systemError: error,
                underlyingDescription: "CREDENTIALS_DIRECTORY is not UTF-8")
            return ValueFolder(failure)
        }
    }

    private init(_ failure: DefaultsError) { (path, isSecret, folder) = ("", true, .failure(failure)) }

    /// Reads all files as they were at one moment; where one cannot be read, its last text still applies.
    package func read(after last: Contents) -> Contents {
        let deadline = Deadline.after(milliseconds: 50)
        while true {
            let contents = readOnce(after: last)
            // A file that is saved in place is empty for a moment.
            if !contents.isBeingWritten || deadline.hasPassed { return contents }
            SystemCalls.pause(nanoseconds: 5_000_000)
        }
    }

    private func readOnce(after last: Contents) -> Contents {
        let (read, doubt) = PathStats.still(of: path) { stats in
            var contents = Contents()
            do throws(DefaultsError) {
                let folder = try folder.get()
                stats.record(folder.path)
                guard let names = try folder.names() else {
                    throw DefaultsError(
                        .sourceFailed, path: path, underlyingDescription: "there is no such folder")
                }
                let visible = names.filter { !$0.hasPrefix(".") }
                guard visible.count <= ValueFolder.most else {
                    throw DefaultsError(
                        .valueTooLarge, path: path,
                        underlyingDescription: "there are more than \(ValueFolder.most) files")
                }
                contents.texts = [:]
                for name in visible { take(name, in: folder, &stats, &contents, last) }
            } catch {
                contents.failures.append(error)
            }
            return contents
        }
        guard let doubt else { return read }
        // A mixture of several moments is nobody's.
        var contents = Contents()
        contents.failures = [doubt]
        contents.passed = read.passed
        return contents
    }

    private func take(
        _ name: String, in folder: TrustedFolder, _ stats: inout PathStats, _ contents: inout Contents,
        _ last: Contents
    ) {
        let path = SuiteLocation.path(of: name, inFolder: folder.path)
        let key = KeyName(name)
        stats.record(path)
        do throws(DefaultsError) {
            let entry = try folder.read(name, limit: ValueFolder.limit, passed: &contents.passed)
            guard case .file(let bytes, let status) = entry else { return }
            if bytes.isEmpty, status.isFresh { contents.isBeingWritten = true }
            guard let text = String(validating: ValueText.bytes(of: bytes), as: UTF8.self) else {
                throw DefaultsError(.sourceFailed, path: path, underlyingDescription: "it is not UTF-8")
            }
            if isSecret, text.isEmpty { return }
            contents.texts?[key] = FileText(text: BareText(text: text), path: path)
        } catch {
            contents.failures.append(error)
            // A file that others can write is as none.
            if error.code != .insecureDirectory { contents.texts?[key] = last.texts?[key] }
        }
    }
}

/// The text of a value that is alone in its file or entry.
package enum ValueText {
    /// Returns the bytes without what editors and `echo` put around a value: a byte-order mark in front, and one line end
    /// behind.
    package static func bytes(of whole: [UInt8]) -> ArraySlice<UInt8> {
        let text = whole.dropFirst(JSONScanner.hasByteOrderMark(whole[...]) ? 3 : 0)
        guard text.last == UInt8(ascii: "\n") else { return text }
        let line = text.dropLast()
        return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }
}

/// The text of a file that is a value, which has no type until a key gives it one.
package struct FileText: Hashable, Sendable {
    let text: BareText
    package let path: String

    /// What it means to an undeclared key: JSON if it is valid JSON, otherwise itself.
    package var untyped: DefaultsValue { text.untyped.value }
}
