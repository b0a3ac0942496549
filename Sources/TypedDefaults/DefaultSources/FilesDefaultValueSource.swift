import DefaultsStore

/// Default values in the files of a folder, one for each key: the file's name is the key, and what is in it the value.
///
/// So a mounted Kubernetes ConfigMap or Secret is read, and systemd's credentials. The type of a declared key says what
/// a text means, as with arguments and the environment; for other keys it is JSON if it is valid JSON, otherwise a word.
/// A byte-order mark and one line end at the end do not count, and neither do hidden files and folders.
///
/// ```swift
/// let suite = DefaultsSuite.standard
/// let credentials = suite.follow(FilesDefaultValueSource.credentials())
/// let mounted = suite.follow(FilesDefaultValueSource(folder: "/etc/player/config"))
/// ```
///
/// All files are of one moment: if a link that they are behind is turned, as Kubernetes does it, that is one change; while
/// it turns faster than they can be read, what was known goes on to count, and that is a reported failure. A
/// file that cannot be used (it is not UTF-8, has more than 16 MiB, or is a pipe) is a reported failure that names it;
/// what it said before goes on to count, and so do the others. A file counts only if it, its folder and those that links
/// lead through belong to root or to this user and nobody else can write them; a folder on a file system that is
/// mounted read-only may look as if everybody could. Folders that another container of a pod fills, such as an `emptyDir` or
/// Vault's, need `allowsInsecureDirectory`. At most 1,024 files are taken.
public struct FilesDefaultValueSource: ReportingDefaultValueSource {
    /// Identifies the source within a suite: the folder's path, or the name given.
    public let name: String
    private let folder: ValueFolder?
    private let isSecret: Bool

    /// Creates a source of a folder, which can be followed.
    ///
    /// - Parameters:
    ///   - folder: the folder's path; one that does not exist is a failure until it does, and an empty path always.
    ///   - name: identifies the source; nil for the path.
    ///   - isSecret: whether all values are secrets: kept out of failures, explanations and printed changes, as those of
    ///     keys that are declared so. An empty file then is no value.
    ///   - allowsInsecureDirectory: whether the folder, those on its path and the files may be others', or such that others
    ///     can write them, who then decide what the values are. Others' links are not followed all the same.
    public init(
        folder: String, name: String? = nil, isSecret: Bool = false, allowsInsecureDirectory: Bool = false
    ) {
        let files = ValueFolder(folder, isSecret: isSecret, allowsOthers: allowsInsecureDirectory)
        self.init(files, name: name ?? folder, isSecret: isSecret)
    }

    private init(_ folder: ValueFolder?, name: String, isSecret: Bool) {
        (self.folder, self.name, self.isSecret) = (folder, name, isSecret)
    }

    /// Creates a source of the credentials that systemd has given the service (`LoadCredential=`), all of them secret.
    ///
    /// They are in the folder that `$CREDENTIALS_DIRECTORY` names now. Where there is no such variable, or it is empty, as
    /// when the program is started from a shell, there are none.
    public static func credentials() -> FilesDefaultValueSource {
        FilesDefaultValueSource(ValueFolder.credentials(), name: "credentials", isSecret: true)
    }

    /// Returns what is in the folder now and after every change of it.
    public func reports() -> AsyncStream<DefaultValueReport> {
        guard let folder else {
            return AsyncStream { [isSecret] continuation in
                var none = DefaultValueLayer([:])
                none.isSecret = isSecret
                continuation.yield(DefaultValueReport(layer: none))
            }
        }
        return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { [isSecret] continuation in
            let task = Task.detached {
                var look = FolderFollowing(folder, isSecret: isSecret)
                await look.run { continuation.yield($0) }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

/// Reads a folder of values again and again, whenever something in it may have changed.
private struct FolderFollowing {
    private let folder: ValueFolder
    private let isSecret: Bool
    private var last = ValueFolder.Contents()
    private var told: DefaultValueReport?
    private var watches: [String: PathWatch] = [:]
    /// What rings when nobody else need do so.
    private var again: Task<Void, Never>?
    private let bells: AsyncStream<Void>
    private let bell: AsyncStream<Void>.Continuation

    init(_ folder: ValueFolder, isSecret: Bool) {
        (self.folder, self.isSecret) = (folder, isSecret)
        (bells, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        bell.yield()
    }

    mutating func run(_ tell: (DefaultValueReport) -> Void) async {
        defer { again?.cancel() }
        for await _ in bells {
            let report = await read()
            guard !Task.isCancelled else { return }
            if report != told { tell(report) }
            told = report
        }
    }

    private mutating func read() async -> DefaultValueReport {
        // None if there is nothing to read either.
        let own = Set([folder.absolutePath].compactMap { $0 })
        await watch(own)
        var contents = await contents()
        // What a link leads to is watched as well, and read once more, because it may have changed before that.
        for _ in 0..<4 {
            guard await watch(contents.passed) else { break }
            contents = await self.contents()
        }
        watches = watches.filter { own.contains($0.key) || contents.passed.contains($0.key) }
        if contents.texts != nil { last = contents }
        again?.cancel()
        again = own.isEmpty || !contents.failures.contains(where: \.mayPass) ? nil : ringLater()
        return report(contents)
    }

    /// Rings soon: there need not be a notice of what makes a file readable.
    private func ringLater() -> Task<Void, Never> {
        Task.detached { [bell] in
            // Cancelled, nobody waits for it any more.
            do { try await Task.sleep(for: .milliseconds(500)) } catch { return }
            bell.yield()
        }
    }

    private func contents() async -> ValueFolder.Contents {
        await FileChanges.inBackground(at: folder.path) { [folder, last] in folder.read(after: last) }
    }

    private func report(_ contents: ValueFolder.Contents) -> DefaultValueReport {
        let layer = contents.texts.map { texts in
            var layer = DefaultValueLayer([:], place: folder.path)
            for (key, text) in texts { layer.set(text, forKey: key) }
            layer.isSecret = isSecret
            return layer
        }
        return DefaultValueReport(layer: layer, failures: contents.failures)
    }

    /// - Returns: whether one of the folders was not watched before.
    @discardableResult private mutating func watch(_ paths: Set<String>) async -> Bool {
        let missing = paths.filter { watches[$0] == nil }
        for path in missing {
            watches[path] = await FileChanges.inBackground(at: folder.path) { [bell] in
                PathWatch(folder: path) { bell.yield() }
            }
        }
        return !missing.isEmpty
    }
}
