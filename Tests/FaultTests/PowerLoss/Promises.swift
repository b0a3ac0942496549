/// What has to be true of the stored values when the power goes at one point of a recording.
import DefaultsStore

struct Promises {
    /// The values of the keys that the store writes: those after one of these commands.
    private let own: Set<StoredSettings>
    /// The same for the keys of foreign programs.
    private let foreign: Set<StoredSettings>
    private let foreignKeys: Set<String>
    /// Every value that any command so far has written.
    private let written: [String: Set<DefaultsValue>]
    /// Whether a foreign program has replaced the file without waiting for the disk, and nobody has made up for it.
    let isCareless: Bool

    /// The promises after the steps before a number.
    init(_ recording: Recording, before number: Int) throws {
        let commands = recording.commands
        let keys = recording.foreignKeys
        let isAnswered = commands.map { ($0.answered ?? .max) < number }
        let current =
            commands.indices.first { commands[$0].answered != nil && !isAnswered[$0] }
            ?? commands.count - 1
        let answered = commands.indices.filter { isAnswered[$0] }
        let kept = answered.last { commands[$0].command.promise == .everything } ?? -1
        let keptEdit = answered.last { commands[$0].command.promise == .itself } ?? -1
        func possible(_ least: Int) -> Set<StoredSettings> {
            var all: Set<StoredSettings> = least < 0 ? [recording.start] : []
            for place in max(0, least)..<max(0, current + 1) { all.formUnion(commands[place].possible) }
            return all
        }
        own = Set(possible(kept).map { $0.filter { !keys.contains($0.key) } })
        foreign = Set(possible(max(kept, keptEdit)).map { $0.filter { keys.contains($0.key) } })
        foreignKeys = keys
        written = try commands.prefix(current + 1).reduce(into: recording.start.mapValues { [$0] }) {
            written, command in
            for (key, value) in try command.command.changes() {
                if let value { written[key, default: []].insert(value) }
            }
        }
        isCareless = commands.indices.contains {
            $0 > kept && $0 <= current && commands[$0].command.isCareless
        }
    }

    /// What is wrong with the values a suite was found to hold; nil where nothing is.
    func objection(to found: StoredSettings) -> String? {
        let invented = found.filter { written[$0.key]?.contains($0.value) != true }
        if !invented.isEmpty { return "never written: \(invented)" }
        if isCareless { return nil }
        let ownFound = found.filter { !foreignKeys.contains($0.key) }
        if !own.contains(ownFound) { return "found \(ownFound), allowed \(own)" }
        let foreignFound = found.filter { foreignKeys.contains($0.key) }
        if !foreign.contains(foreignFound) { return "found \(foreignFound), allowed \(foreign)" }
        return nil
    }
}
