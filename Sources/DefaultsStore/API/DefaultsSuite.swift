/// A suite: the settings of one program, or of several that share them, in one JSON file.
///
/// Creating one touches no file. The first use, including a read, opens it. It creates the suite's folder and
/// lock file if they are missing and may be created. All handles of one file share one open store.
///
/// Open suites after `fork()` or `daemon(3)`, not before. In a child of a process that had one open, every
/// throwing call throws `.forkedChild`. Other calls report that once, and read what the parent had read last.
/// A child that calls `exec`, as `posix_spawn` and `Process` do, is another program, and free of this.
///
/// ```swift
/// let suite = try DefaultsSuite("com.example.player")
/// try suite.set(0.5, forKey: "volume")
/// print(suite.double(forKey: "volume"))
/// ```
public final class DefaultsSuite: Sendable {
    // All its state is here. What can be done with a suite stands in extensions, a file for each subject and layer: a
    // module cannot add to another one's type in any other way, and no extension sees what is private here.

    package let ownContext: SuiteContext

    /// What operations on the suite go to: its own context, or that of a suite which stands in for it in the current task.
    package var context: SuiteContext { SuiteReplacement.isAny ? current.ownContext : ownContext }

    /// The suite itself, or the one that stands in for it in the current task.
    package var current: DefaultsSuite { SuiteReplacement.substitute(for: ownContext) ?? self }

    /// The suite's name as given; for one opened by a path, the path.
    public let name: String

    /// A counted handle keeps the suite's belongings alive.
    private let isCounted: Bool

    private init(name: String, context: SuiteContext, isCounted: Bool = true) {
        self.name = name
        ownContext = context
        self.isCounted = isCounted
        if isCounted { context.addHandle() }
    }

    deinit {
        if isCounted { ownContext.removeHandle() }
    }

    /// A handle for what is kept among the suite's belongings: a counted handle in there would keep itself alive.
    package var companion: DefaultsSuite { DefaultsSuite(name: name, context: ownContext, isCounted: false) }

    /// Creates the suite with a name, in its own folder.
    ///
    /// Two programs that name the same suite share it.
    ///
    /// - Parameters:
    ///   - name: any text; bytes outside `A-Z a-z 0-9 . _ -` are percent-encoded in the folder's name.
    ///   - directory: the folder that contains the suite's folder; nil for `$XDG_CONFIG_HOME`, otherwise
    ///     `~/.config`, on Apple's systems `~/Library/Application Support`.
    ///   - allowsInsecureDirectory: whether the suite's folder and those on its path may belong to another
    ///     user, or be writable by a group or everybody. Root still creates nothing in another user's folder.
    ///     Another user's links are never followed.
    ///   - readOnly: whether nothing is created, locked or written there, neither a folder nor a lock file:
    ///     for tools that inspect. Reads and observers work as in any suite, once its folder is there. Every
    ///     write throws `.readOnly`. It is another suite than the writable one of that name, with its own
    ///     domains.
    /// - Throws: `.invalidSuiteName`. `.ioFailure` if no folder is named and the user has no home. `.ioFailure` also if the
    ///   folder's path is not UTF-8, or is relative to a removed working directory.
    public convenience init(
        _ name: String, in directory: String? = nil, allowsInsecureDirectory: Bool = false,
        readOnly: Bool = false
    ) throws(DefaultsError) {
        try self.init(
            name, in: directory, allowsInsecureDirectory: allowsInsecureDirectory, readOnly: readOnly,
            managedAs: name)
    }

    /// Creates a suite whose administrator's file may be that of another name.
    private convenience init(
        _ name: String, in directory: String?, allowsInsecureDirectory: Bool, readOnly: Bool,
        managedAs managedName: String
    ) throws(DefaultsError) {
        let parent = try SuiteName.parent(directory, of: name)
        let location = SuiteLocation(
            folder: parent + "/" + (try SuiteName.folder(for: name)),
            allowsInsecureDirectory: allowsInsecureDirectory, isReadOnly: readOnly)
        let managed = ManagedFile(ofFolder: try SuiteName.folder(for: managedName))
        self.init(
            name: name, context: SuiteRegistry.context(named: name, at: location, managed: managed))
    }

    /// Creates the suite of any JSON file, such as one kept in a repository.
    ///
    /// Its name is the file's path as given. A path that begins with `~/` is in the user's home folder, here
    /// as in every other path that is given.
    ///
    /// - Parameters:
    ///   - path: the path of the JSON file.
    ///   - allowsInsecureDirectory: whether the folder and those on its path may belong to another user, or
    ///     be writable by a group or everybody.
    ///   - readOnly: whether nothing is created, locked or written there; every write throws `.readOnly`.
    /// - Throws: `.invalidSuiteName` if the path names no file, or begins with `~name/`. `.invalidSuiteName`
    ///   also if the file's name has more than 240 bytes, which leaves no room for the names of the suite's
    ///   other files. `.ioFailure` if there is no home folder, or if the path is relative and the working directory
    ///   is removed or its path is not UTF-8.
    public convenience init(
        file path: String, allowsInsecureDirectory: Bool = false, readOnly: Bool = false
    ) throws(DefaultsError) {
        let whole = try GivenPath.absolute(path, suite: path, refusal: .invalidSuiteName)
        guard !path.utf8.contains(0),
            let location = SuiteLocation(
                path: whole, allowsInsecureDirectory: allowsInsecureDirectory, isReadOnly: readOnly)
        else {
            throw DefaultsError(
                .invalidSuiteName, suite: String(path.prefix(80)),
                underlyingDescription: "the path names no file")
        }
        guard location.hasRoomBeside else {
            throw DefaultsError(
                .invalidSuiteName, suite: String(path.prefix(80)), path: path,
                underlyingDescription: "the file's name has more than \(SuiteLocation.longestName) bytes")
        }
        self.init(name: path, context: SuiteRegistry.context(named: path, at: location))
    }

    /// Creates a suite without a file, for tests and previews.
    ///
    /// Everything else works as with a file. Each call creates another suite.
    public static func inMemory() -> DefaultsSuite {
        DefaultsSuite(name: "in memory", context: SuiteContext(name: "in memory", location: nil))
    }

    /// The path of the JSON file; nil in memory.
    ///
    /// A symbolic link in the file's place is not resolved here.
    public var path: String? { context.location?.path }

    private static let chosen = Locked<DefaultsSuite?>(nil)  // Lock L1 too; a leaf.

    /// The suite of keys that name no suite.
    ///
    /// It is named after the executable, unless ``bootstrap(standard:)`` has set another. That is the name by
    /// which the program was started. The administrator's file is that of the program's own file, whatever
    /// name leads to it.
    ///
    /// It traps if neither the executable's name nor a home folder can be determined, because no suite can be
    /// created then.
    public static var standard: DefaultsSuite {
        if let known = chosen.withLock({ $0 }) { return known }
        // Made without the lock, under which no file is looked at.
        let suite: DefaultsSuite
        do {
            suite = try DefaultsSuite(
                suiteName(ofProgram: CommandLine.arguments.first ?? ""), in: nil,
                allowsInsecureDirectory: false, readOnly: false,
                // The caller of the program chooses the other name, and so would choose what is locked.
                managedAs: suiteName(ofProgram: SystemCalls.executablePath))
        } catch {
            preconditionFailure(
                "there is no standard suite, call DefaultsSuite.bootstrap(standard:): \(error)")
        }
        return chosen.withLock { chosen in
            if let chosen { return chosen }
            chosen = suite
            return suite
        }
    }

    /// Makes another suite the standard one, before the first use of the standard one.
    ///
    /// - Throws: `.alreadyInUse` if a key or a caller has already used ``standard``; nothing changes then.
    public static func bootstrap(standard: DefaultsSuite) throws(DefaultsError) {
        let isFirst = chosen.withLock { chosen in
            guard chosen == nil else { return false }
            chosen = standard
            return true
        }
        guard isFirst else { throw DefaultsError(.alreadyInUse, suite: standard.name) }
    }

    private static func suiteName(ofProgram path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        return name.isEmpty ? "swift" : SuiteName.fitting(name)
    }
}

extension DefaultsSuite: Hashable, CustomStringConvertible, CustomReflectable {
    /// Two handles are equal if they share one location, or are one suite in memory.
    public static func == (left: DefaultsSuite, right: DefaultsSuite) -> Bool {
        left.ownContext === right.ownContext
    }

    /// Hashes the shared location.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(ownContext)) }

    /// The name and the path.
    public var description: String { "DefaultsSuite(\(name)\(path.map { " at \($0)" } ?? ""))" }

    /// The name and the path; values are left out.
    @_documentation(visibility: internal)
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name, "path": path as Any], displayStyle: .class)
    }
}

/// What is stored, in the order of the file.
extension DefaultsSuite {
    /// Returns the stored values alone, in the order of the file.
    ///
    /// Values that are not in the file yet come last. Unlike ``storedValues()`` it distinguishes two names
    /// that differ only in their Unicode form.
    ///
    /// - Throws: `.malformedFile`, `.ioFailure`, `.insecureDirectory`: an empty result means an empty suite.
    ///   `.readOnly` if there is no suite and none can be created.
    /// - Cost: reads every value from its text.
    public func storedObject() throws(DefaultsError) -> DefaultsObject {
        let view = try context.view()
        if let fault = view.snapshot.fault { throw fault.inSuite(name) }
        var seen: Set<KeyName> = []
        var members: [(name: KeyName, value: DefaultsValue)] = []
        for key in view.keysStored where seen.insert(key).inserted {
            if let value = try view.stored(key)?.value { members.append((key, value)) }
        }
        return DefaultsObject(members)
    }
}
