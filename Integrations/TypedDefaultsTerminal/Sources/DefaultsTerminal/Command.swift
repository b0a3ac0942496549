/// Everything that can be done on the screen: with a key, or by its name behind a colon.
enum Command: String, CaseIterable {
    case edit, next, reset, undo, redo, apply, cancel, search, changed, command, help, quit
    case up, down, pageUp = "page-up", pageDown = "page-down", first, last

    /// The keys that do it.
    var keys: [KeyPress] {
        switch self {
        case .edit: [.enter]
        case .next: [.character(" ")]
        case .reset: [.character("r")]
        case .undo: [.character("u")]
        case .redo: [.character("U")]
        case .apply: [.character("a")]
        case .cancel: [.escape]
        case .search: [.character("/")]
        case .changed: [.character("c")]
        case .command: [.character(":")]
        case .help: [.character("?")]
        case .quit: [.character("q")]
        case .up: [.up, .character("k"), .control("p")]
        case .down: [.down, .character("j"), .control("n")]
        case .pageUp: [.pageUp, .control("b")]
        case .pageDown: [.pageDown, .control("f")]
        case .first: [.home, .character("g")]
        case .last: [.end, .character("G")]
        }
    }

    /// The keys in words.
    var keyNames: String {
        switch self {
        case .edit: "Enter"
        case .next: "Space"
        case .cancel: "Esc"
        case .up: "Up k"
        case .down: "Down j"
        case .pageUp: "PgUp"
        case .pageDown: "PgDn"
        case .first: "Home g"
        case .last: "End G"
        default: keys.map { if case .character(let key) = $0 { String(key) } else { "" } }.joined()
        }
    }

    /// What it does.
    var summary: String {
        switch self {
        case .edit: "change the value, in the draft"
        case .next: "the next of the allowed values"
        case .reset: "back to the default, in the draft"
        case .undo: "drop the change, else the value before"
        case .redo: "take back an undo"
        case .apply: "store what is in the draft"
        case .cancel: "end the search, else drop the draft"
        case .search: "show what has these words"
        case .changed: "show only what is not at its default"
        case .command: "do one of these by its name"
        case .help: "this page"
        case .quit: "leave; asks if the draft has changes"
        case .up: "one up"
        case .down: "one down"
        case .pageUp: "a page up"
        case .pageDown: "a page down"
        case .first: "to the first one"
        case .last: "to the last one"
        }
    }

    private static let byKey: [KeyPress: Command] = Dictionary(
        allCases.flatMap { command in command.keys.map { ($0, command) } },
        uniquingKeysWith: { first, _ in first })

    /// The command of a key.
    init?(_ key: KeyPress) {
        guard let command = Command.byKey[key] else { return nil }
        self = command
    }

    /// The command whose name a text is, or whose alone begins so.
    init?(name: String) {
        let fitting = Command.allCases.filter { $0.rawValue.hasPrefix(name) }
        guard
            let command = Command(rawValue: name) ?? (fitting.count == 1 && !name.isEmpty ? fitting[0] : nil)
        else {
            return nil
        }
        self = command
    }
}
