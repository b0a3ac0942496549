/// How many versions of a settings file are kept: ``DefaultsSuite/keepHistory(_:includingSecrets:)``.
public enum DefaultsHistoryLimit: Hashable, Sendable {
    /// None.
    case off
    /// At most so many versions, of so many bytes together.
    ///
    /// The newer half of them are the latest ones. Of the rest, those go first that are of the same hour as another one, or
    /// of the same day when they are older than a day; then the oldest.
    case versions(Int, maximumBytes: Int = 4 << 20)

    /// Nil for a member that does not say it.
    init?(_ value: DefaultsValue) {
        guard let count = value.object?["versions"]?.int, count > 0,
            let bytes = value.object?["maximumBytes"]?.int, bytes > 0
        else { return nil }
        self = .versions(count, maximumBytes: bytes)
    }

    /// As a member of the settings file; nil for none.
    var value: DefaultsValue? {
        guard case .versions(let count, let bytes) = self else { return nil }
        return ["versions": .number(DefaultsNumber(count)), "maximumBytes": .number(DefaultsNumber(bytes))]
    }

    /// Returns those of some versions, the oldest first, that are too many; never the newest one.
    func surplus(of entries: [VersionFolder.Entry]) -> [VersionFolder.Entry] {
        guard case .versions(let count, let bytes) = self else { return entries }
        var (kept, surplus, size) = (entries, [VersionFolder.Entry](), entries.reduce(0) { $0 + $1.size })
        while kept.count > 1, kept.count > count || size > bytes {
            let removed = kept.remove(at: dispensable(of: kept, latest: count - count / 2))
            size -= removed.size
            surplus.append(removed)
        }
        return surplus
    }

    /// Returns the place of the first version, before the latest ones, that is of the same time as the one behind it; else that of
    /// the oldest.
    private func dispensable(of entries: [VersionFolder.Entry], latest: Int) -> Int {
        guard let newest = entries.last?.moment.microseconds else { return 0 }
        let hour: Int64 = 3_600_000_000
        return entries.indices.dropLast(latest).first { place in
            let times = [entries[place], entries[place + 1]].map(\.moment.microseconds)
            let length = newest - times[0] < 24 * hour ? hour : 24 * hour
            return times[0] / length == times[1] / length
        } ?? 0
    }
}
