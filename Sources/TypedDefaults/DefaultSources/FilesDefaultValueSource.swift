import DefaultsStore

/// Default values in the files of a folder, one file for each key.
///
/// The file's name is the key, and its content the value. A mounted Kubernetes ConfigMap or Secret has this
/// form, and so have systemd's credentials. The type of a declared key decides what a text means, as with
/// arguments and the environment. For other keys it is JSON if it is valid JSON, otherwise a string. A
/// byte-order mark and one line end at the end are removed. Hidden files and folders are ignored.
///
/// ```swift
/// let suite = DefaultsSuite.standard
/// let credentials = suite.follow(FilesDefaultValueSource.credentials())
/// let mounted = suite.follow(
///     FilesDefaultValueSource(folder: "/etc/player/config"))
/// ```
///
/// - All files are of one moment: if Kubernetes turns the link that they are behind, that is one change.
///   While it turns faster than the files can be read, the last values stay, and a failure is reported.
/// - A file that cannot be used (not UTF-8, over 16 MiB, a pipe) is a reported failure that names it. Its
///   last value stays, and the other files are read.
/// - A file is trusted only if it, its folder and the folders of its links belong to root or to this user,
///   and nobody else can write them. A folder on a file system that is mounted read-only may be writable by
///   its mode. Folders that another container of a pod fills, such as an `emptyDir` or Vault's, need
///   `allowsInsecureDirectory`.
/// - At most 1,024 files are read.
public struct FilesDefaultValueSource: LiveDefaultValueSource {
    /// Identifies the source within a suite: the folder's path, or the name given.
    public let name: String
    private let folder: ValueFolder?
    private let isSecret: Bool

    /// Creates a source of a folder, which can be followed.
    ///
    /// - Parameters:
    ///   - folder: the folder's path. A folder that does not exist is a failure until it does; an empty path
    ///     always is.
    ///   - name: identifies the source; nil for the path.
    ///   - isSecret: whether all values are secrets, as if their keys were declared so. An empty file is no
    ///     value then.
    ///   - allowsInsecureDirectory: whether others may own or write the folder, those on its path and the
    ///     files. Others then decide the values. Links of others are never followed.
    public init(
        folder: String, name: String? = nil, isSecret: Bool = false, allowsInsecureDirectory: Bool = false
    ) {
        let files = ValueFolder(folder, isSecret: isSecret, allowsOthers: allowsInsecureDirectory)
        self.init(files, name: name ?? folder, isSecret: isSecret)
    }

    private init(_ folder: ValueFolder?, name: String, isSecret: Bool) {
        (self.folder, self.name, self.isSecret) = (folder, name, isSecret)
    }

    /// Creates a source of the credentials that systemd has given the service (`LoadCredential=`), all of
    /// them secret.
    ///
    /// They are in the folder that `$CREDENTIALS_DIRECTORY` names now. Without that variable, or with an
    /// empty one, there are none; so it is when the program is started from a shell.
    public static func credentials() -> FilesDefaultValueSource {
        FilesDefaultValueSource(ValueFolder.credentials(), name: "credentials", isSecret: true)
    }

    /// Returns the folder's content now and after every change of it.
    public func layerUpdates() -> AsyncStream<DefaultsLayerUpdate> {
        guard let folder else {
            return AsyncStream { [isSecret] continuation in
                var none = DefaultsLayer([:])
                none.isSecret = isSecret
                continuation.yield(DefaultsLayerUpdate(layer: none))
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

/// Follows a folder: reads it whenever something in it may have changed.
private struct FolderFollowing {
    private let folder: ValueFolder
    private let isSecret: Bool
    private var last = ValueFolder.Contents()
    private var told: DefaultsLayerUpdate?
    private var watches: [String: PathWatch] = [:]
    /// A retry, for a failure that may pass without a notification.
    private var again: Task<Void, Never>?
    private let bells: AsyncStream<Void>
    private let bell: AsyncStream<Void>.Continuation

    init(_ folder: ValueFolder, isSecret: Bool) {
        (self.folder, self.isSecret) = (folder, isSecret)
        (bells, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        bell.yield()
    }

    mutating func run(_ tell: (DefaultsLayerUpdate) -> Void) async {
        defer { again?.cancel() }
        for await _ in bells {
            let update = await read()
            guard !Task.isCancelled else { return }
            if update != told { tell(update) }
            told = update
        }
    }

    private mutating func read() async -> DefaultsLayerUpdate {
        // Empty if there is nothing to read.
        let own = Set([folder.absolutePath].compactMap { $0 })
        await watch(own)
        var contents = await contents()
        // The target of a link is watched too, and read once more, because it may have changed before the
        // watch began.
        for _ in 0..<4 {
            guard await watch(contents.passed) else { break }
            contents = await self.contents()
        }
        watches = watches.filter { own.contains($0.key) || contents.passed.contains($0.key) }
        if contents.texts != nil { last = contents }
        again?.cancel()
        again = own.isEmpty || !contents.failures.contains(where: \.mayPass) ? nil : ringLater()
        return update(contents)
    }

    /// Retries soon, because a file may become readable without a notification.
    private func ringLater() -> Task<Void, Never> {
        Task.detached { [bell] in
            // A cancelled retry has no consumer.
            do { try await Task.sleep(for: .milliseconds(500)) } catch { return }
            bell.yield()
        }
    }

    private func contents() async -> ValueFolder.Contents {
        await FileChanges.inBackground(at: folder.path) { [folder, last] in folder.read(after: last) }
    }

    private func update(_ contents: ValueFolder.Contents) -> DefaultsLayerUpdate {
        let layer = contents.texts.map { texts in
            var layer = DefaultsLayer([:], location: folder.path)
            for (key, text) in texts { layer.set(text, forKey: key) }
            layer.isSecret = isSecret
            return layer
        }
        return DefaultsLayerUpdate(layer: layer, failures: contents.failures)
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
