/// Where a suite's files are: a folder and the names in it.
package struct SuiteLocation: Hashable, Sendable {
    /// The folder's absolute path.
    package let folder: String
    /// The name of the settings file, S.
    let settings: String
    /// Whether a folder that others can write is accepted.
    let allowsInsecureDirectory: Bool

    /// The journal, J.
    var journal: String { ".\(settings).journal" }
    /// The lock file, L.
    var lock: String { ".\(settings).lock" }
    /// The next settings file while it is being written, T.
    var temporary: String { ".\(settings).tmp" }
    /// The second name of T while it is exchanged with S, X: then the file that made way.
    var displaced: String { ".\(settings).old" }
    /// Where the bytes of a settings file that could not be used are kept, Q.
    func damaged(_ number: Int) -> String { "\(settings).damaged-\(number)" }

    /// The path of the settings file.
    package var path: String { folder + "/" + settings }
    /// The path of one of the names.
    func path(of name: String) -> String { folder + "/" + name }

    /// A suite's own folder.
    init(folder: String, settings: String = "settings.json", allowsInsecureDirectory: Bool) {
        self.folder = SuiteLocation.normal(SystemCalls.absolute(folder))
        self.settings = settings
        self.allowsInsecureDirectory = allowsInsecureDirectory
    }

    /// A settings file anywhere; nil where the path names no file.
    init?(path: String, allowsInsecureDirectory: Bool) {
        let whole = SuiteLocation.normal(SystemCalls.absolute(path))
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? ""
        guard !["", ".", ".."].contains(name), let slash = whole.lastIndex(of: "/") else { return nil }
        self.init(
            folder: String(whole[..<slash]), settings: name, allowsInsecureDirectory: allowsInsecureDirectory)
    }

    /// The path without doubled slashes and `.`; `..` stays, since a link before it may change what it means.
    private static func normal(_ path: String) -> String {
        var normal = ""
        // Not `joined`, which has the runtime look for conformances the first time.
        for part in path.split(separator: "/") where part != "." {
            normal += "/"
            normal += part
        }
        return normal.isEmpty ? "/" : normal
    }
}
