/// Notices that a foreign file, or anything in a foreign folder, may have changed.
///
/// The kernel tells of the folder it stands in. Where it does not, and where the path leads over links whose own
/// folders nobody watches, the file is looked at once a second. The watch ends with its last reference.
package final class ForeignFileWatch: Sendable {
    private struct State {
        var watch: Housekeeper.Watch?
        var seen: FileStatus.Identity?
        var isLooking = false
    }

    private let folder: String
    /// The name that matters in the folder; nil for all of them.
    private let name: String?
    private let handler: @Sendable () -> Void
    private let state = Locked(State())  // Lock L7: protects the watch; nothing is called under it.

    /// Watches a file; `handler` is called on the housekeeping thread, also for changes that leave the file as it was.
    package convenience init(_ file: ForeignFile, _ handler: @escaping @Sendable () -> Void) {
        let parts = ForeignFileWatch.split(file.absolutePath)
        self.init(folder: parts.folder, name: parts.name, handler)
    }

    /// Watches everything that stands right in a folder.
    package convenience init(folder path: String, _ handler: @escaping @Sendable () -> Void) {
        self.init(folder: SystemCalls.absolute(path), name: nil, handler)
    }

    private init(folder: String, name: String?, _ handler: @escaping @Sendable () -> Void) {
        self.folder = folder
        self.name = name
        self.handler = handler
        let seen = identity
        state.withLock { $0.seen = seen }
        if !watchFolder() || goesOverLinks { lookLater() }
    }

    private static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let folder = slash == path.startIndex ? "/" : String(path[..<slash])
        return (folder, String(path[path.index(after: slash)...]))
    }

    private var path: String { name.map { folder + "/" + $0 } ?? folder }

    /// Starts to hear of the folder; a folder that is not there yet is looked for again later.
    private func watchFolder() -> Bool {
        do {
            let watch = try Housekeeper.shared.watch(
                try SystemCalls.openDirectory(folder, followingLink: true)
            ) { [weak self] in self?.noticed($0) }
            let old = state.withLock { state in
                defer { state.watch = watch }
                return state.watch
            }
            withExtendedLifetime(old) {}
            return true
        } catch {
            // Not a failure of the source: reading the file tells what is wrong with it.
            return false
        }
    }

    private func noticed(_ notice: FolderNotices.Notice) {
        let isAboutFolder = notice.watch == nil || notice.isEnd || notice.name.isEmpty
        guard isAboutFolder || name == nil || notice.name == name else { return }
        if isAboutFolder {
            // The folder may have moved away, and another may stand there now.
            let old = state.withLock { $0.watch.take() }
            withExtendedLifetime(old) {}
            if !watchFolder() { lookLater() }
        }
        handler()
    }

    /// Whether some step of the path is a link, so that the file can change without its folder.
    private var goesOverLinks: Bool {
        var rest = path[...]
        while let slash = rest.lastIndex(of: "/"), !rest.isEmpty {
            do {
                if try SystemCalls.status(path: String(rest)).isSymbolicLink { return true }
            } catch {
                // A missing step may become a link.
                return true
            }
            rest = rest[..<slash]
        }
        return false
    }

    private var identity: FileStatus.Identity? {
        do { return try SystemCalls.statusBehindLinks(path: path).identity } catch { return nil }
    }

    private func lookLater() {
        let isFirst = state.withLock { state in
            defer { state.isLooking = true }
            return !state.isLooking
        }
        if isFirst { scheduleLook() }
    }

    private func scheduleLook() {
        do {
            try Housekeeper.shared.schedule(afterMilliseconds: 1_000) { [weak self] in self?.look() }
        } catch {
            state.withLock { $0.isLooking = false }
            SystemCalls.writeToStandardError("TypedDefaults: changes of \(path) cannot be noticed: \(error)")
        }
    }

    private func look() {
        let isNewlyWatched = state.withLock { $0.watch == nil } && watchFolder()
        let present = identity
        let (isChanged, isWatched) = state.withLock { state in
            defer { state.seen = present }
            return (state.seen != present, state.watch != nil)
        }
        if isNewlyWatched || isChanged || name == nil { handler() }
        guard !isWatched || goesOverLinks else { return state.withLock { $0.isLooking = false } }
        scheduleLook()
    }
}
