/// How far keys are undone, as far as they have had no other value since.
///
/// It is kept next to the versions, and written before the value that it tells of: a process that is killed in between
/// leaves the value of `before`.
struct UndoneKeys {
    struct Position: Hashable {
        /// The version whose value the key has got back.
        let present: VersionMoment
        /// The version whose value it had before that.
        let before: VersionMoment
        /// The newest version when it was undone first, where redoing ends.
        let last: VersionMoment
    }

    /// The name of its file.
    static let file = "undone.json"

    private var positions: [KeyName: Position] = [:]

    /// What cannot be read says nothing: then an undo begins with the newest version.
    init(_ text: [UInt8]) {
        let (document, fault) = SettingsDocument.read(text)
        guard fault == nil else { return }
        for key in document.keys {
            let names = document.value(forKey: key)?.value.array?.compactMap(\.string) ?? []
            let moments = names.compactMap { VersionMoment(name: $0) }
            guard moments.count == 3 else { continue }
            positions[key] = Position(present: moments[0], before: moments[1], last: moments[2])
        }
    }

    subscript(key: KeyName) -> Position? {
        get { positions[key] }
        set { positions[key] = newValue }
    }

    /// Without the keys that cannot be redone, since the versions are not there any more.
    func text(since oldest: VersionMoment) -> [UInt8] {
        let members = positions.filter { $0.value.last >= oldest }.sorted { $0.key < $1.key }
            .map { key, position -> (name: KeyName, value: DefaultsValue) in
                let moments = [position.present, position.before, position.last]
                return (key, .array(moments.map { .string($0.name) }))
            }
        return JSONWriter.text(of: .object(DefaultsObject(members)))
    }
}
