@testable import DefaultsStore

extension SettingsDocument {
    /// Returns the document after some changes, of which a later one of a key wins.
    func applying(_ changes: [(key: KeyName, value: StoredValue?)]) -> SettingsDocument {
        var last: [KeyName: Int] = [:]
        for (position, change) in changes.enumerated() { last[change.key] = position }
        let wanted = changes.enumerated().filter { last[$1.key] == $0 }
        return applying(
            ofEachKeyOne: wanted.map { StoredChange($1.value, forKey: $1.key) })
    }
}
