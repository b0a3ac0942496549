/// The screen of a model.
extension Model {
    /// Returns what the terminal is to show.
    func screen() -> Screen {
        let layout = Layout(size)
        var screen = Screen(size)
        if layout.isTooSmall {
            drawTooSmall(on: &screen)
            return screen
        }
        screen[0] = header
        if mode == .help {
            drawHelp(on: &screen, rows: 1..<layout.prompt + 1)
        } else {
            drawList(on: &screen)
            screen[layout.list + 1] = rule
            let rows = layout.list + 2..<layout.prompt
            if case .editing(let editing) = mode {
                draw(editing, on: &screen, rows)
            } else if let selected {
                draw(selected, on: &screen, rows)
            }
        }
        if mode != .help { drawPrompt(on: &screen, row: layout.prompt) }
        screen[size.rows - 1] = keys
        return screen
    }

    private var emptyLine: Line { Line(width: size.columns) }

    private func drawTooSmall(on screen: inout Screen) {
        var text =
            "This terminal has \(size.columns) columns and \(size.rows) rows; the settings need "
            + "\(Layout.least.columns) and \(Layout.least.rows). q leaves."
        if case .asking(let question) = mode { text = words(for: question) }
        for (row, part) in Glyphs.wrapped(text, columns: size.columns, most: size.rows).enumerated() {
            screen[row].replace(part)
        }
    }

    private var header: Line {
        var facts: [String] = []
        if !filter.isEmpty || showsChangedOnly {
            facts.append("\(list.count) of \(rows.count)")
        } else {
            facts.append(rows.count == 1 ? "1 setting" : "\(rows.count) settings")
        }
        if showsChangedOnly { facts.append("changed only") }
        if draftCount > 0 { facts.append("\(draftCount) in the draft") }
        let right = facts.joined(separator: ", ")
        var line = emptyLine
        line.add(" ", .reverse)
        line.add(title, [.reverse, .bold], columns: max(10, size.columns - Glyphs.columns(of: right) - 4))
        line.add("  " + right, .reverse)
        line.skip(to: size.columns, .reverse)
        return line
    }

    private var rule: Line {
        var line = emptyLine
        line.add(String(repeating: "─", count: size.columns), .faint)
        return line
    }
}

/// The list.
extension Model {
    private func drawList(on screen: inout Screen) {
        if list.entries.isEmpty {
            let reason =
                rows.isEmpty
                ? "There are no settings."
                : "Nothing fits; Esc ends the search\(showsChangedOnly ? ", c shows all" : "")."
            screen[1].replace("   " + reason, .faint)
        }
        var group: String?
        for (row, entry) in list.visible.enumerated() {
            switch entry {
            case .group(let name):
                group = name
                var line = emptyLine
                line.add("   " + name, [.bold, .faint])
                screen[row + 1] = line
            case .setting(let index):
                let isInGroup =
                    group != nil && SettingList.group(rows[index].setting.name).map(String.init) == group
                screen[row + 1] = listLine(
                    rows[index], isSelected: index == list.selected, isInGroup: isInGroup)
            }
        }
    }

    private func listLine(_ row: Row, isSelected: Bool, isInGroup: Bool) -> Line {
        let (mark, markStyle) = row.mark
        let name =
            isInGroup
            ? "  " + row.setting.name.drop { $0 != "." }.dropFirst() : row.setting.name
        let style: Style = row.state.lock == nil ? [] : .faint
        let nameColumns = max(8, min(widestName, size.columns * 2 / 5))
        let rest = size.columns - 3 - nameColumns - 2
        let origin = size.columns >= 100 ? 18 : 0
        let value = rest < 30 ? rest : max(12, min(40, (rest - origin) * 2 / 5))
        var line = emptyLine
        line.add(isSelected ? ">" : " ", .bold)
        line.add(mark + " ", markStyle)
        line.add(name, style.union(row.state.isChanged ? .bold : []), columns: nameColumns)
        line.add("  ")
        line.add(row.shownValue, style.union(row.valueStyle), columns: value)
        if origin > 0 { line.add("  " + row.state.origin, .faint, columns: origin + 2) }
        if line.room > 4, let description = row.setting.description {
            line.add("  ")
            line.add(description, .faint)
        }
        line.skip(to: size.columns)
        return isSelected ? line.reversed : line
    }
}

extension Model.Row {
    /// The sign in front of the name, of which the page of help says what it means.
    fileprivate var mark: (String, Style) {
        if conflict != nil { return ("!", [.red, .bold]) }
        if draft != nil { return ("*", [.yellow, .bold]) }
        if state.refusal != nil { return ("!", [.red, .bold]) }
        if news != nil { return ("+", [.cyan, .bold]) }
        return state.lock == nil ? (" ", []) : ("=", .faint)
    }

    fileprivate var shownValue: String {
        switch draft {
        case .set(let text): setting.isSecret ? SettingState.hidden : text
        case .reset: setting.isSecret ? SettingState.hidden : setting.standard?.typed ?? "(not set)"
        case nil: state.value ?? "(not set)"
        }
    }

    fileprivate var valueStyle: Style {
        if draft != nil { return .yellow }
        return state.value == nil ? .faint : .green
    }
}

/// What is said about one setting.
extension Model {
    private func title(of row: Row) -> Line {
        var line = emptyLine
        line.add(" ")
        line.add(row.setting.name, [.bold, .cyan])
        line.add("   " + row.setting.expectation, .faint)
        return line
    }

    private func draw(_ row: Row, on screen: inout Screen, _ rows: Range<Int>) {
        var lines = [title(of: row)]
        for part in Glyphs.wrapped(
            row.setting.description ?? "", columns: size.columns - 2, most: max(1, rows.count / 4))
        {
            lines.append(noted(part))
        }
        switch row.draft {
        case .set: lines.append(noted("in the draft: \(row.shownValue)", .yellow))
        case .reset: lines.append(noted("in the draft: back to the default", .yellow))
        case nil: break
        }
        if let who = row.conflict { lines.append(noted("changed by \(who) meanwhile", [.red, .bold])) }
        if let lock = row.state.lock { lines.append(noted(lock, .yellow)) }
        if let refusal = row.state.refusal { lines.append(noted(refusal, .red)) }
        if let who = row.news, row.conflict == nil { lines.append(noted("changed by \(who)", .cyan)) }
        lines += row.state.explanations.map(explanation)
        for (place, line) in zip(rows, lines) { screen[place] = line }
    }

    private func noted(_ text: String, _ style: Style = []) -> Line {
        var line = emptyLine
        line.add(" ")
        line.add(text, style)
        return line
    }

    private func explanation(_ own: SettingState.Explanation) -> Line {
        var line = emptyLine
        let style: Style = own.applies ? [] : .faint
        line.add(own.applies ? " * " : "   ", .bold)
        line.add(own.domain, style, columns: 12)
        line.add(own.text, own.applies ? .green : .faint, columns: max(10, size.columns / 5))
        line.add("  ")
        let outcome = own.applies ? "" : own.outcome
        line.add(own.place, .faint, columns: max(8, line.room - Glyphs.columns(of: outcome) - 2))
        line.add("  " + outcome, .faint)
        return line
    }

    private func draw(_ editing: Editing, on screen: inout Screen, _ rows: Range<Int>) {
        let row = self.rows[editing.row]
        screen[rows.lowerBound] = title(of: row)
        var typed = emptyLine
        typed.add(" > ", .bold)
        let column = editing.line.add(to: &typed, isSecret: row.setting.isSecret)
        screen[rows.lowerBound + 1] = typed
        screen.cursor = Screen.Place(row: rows.lowerBound + 1, column: column)
        var notes: [Line] = []
        let room = rows.count - 2
        if let refusal = editing.refusal {
            notes += Glyphs.wrapped(refusal, columns: size.columns - 2, most: room).map {
                noted($0, [.red, .bold])
            }
        }
        if !row.setting.choices.isEmpty {
            let choices = "one of: " + row.setting.choices.joined(separator: ", ")
            notes += Glyphs.wrapped(choices, columns: size.columns - 2, most: 2).map { noted($0, .cyan) }
        }
        if let description = row.setting.description {
            notes += Glyphs.wrapped(description, columns: size.columns - 2, most: room).map { noted($0) }
        }
        for (place, line) in zip(rows.dropFirst(2), notes) { screen[place] = line }
    }
}

extension Setting {
    /// What a value is to be, on one line.
    fileprivate var expectation: String {
        let isPlain = choices.isEmpty || kind.hasPrefix("true or false")
        let kind = isPlain ? kind : "one of " + choices.joined(separator: ", ")
        let parts = [kind, rule, standard.map { isSecret ? "" : "default \($0.typed)" }]
        return parts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ", ")
    }
}

/// The two rows at the bottom, and the page of help.
extension Model {
    private func drawPrompt(on screen: inout Screen, row: Int) {
        var line = emptyLine
        switch mode {
        case .search(let typed), .command(let typed):
            if case .search = mode { line.add("/", .bold) } else { line.add(":", .bold) }
            screen.cursor = Screen.Place(row: row, column: typed.add(to: &line))
        case .asking(let question): line.add(words(for: question), [.yellow, .bold])
        case .list, .editing, .help:
            if let message {
                return draw(message, on: &screen, row: row)
            } else if let fault {
                return draw(.failure(fault), on: &screen, row: row)
            } else if !filter.isEmpty {
                line.add("/" + filter, .faint)
            }
        }
        screen[row] = line
    }

    /// Draws a message; one that is longer than a row takes some of those above, too.
    private func draw(_ message: Message, on screen: inout Screen, row: Int) {
        let parts = Glyphs.wrapped(message.text, columns: size.columns, most: Layout(size).detail - 2)
        for (place, part) in parts.enumerated() {
            screen[row - parts.count + 1 + place].replace(part, message.style)
        }
    }

    private func words(for question: Question) -> String {
        let changes = draftCount == 1 ? "1 change" : "\(draftCount) changes"
        switch question {
        case .quit: return "\(changes) not stored: a stores and leaves, d drops and leaves, Esc stays"
        case .cancel: return "drop the draft's \(changes)? y drops, Esc keeps"
        case .override(let names):
            let list = names.prefix(3).joined(separator: ", ") + (names.count > 3 ? ", ..." : "")
            return "y stores yours, Esc keeps theirs for now: others have changed \(list)"
        }
    }

    private var keys: Line {
        var words: [String]
        switch mode {
        case .list:
            words = [
                "Enter edit", "/ search", "r reset", "u undo", "c changed", "a apply", "Esc drop", "? help",
                "q quit",
            ]
        case .search: words = ["Enter keep", "Esc end", "Up Down move"]
        case .command: words = ["Enter do it", "Esc back", "a command, or a setting to go to"]
        case .editing(let editing):
            words = ["Enter draft", "Esc back", "^U clear"]
            if !rows[editing.row].setting.choices.isEmpty { words.insert("Up Down choose", at: 1) }
        case .asking: words = ["Esc back"]
        case .help: words = ["any key leaves this page"]
        }
        if mode == .list, draftCount == 0 { words.removeAll { $0 == "Esc drop" } }
        // The rarest first.
        for rare in ["c changed", "u undo", "r reset"]
        where words.joined(separator: "  ").count > size.columns - 2 {
            words.removeAll { $0 == rare }
        }
        var line = emptyLine
        line.add(" " + words.joined(separator: "  "), .faint)
        return line
    }

    private func drawHelp(on screen: inout Screen, rows: Range<Int>) {
        var lines = Command.allCases.prefix { $0 != .up }.map { command in
            var line = emptyLine
            line.add("  ")
            line.add(command.keyNames, .bold, columns: 7)
            line.add(command.rawValue, .cyan, columns: 9)
            line.add(command.summary)
            return line
        }
        var line = emptyLine
        line.add("  Up k, Down j, PgUp, PgDn, Home g, End G", .bold)
        line.add(" move")
        lines.append(line)
        lines.append(noted("* draft  + changed by others  ! conflict, refused  = locked", .faint))
        for (place, line) in zip(rows, lines) { screen[place] = line }
    }
}

extension Line {
    /// Puts a text in the place of what is there.
    fileprivate mutating func replace(_ text: String, _ style: Style = []) {
        var line = Line(width: width)
        line.add(text, style)
        self = line
    }
}
