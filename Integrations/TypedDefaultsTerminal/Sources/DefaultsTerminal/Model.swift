/// All that the screen depends on.
///
/// What a person does and what happens elsewhere are events, which change it and ask for effects. It knows no terminal, no
/// suite and no clock.
struct Model {
    /// One setting with what is known of it.
    struct Row {
        let setting: Setting
        var state: SettingState { didSet { fold() } }
        /// What the draft makes of it; nil if the draft leaves it alone.
        var draft: DraftValue?
        /// Who has changed it since somebody looked; nil if nobody has.
        var news: String?
        /// Who has changed it since it got into the draft; nil if nobody has.
        var conflict: String?
        /// What is searched, in small letters.
        private(set) var folded: [UInt8] = []

        init(_ setting: Setting, _ state: SettingState) {
            (self.setting, self.state) = (setting, state)
            fold()
        }

        /// The same with what a row of the same name has besides the setting.
        func takingOver(_ old: Row) -> Row {
            var row = self
            row.draft = old.draft
            row.news = old.news
            row.conflict = old.conflict
            return row
        }

        private mutating func fold() {
            let parts = [setting.name, setting.description, state.value]
            folded = Array(parts.compactMap(\.self).joined(separator: "\n").lowercased().utf8)
        }
    }

    /// A change that is not stored yet.
    enum DraftValue: Equatable {
        case set(String)
        case reset
    }

    /// What the keys are for at the moment.
    enum Mode: Equatable {
        case list
        case search(LineEditor)
        case command(LineEditor)
        case editing(Editing)
        case asking(Question)
        case help
    }

    /// The typing of a value.
    struct Editing: Equatable {
        /// The setting's.
        let name: String
        var row: Int
        var line: LineEditor
        /// Why the text was not taken, until it is changed.
        var refusal: String?
    }

    enum Question: Equatable {
        case quit
        case cancel
        /// Whether to store over what others have stored under these names.
        case override([String])
    }

    /// A line about what has just happened.
    struct Message: Equatable {
        let text: String
        var style: Style = []

        static func failure(_ text: String) -> Message { Message(text: text, style: [.red, .bold]) }
    }

    enum Event {
        case key(KeyPress)
        /// Control-C.
        case interrupt
        case resized(Screen.Size)
        /// The settings are others now.
        case settings([Row])
        case state(Int, SettingState, DraftValue?)
        /// Others have changed a setting; the message says who.
        case changed(Int, SettingState, by: String)
        /// A text was not taken.
        case refused(String)
        /// It is in the draft now.
        case drafted
        case applied(Int)
        /// Nothing was stored, because others have changed these meanwhile.
        case conflicts([String])
        case said(Message)
        /// Why the settings file cannot be read; nil if it can.
        case fault(String?)
    }

    /// What the session is to do.
    enum Effect: Equatable {
        case set(Int, String)
        case reset(Int)
        /// Leaves a setting out of the draft.
        case drop(Int)
        case dropAll
        case undo(Int)
        case redo(Int)
        case apply(overriding: Bool)
        case quit
    }

    let title: String
    private(set) var size: Screen.Size
    private(set) var rows: [Row] = []
    private(set) var list = SettingList()
    private(set) var mode = Mode.list
    private(set) var filter = ""
    private(set) var showsChangedOnly = false
    private(set) var message: Message?
    private(set) var fault: String?
    private var quitsWhenApplied = false
    private(set) var widestName = 0

    init(title: String, size: Screen.Size) {
        (self.title, self.size) = (title, size)
        list.height = Layout(size).list
    }

    /// How many changes the draft has.
    var draftCount: Int { rows.reduce(0) { $0 + ($1.draft == nil ? 0 : 1) } }

    /// The selected row.
    var selected: Row? { list.selected.map { rows[$0] } }

    /// Takes an event.
    mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .key(let key):
            if let selected = list.selected { rows[selected].news = nil }
            message = nil
            return press(key)
        case .interrupt: return interrupt()
        case .resized(let size):
            self.size = size
            list.height = Layout(size).list
        case .settings(let rows): show(rows)
        case .state(let row, let state, let draft):
            rows[row].state = state
            if rows[row].draft != draft { rows[row].conflict = nil }
            rows[row].draft = draft
            if showsChangedOnly { refilter() }
        case .changed(let row, let state, let who): note(row, state, who)
        case .refused(let reason):
            if case .editing(var editing) = mode {
                editing.refusal = reason
                mode = .editing(editing)
            } else {
                message = .failure(reason)
            }
        case .drafted: if case .editing = mode { mode = .list }
        case .applied(let count):
            message = Message(
                text: count == 1 ? "1 change is stored" : "\(count) changes are stored", style: .green)
            if quitsWhenApplied { return [.quit] }
        case .conflicts(let names): mode = .asking(.override(names))
        case .said(let message):
            self.message = message
            quitsWhenApplied = false
        case .fault(let fault): self.fault = fault
        }
        return []
    }

    private mutating func show(_ new: [Row]) {
        let name = selected?.setting.name
        let old = Dictionary(rows.map { ($0.setting.name, $0) }, uniquingKeysWith: { first, _ in first })
        rows = new.map { row in old[row.setting.name].map(row.takingOver) ?? row }
        widestName = rows.reduce(0) { max($0, Glyphs.columns(of: String($1.setting.name.prefix(100)))) }
        keepEditing()
        refilter()
        if let index = rows.firstIndex(where: { $0.setting.name == name }) { list.select(index) }
    }

    /// The row whose value is typed has another place now, or is gone.
    private mutating func keepEditing() {
        guard case .editing(var editing) = mode else { return }
        guard let place = rows.firstIndex(where: { $0.setting.name == editing.name }) else {
            mode = .list
            return
        }
        editing.row = place
        mode = .editing(editing)
    }

    private mutating func note(_ row: Int, _ state: SettingState, _ who: String) {
        let old = rows[row].state.value ?? "no value"
        rows[row].state = state
        rows[row].news = who
        if rows[row].draft != nil { rows[row].conflict = who }
        // What has failed stays until somebody has pressed a key.
        if message?.style.contains(.red) != true {
            let now = state.value ?? "no value"
            message = Message(text: "\(rows[row].setting.name): \(old) -> \(now) by \(who)", style: .cyan)
        }
        if showsChangedOnly || !filter.isEmpty { refilter() }
    }

    private mutating func refilter() {
        let words = filter.lowercased().split(separator: " ").map { Array($0.utf8) }
        let shown = rows.indices.filter { index in
            let row = rows[index]
            if showsChangedOnly, !row.state.isChanged, row.draft == nil { return false }
            return words.allSatisfy { row.folded.contains(piece: $0) }
        }
        list.show(shown) { rows[$0].setting.name }
    }
}

/// What the keys do.
extension Model {
    private mutating func press(_ key: KeyPress) -> [Effect] {
        // Nothing is done that cannot be seen.
        if Layout(size).isTooSmall, !isAsking { return key == .character("q") ? perform(.quit) : [] }
        switch mode {
        case .list:
            if let command = Command(key) { return perform(command) }
            if case .character(let character) = key {
                message = Message(text: "\"\(character)\" does nothing here; ? shows what the keys do")
            }
        case .search(var line):
            switch key {
            case .enter: mode = .list
            case .escape: endSearch()
            case .up, .down, .pageUp, .pageDown: if let command = Command(key) { return perform(command) }
            default:
                guard line.handle(key) else { break }
                mode = .search(line)
                filter = line.text
                refilter()
            }
        case .command(var line):
            switch key {
            case .enter:
                mode = .list
                return run(line.text)
            case .escape: mode = .list
            case .backspace where line.text.isEmpty: mode = .list
            default: if line.handle(key) { mode = .command(line) }
            }
        case .editing(let editing): return edit(editing, key)
        case .asking(let question): return answer(question, key)
        case .help: mode = .list
        }
        return []
    }

    private var isAsking: Bool { if case .asking = mode { true } else { false } }

    /// Does a command.
    private mutating func perform(_ command: Command) -> [Effect] {
        let page = max(1, list.height - 1)
        switch command {
        case .up: list.move(by: -1)
        case .down: list.move(by: 1)
        case .pageUp: list.move(by: -page)
        case .pageDown: list.move(by: page)
        case .first: list.move(by: -rows.count)
        case .last: list.move(by: rows.count)
        case .search: mode = .search(LineEditor(filter))
        case .changed:
            showsChangedOnly.toggle()
            refilter()
        case .command: mode = .command(LineEditor())
        case .help: mode = .help
        case .cancel:
            if !filter.isEmpty {
                endSearch()
            } else if draftCount > 0 {
                mode = .asking(.cancel)
            }
        case .apply:
            quitsWhenApplied = false
            return apply()
        case .quit:
            guard draftCount > 0 else { return [.quit] }
            mode = .asking(.quit)
        case .edit, .next, .reset, .undo, .redo:
            guard let index = list.selected else { break }
            return change(index, command)
        }
        return []
    }

    private mutating func endSearch() {
        (mode, filter) = (.list, "")
        refilter()
    }

    private mutating func apply() -> [Effect] {
        guard draftCount > 0 else {
            message = Message(text: "the draft has no changes")
            return []
        }
        let names = rows.filter { $0.conflict != nil }.map(\.setting.name)
        guard names.isEmpty else {
            mode = .asking(.override(names))
            return []
        }
        return [.apply(overriding: false)]
    }

    private mutating func change(_ index: Int, _ command: Command) -> [Effect] {
        let row = rows[index]
        switch command {
        case .reset:
            if row.draft == nil, !row.state.isStored {
                message = Message(text: "\(row.setting.name) is not stored, so there is nothing to reset")
                return []
            }
            // A change that was never stored is simply dropped.
            return [row.state.isStored ? .reset(index) : .drop(index)]
        case .undo: return [row.draft == nil ? .undo(index) : .drop(index)]
        case .redo: return [.redo(index)]
        default: break
        }
        if let lock = row.state.lock {
            message = Message(text: "\(row.setting.name) is \(lock)", style: .yellow)
            return []
        }
        let present: String? =
            switch row.draft {
            case .set(let text): text
            case .reset: row.setting.standard?.typed
            case nil: row.state.typed
            }
        if command == .next {
            guard let next = row.setting.choice(after: present) else {
                message = Message(text: "\(row.setting.name) has no list of values; Enter edits it")
                return []
            }
            return [.set(index, next)]
        }
        let text = row.setting.isSecret ? "" : present ?? ""
        guard text.utf8.count <= 100_000 else {
            message = Message(
                text: "the value has \(text.utf8.count) bytes, too many to edit here; edit the file")
            return []
        }
        mode = .editing(Editing(name: row.setting.name, row: index, line: LineEditor(text)))
        return []
    }

    private mutating func edit(_ editing: Editing, _ key: KeyPress) -> [Effect] {
        var editing = editing
        switch key {
        case .escape: mode = .list
        case .enter: return [.set(editing.row, editing.line.text)]
        case .up, .down, .tab, .backTab:
            let isForward = key == .down || key == .tab
            let setting = rows[editing.row].setting
            guard let choice = setting.choice(after: editing.line.text, isForward: isForward) else { break }
            editing.line = LineEditor(choice)
            editing.refusal = nil
            mode = .editing(editing)
        default:
            guard editing.line.handle(key) else { break }
            editing.refusal = nil
            mode = .editing(editing)
        }
        return []
    }

    private mutating func answer(_ question: Question, _ key: KeyPress) -> [Effect] {
        switch (question, key) {
        case (_, .escape), (_, .character("n")):
            mode = .list
            quitsWhenApplied = false
        case (.quit, .character("a")):
            mode = .list
            quitsWhenApplied = true
            return apply()
        case (.quit, .character("d")): return [.quit]
        case (.cancel, .character("y")):
            mode = .list
            return [.dropAll]
        case (.override, .character("y")):
            mode = .list
            return [.apply(overriding: true)]
        default: break
        }
        return []
    }

    private mutating func interrupt() -> [Effect] {
        // Who presses it twice means it.
        if mode == .asking(.quit) { return [.quit] }
        if case .editing = mode { mode = .list }
        return perform(.quit)
    }

    /// Does what a line behind a colon says: a command, or a setting's name to go to.
    private mutating func run(_ line: String) -> [Effect] {
        let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true).map(String.init)
        guard let name = words.first else { return [] }
        if let index = rows.firstIndex(where: { $0.setting.name == line }) {
            if !list.entries.contains(.setting(index)) {
                showsChangedOnly = false
                endSearch()
            }
            list.select(index)
            return []
        }
        guard let command = Command(name: name) else {
            message = .failure("there is no command or setting \"\(name)\"; ? shows the commands")
            return []
        }
        if words.count == 2, command == .search {
            filter = words[1]
            refilter()
            return []
        }
        if words.count == 2, command == .edit, let index = list.selected, rows[index].state.lock == nil {
            return [.set(index, words[1])]
        }
        return perform(command)
    }
}

extension Setting {
    /// The allowed text that follows a text, or goes before it; the first one if it is none of them, nil if there is no list.
    func choice(after text: String?, isForward: Bool = true) -> String? {
        guard let first = choices.first else { return nil }
        guard let text, let index = choices.firstIndex(of: text) else { return first }
        return choices[(index + (isForward ? 1 : choices.count - 1)) % choices.count]
    }
}

extension [UInt8] {
    /// Whether some bytes are in these, one after the other.
    func contains(piece: [UInt8]) -> Bool {
        guard let first = piece.first else { return true }
        guard count >= piece.count else { return false }
        return withUnsafeBufferPointer { bytes in
            piece.withUnsafeBufferPointer { piece in
                for start in 0...(bytes.count - piece.count) where bytes[start] == first {
                    var length = 1
                    while length < piece.count, bytes[start + length] == piece[length] { length += 1 }
                    if length == piece.count { return true }
                }
                return false
            }
        }
    }
}
