/// Another name under which a file may have a declared key's value, or a member of it: an object `server` that has `port`
/// and the key `server.port`; `"limits.burst": 3` and the key `limits`.
///
/// The administrator's files and those of sources are read so, whose values no program writes. A file that has the key
/// under its own name has no other one.
struct FileForm: Hashable, Sendable {
    let name: KeyName
    /// From the object to the value, or from the value to its member.
    let path: [String]
    let isMember: Bool
    /// What the texts of layers mean as the member, by the layers' names.
    var readings: [String: Result<StoredValue, DefaultsError>] = [:]

    /// Returns what a file has for the key if it has something under the name: a value, or an object with a member alone.
    func value(of found: StoredValue) -> StoredValue? {
        guard isMember else { return found.value.object?.value(at: path[...]).map(StoredValue.init) }
        return StoredValue(
            path.reversed().reduce(found.value) { .object(DefaultsObject([(key: $1, value: $0)])) })
    }
}

/// The names that files have, for keys of which they may have a member.
final class FileNames: Sendable {
    private final class Names: Sendable {
        let all: Set<KeyName>
        init(_ all: Set<KeyName>) { self.all = all }
    }

    private let objects = LazyReference<Names>()

    /// Whether one of the names begins with another one and a dot; reads all of them the first time.
    func haveMembers(of key: KeyName, _ names: () -> [KeyName]) -> Bool {
        let known = objects.load() ?? objects.storeIfNil(Names(Set(names().flatMap(\.objectNames))))
        return known.all.contains(key)
    }
}

extension DomainStack.Contents {
    func mayHaveForms(_ key: KeyName) -> Bool {
        guard !layers.isEmpty || !managed.isEmpty else { return false }
        return key.objectNames.contains(where: isInFiles) || fileNames.haveMembers(of: key) { namesInFiles }
    }

    private func isInFiles(_ key: KeyName) -> Bool {
        managed[key] != nil || layers.contains { $0.values[key] != nil || $0.locked[key] != nil }
    }

    var namesInFiles: [KeyName] { managed.keys + layers.flatMap { $0.values.keys + $0.locked.keys } }

    /// The most exact ones first.
    func forms(of declaration: KeyDeclaration, isDeclared: (KeyName) -> Bool) -> [FileForm] {
        guard mayHaveForms(declaration.name) else { return [] }
        let components = declaration.name.string.split(separator: ".", omittingEmptySubsequences: false)
        let objects = declaration.name.objectNames.enumerated().map { count, name in
            FileForm(name: name, path: components.suffix(count + 1).map(String.init), isMember: false)
        }
        // What the members are is asked of the default, which may be slow to compute.
        let members =
            fileNames.haveMembers(of: declaration.name) { namesInFiles }
            ? declaration.members.map { FileForm(name: $0.name, path: $0.path, isMember: true) } : []
        return (members.sorted { $0.path.count > $1.path.count } + objects).filter {
            !isDeclared($0.name) && isInFiles($0.name)
        }
    }
}
