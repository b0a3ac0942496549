/// How a settings file names its schema: a URI reference that an editor resolves relative to the settings file.
enum SchemaReference {
    /// Returns the relative path from a folder to a file, as in `./settings.schema.json`, or a whole `file:` URI if
    /// there is none.
    static func text(to path: String, from folder: String) -> String {
        let (target, base) = (SuiteLocation.parts(of: path), SuiteLocation.parts(of: folder))
        var common = 0
        while common < min(target.count - 1, base.count), target[common] == base[common] { common += 1 }
        let up = base[common...]
        // What is above a name that may be a link is not known.
        guard !up.contains("..") else { return "file://" + encoded(target.map { "/" + $0 }.joined()) }
        let start = up.isEmpty ? "./" : up.map { _ in "../" }.joined()
        return start + encoded(target[common...].joined(separator: "/"))
    }

    private static func encoded(_ path: String) -> String {
        path.utf8.map { $0 == UInt8(ascii: "/") ? "/" : SuiteName.encode($0) }.joined()
    }
}
