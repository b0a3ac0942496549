/// Which settings the list shows, and which one is selected.
struct SettingList {
    /// A line of the list.
    enum Entry: Equatable {
        /// What the names of the following settings begin with.
        case group(String)
        /// A setting, by its place among all.
        case setting(Int)
    }

    private(set) var entries: [Entry] = []
    /// The place of the selected one among all settings; nil if none is shown.
    private(set) var selected: Int?
    /// The first entry that is on the screen.
    private(set) var top = 0
    /// How many entries are on the screen.
    var height = 0 { didSet { reveal() } }
    /// How many settings are shown.
    private(set) var count = 0

    /// Shows some of the settings; the selected one stays selected if it is among them.
    mutating func show(_ settings: [Int], names: (Int) -> String) {
        let before = position
        count = settings.count
        entries = []
        var group: Substring?
        for (place, setting) in settings.enumerated() {
            let own = SettingList.group(names(setting))
            if own != group {
                let next = place + 1 < settings.count ? SettingList.group(names(settings[place + 1])) : nil
                if let own, own == next { entries.append(.group(String(own))) }
                group = own
            }
            entries.append(.setting(setting))
        }
        if position == nil {
            let places = entries.indices.filter { setting(at: $0) != nil }
            let next = places.first { $0 >= before ?? 0 } ?? places.last
            selected = next.flatMap { setting(at: $0) }
        }
        reveal()
    }

    /// What a name has before its first dot.
    static func group(_ name: String) -> Substring? {
        name.firstIndex(of: ".").flatMap { $0 == name.startIndex ? nil : name[..<$0] }
    }

    private func setting(at position: Int) -> Int? {
        guard entries.indices.contains(position), case .setting(let setting) = entries[position] else {
            return nil
        }
        return setting
    }

    private var position: Int? {
        selected.flatMap { selected in entries.firstIndex(of: .setting(selected)) }
    }

    /// Selects another setting.
    mutating func select(_ setting: Int) {
        selected = setting
        reveal()
    }

    /// Moves the selection by so many settings, up to the first or last one.
    mutating func move(by steps: Int) {
        guard let position else { return }
        let places = entries.indices.filter { setting(at: $0) != nil }
        guard let index = places.firstIndex(of: position) else { return }
        selected = setting(at: places[max(0, min(places.count - 1, index + steps))])
        reveal()
    }

    /// The entries on the screen.
    var visible: ArraySlice<Entry> { entries[top..<min(entries.count, top + max(0, height))] }

    /// Scrolls so that the selected one is on the screen, with its group if it is the first of that.
    private mutating func reveal() {
        let least = max(0, entries.count - max(1, height))
        guard let position else {
            top = min(top, least)
            return
        }
        let isFirst = position > 0 && setting(at: position - 1) == nil
        if position < top || (isFirst && position - 1 < top) { top = isFirst ? position - 1 : position }
        if position >= top + height { top = position - max(1, height) + 1 }
        top = max(0, min(top, least))
    }
}
