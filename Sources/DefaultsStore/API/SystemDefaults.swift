/// The default values that packagers and administrators have put into the system's folders for a suite, and the watch
/// of them.
final class SystemDefaults: Sendable {
    private struct State {
        let files: DropIns
        var contents = DropIns.Contents()
        /// On the monotonic clock; 0 if nothing was asked for.
        var asked: UInt64 = 0
        var watches: [String: PathWatch] = [:]
        var isPlaced = false
        /// Whether they are read again soon without a notification.
        var isDue = false

        init(folders: [String]) { files = DropIns(folders: folders, name: "defaults") }
    }

    static let layer = "system defaults"

    private let state: Locked<State>  // A leaf.

    init(folders: [String]) { state = Locked(State(folders: folders)) }

    /// Does nothing if they are the same.
    func choose(_ folders: [String]) {
        // What it had is released with no lock held.
        let old = state.withLock { state -> State? in
            guard state.files.folders != folders else { return nil }
            let old = state
            state = State(folders: folders)
            state.isPlaced = old.isPlaced
            return old
        }
        withExtendedLifetime(old) {}
    }

    /// Returns the folders that may have the defaults of a name, the highest first: `/etc`, each of
    /// `$XDG_CONFIG_DIRS` (`/etc/xdg` where that is not set), `/run`, `/usr/local/lib` and `/usr/lib`.
    static func folders(of name: String, configuration: String?) -> [String] {
        let usual = configuration.flatMap { $0.isEmpty ? nil : $0 } ?? "/etc/xdg"
        var folders: [String] = []
        // Of the variable only absolute paths count, as its specification requires.
        let own = usual.split(separator: ":").filter { $0.utf8.first == UInt8(ascii: "/") }.map(String.init)
        for root in ["/etc"] + own + ["/run", "/usr/local/lib", "/usr/lib"] {
            let folder = SuiteLocation.path(of: name, inFolder: root)
            if !folders.contains(folder) { folders.append(folder) }
        }
        return folders
    }

    /// Reads the files and puts what they say into place; what is wrong with them is reported.
    ///
    /// - Parameter again: called in the background when any of them may have changed.
    func read(into context: SuiteContext, again: @escaping @Sendable () -> Void) {
        let files = state.withLock { $0.files }
        watch(files.folders + files.partFolders, of: files, again)
        let asked = SystemCalls.monotonicNanoseconds
        var contents = files.read(after: state.withLock { $0.contents })
        // What a link leads to is watched as well, and read once more, because it may have changed before that.
        for _ in 0..<4 where watch(Array(contents.passed), of: files, again) {
            contents = files.read(after: state.withLock { $0.contents })
        }
        place(contents, of: files, asked: asked, into: context)
        if contents.failures.contains(where: \.mayPass) { readAgainSoon(files, context, again) }
    }

    private func readAgainSoon(
        _ files: DropIns, _ context: SuiteContext, _ again: @escaping @Sendable () -> Void
    ) {
        // One that is due is enough, however often they are read until then.
        let isDue = state.withLock { state in
            defer { state.isDue = true }
            return state.isDue
        }
        guard !isDue, let path = files.folders.first else { return }
        context.readAgainSoon(path) { [self] in
            state.withLock { $0.isDue = false }
            again()
        }
    }

    /// Puts what was read into place, and reports what is wrong with it, unless other folders have been chosen
    /// meanwhile, or a later reading was first.
    ///
    /// - Parameter asked: when the reading began, on the monotonic clock.
    func place(_ contents: DropIns.Contents, of files: DropIns, asked: UInt64, into context: SuiteContext) {
        let (isTaken, isNew) = state.withLock { state in
            guard state.files == files, asked >= state.asked else { return (false, false) }
            let isNew = state.asked == 0 || !contents.saysTheSame(as: state.contents)
            (state.contents, state.asked) = (contents, asked)
            // Nothing need be put in place of nothing.
            guard isNew, state.isPlaced || !contents.files.isEmpty else { return (true, false) }
            state.isPlaced = true
            return (true, true)
        }
        guard isTaken else { return }
        context.reportLasting(only: contents.failures, in: .systemDefaults)
        guard isNew else { return }
        context.setLayer(
            SystemDefaults.layer, values: LayerValues(), parts: contents.files.map(SystemDefaults.part),
            location: nil, asked: asked, keepsPlace: true)
    }

    private static func part(_ file: DropIns.File) -> InstalledLayer.Part {
        var values = LayerValues()
        for key in file.document.keys where key != .schema {
            if let value = file.document.value(forKey: key) { values.set(value.value, forKey: key) }
        }
        return InstalledLayer.Part(values: values, location: file.path)
    }

    /// - Returns: whether one of the folders was not watched before.
    @discardableResult private func watch(
        _ paths: [String], of files: DropIns, _ again: @escaping @Sendable () -> Void
    ) -> Bool {
        let missing = state.withLock { state in paths.filter { state.watches[$0] == nil } }
        guard !missing.isEmpty else { return false }
        let fresh = missing.map { (path: $0, watch: PathWatch(folder: $0, again)) }
        state.withLock { state in
            // Another thread may have been first, or have turned to other folders.
            for (path, watch) in fresh where state.files == files && state.watches[path] == nil {
                state.watches[path] = watch
            }
        }
        withExtendedLifetime(fresh) {}
        return true
    }
}

extension SuiteContext {
    func addSystemDefaults(_ folders: [String]) {
        let fresh = SystemDefaults(folders: folders)
        let defaults = systemDefaults.load() ?? systemDefaults.storeIfNil(fresh)
        defaults.choose(folders)
        readSystemDefaults(defaults)
    }

    private func readSystemDefaults(_ defaults: SystemDefaults) {
        defaults.read(into: self) { [weak self] in
            guard let self, let defaults = systemDefaults.load() else { return }
            readSystemDefaults(defaults)
        }
    }
}

extension DefaultsSuite {
    /// Adds the system's folders as defaults: below everything that is stored, above the keys' own defaults.
    ///
    /// For a suite named `player` these are `player/defaults.json` and `player/defaults.d/*.json` in `/etc`,
    /// in each of `$XDG_CONFIG_DIRS` (`/etc/xdg` if that is not set), `/run`, `/usr/local/lib` and
    /// `/usr/lib`.
    ///
    /// The order is that of the configuration files specification (UAPI.6). Of `defaults.json` the first
    /// folder's is used, and so it is for drop-ins with one name. A drop-in with a later name takes
    /// precedence over one with an earlier name, and all of them over `defaults.json`, whatever their folder.
    /// An empty file, or a link to `/dev/null`, replaces the lower ones of its name and has no values. If
    /// several files have a key, the key's `merge:` combines them. `explain(forKey:)` names the file.
    ///
    /// ```swift
    /// let suite = try DefaultsSuite("player")
    /// try suite.addSystemDefaults()
    /// ```
    ///
    /// They are read at once, and again whenever they change, without polling. Observers are called with the
    /// cause `.defaultsChanged("system defaults")`. A file that cannot be used is reported with its path; its
    /// last values stay, and the other files are read. A file is used only if it and its folder belong to
    /// root or to this user and nobody else can write them. The same holds for the path through links. At
    /// most 1,024 drop-ins are read.
    ///
    /// A later call with another name replaces an earlier one.
    ///
    /// - Parameter name: the folders' name; nil for that of the suite.
    /// - Throws: `.invalidSuiteName` if no name is given and the suite was opened by its file or is in
    ///   memory; `.ioFailure` if `$XDG_CONFIG_DIRS` is not UTF-8.
    public func addSystemDefaults(named name: String? = nil) throws(DefaultsError) {
        guard
            let name = try name.map({ (name) throws(DefaultsError) in try SuiteName.folder(for: name) })
                ?? context.folderName
        else {
            throw DefaultsError(
                .invalidSuiteName, suite: self.name,
                underlyingDescription: "it is not one that folders of the system are named after; "
                    + "say which with addSystemDefaults(named:)")
        }
        let configuration: String?
        do { configuration = try SystemCalls.text(inEnvironment: "XDG_CONFIG_DIRS") } catch {
            throw DefaultsError(
                .ioFailure, suite: self.name, systemError: error,
                underlyingDescription: "XDG_CONFIG_DIRS is not UTF-8")
        }
        context.addSystemDefaults(SystemDefaults.folders(of: name, configuration: configuration))
    }
}

extension SuiteContext {
    /// The name of the suite's folder, if that stands for the suite's name.
    fileprivate var folderName: String? {
        guard let location else { return nil }
        let folder: String
        do { folder = try SuiteName.folder(for: name) } catch { return nil }
        let isNamed =
            location.settings == "settings.json"
            && SuiteLocation.parts(of: location.folder).last == folder[...]
        return isNamed ? folder : nil
    }
}
