/// What keys do, without a terminal.
@_spi(TypedDefaults) @testable import DefaultsTerminal
import DefaultsStore
import Testing

@Suite struct ModelTests {
    private let names = ["theme", "volume", "window.height", "window.width"]

    private func withDraft(_ text: String = "7") -> Model {
        var model = Model.of(names)
        _ = model.handle(.state(0, model.rows[0].state, .set(text)))
        return model
    }

    @Test func `the first screen has the settings, the first one in detail, and the keys`() {
        let text = Model.of(names).text
        #expect(text.contains("player") && text.contains("4 settings"))
        #expect(text.contains("> ") && text.contains("a number, 0 to 9, default 0"))
        #expect(
            text.contains("   window\n") && text.contains("     height") && !text.contains("window.height"))
        #expect(text.contains("Enter edit  / search"))
    }

    @Test func `the selection moves and stays on the screen`() {
        var model = Model.of((100..<400).map { "key\($0)" }, rows: 16)
        for (key, name) in [
            (KeyPress.down, "key101"), (.character("j"), "key102"), (.up, "key101"), (.end, "key399"),
            (.down, "key399"),
            (.pageUp, "key393"), (.home, "key100"), (.up, "key100"), (.pageDown, "key106"),
        ] {
            model.press(key)
            #expect(model.selectedName == name)
            #expect(model.text.contains("> ") && model.screen().lines.contains { $0.text.hasPrefix(">") })
        }
    }

    @Test func `a search shows what has all words, as they are typed, and ends with escape`() {
        var model = Model(title: "player", size: Screen.Size(columns: 80, rows: 24))
        _ = model.handle(
            .settings([
                .number("volume", description: "How LOUD it plays."), .number("voice"), .number("theme"),
            ]))
        model.press(.character("/"))
        model.type("vo")
        #expect(model.list.count == 2 && model.prompt == "/vo" && model.text.contains("2 of 3"))
        model.type(" loud")
        #expect(model.list.count == 1 && model.selectedName == "volume")
        model.press(.enter)
        #expect(model.list.count == 1 && model.prompt == "/vo loud")
        model.press(.escape)
        #expect(model.list.count == 3 && model.selectedName == "volume")
        model.press(.character("/"))
        model.type("q?")
        #expect(model.text.contains("Nothing fits") && model.selectedName == nil)
        #expect(model.press(.enter, .enter, .character("r"), .character("u"), .character(" ")) == [])
    }

    @Test func `ten thousand settings are searched at once`() {
        var model = Model.of((0..<10_000).map { "key\($0).of-many" })
        var best = Duration.seconds(60)
        for _ in 0..<5 {
            let time = ContinuousClock().measure {
                model.press(.character("/"))
                model.type("9")
                _ = model.screen()
            }
            best = min(best, time)
            model.press(.escape)
        }
        #expect(best < .milliseconds(isOptimized ? 50 : 1_000), "\(best)")
    }

    @Test func `changed only shows what is not at its default, and the draft`() {
        var model = Model.of(names)
        _ = model.handle(.state(1, .stored(5), nil))
        model.press(.character("c"))
        #expect(
            model.list.count == 1 && model.selectedName == "volume" && model.text.contains("changed only"))
        _ = model.handle(.state(0, model.rows[0].state, .set("7")))
        #expect(model.list.count == 2)
        model.press(.character("c"))
        #expect(model.list.count == 4)
    }

    @Test func `a text is edited with the hint of the rule, and what is refused is edited on`() {
        var model = Model.of(names)
        #expect(model.press(.enter) == [])
        #expect(
            model.text.contains("> 0")
                && model.text.contains("a number, 0 to 9") && model.text.contains("Enter draft"))
        #expect(model.press(.control("u"), .character("q"), .enter) == [.set(0, "q")])
        _ = model.handle(.refused("it is outside 0...9"))
        #expect(model.text.contains("it is outside 0...9") && model.text.contains("> q"))
        model.press(.backspace, .character("7"))
        #expect(!model.text.contains("it is outside"))
        #expect(model.press(.enter) == [.set(0, "7")])
        _ = model.handle(.state(0, model.rows[0].state, .set("7")))
        _ = model.handle(.drafted)
        #expect(
            model.mode == .list && model.text.contains(">* theme") && model.text.contains("in the draft: 7"))
        #expect(model.text.contains("1 in the draft"))
    }

    @Test func `allowed values are chosen with the arrows, and the next one with space`() {
        var model = Model(title: "player", size: Screen.Size(columns: 80, rows: 24))
        _ = model.handle(.settings([.number("theme", choices: ["0", "1", "2"]), .number("free")]))
        #expect(model.press(.character(" ")) == [.set(0, "1")])
        model.press(.enter)
        #expect(model.text.contains("one of: 0, 1, 2"))
        #expect(model.press(.up, .enter) == [.set(0, "2")])
        #expect(model.press(.down, .down, .enter) == [.set(0, "1")])
        model.press(.escape, .down)
        #expect(model.press(.character(" ")) == [] && model.prompt.contains("no list of values"))
    }

    @Test func `what is pasted is typed, and does nothing in the list`() {
        var model = Model.of(names)
        #expect(model.press(.paste("q\nq")) == [] && model.mode == .list)
        #expect(model.press(.enter, .control("u"), .paste("q\nq"), .enter) == [.set(0, "q\nq")])
        #expect(model.text.contains(#"> q\nq"#))
    }

    @Test func `reset and undo drop what was never stored, and ask for the rest`() {
        var model = withDraft()
        #expect(model.press(.character("u")) == [.drop(0)])
        #expect(model.press(.character("r")) == [.drop(0)])
        _ = model.handle(.state(0, .stored(5, "theme"), nil))
        #expect(model.press(.character("r")) == [.reset(0)])
        #expect(model.press(.character("u"), .character("U")) == [.undo(0), .redo(0)])
        _ = model.handle(.state(0, .stored(5, "theme"), .reset))
        #expect(model.text.contains("in the draft: back to the default"))
        model.press(.down)
        #expect(model.press(.character("r")) == [] && model.prompt.contains("not stored"))
    }

    @Test func `leaving asks where the draft has changes`() {
        var model = Model.of(names)
        #expect(model.press(.character("q")) == [.quit])
        model = withDraft()
        #expect(model.press(.character("q")) == [] && model.prompt.contains("1 change not stored"))
        #expect(model.press(.escape) == [] && model.mode == .list)
        #expect(model.press(.character("q"), .character("d")) == [.quit])
        model = withDraft()
        #expect(model.press(.character("q"), .character("a")) == [.apply(overriding: false)])
        #expect(model.handle(.applied(1)) == [.quit])
        model = withDraft()
        #expect(model.press(.character("q"), .character("a")) == [.apply(overriding: false)])
        #expect(model.handle(.said(.failure("no room"))) == [] && model.prompt == "no room")
        #expect(model.press(.character("a")) == [.apply(overriding: false)])
        #expect(model.handle(.applied(1)) == [])
        #expect(model.handle(.interrupt) == [] && model.handle(.interrupt) == [.quit])
    }

    @Test func `escape drops the draft once that is confirmed`() {
        var model = withDraft()
        #expect(model.press(.escape) == [] && model.prompt.contains("drop the draft's 1 change?"))
        #expect(model.press(.character("x"), .character("n")) == [] && model.mode == .list)
        #expect(model.press(.escape, .character("y")) == [.dropAll])
    }

    @Test func `a change by others is shown with who made it, and marked until it was looked at`() {
        var model = Model.of(names)
        _ = model.handle(.changed(1, .stored(8), by: "process 4711"))
        #expect(model.prompt == "volume: 0 -> 8 by process 4711")
        #expect(model.text.contains(" + volume"))
        model.press(.down)
        #expect(model.text.contains(">+ volume") && model.text.contains("changed by process 4711"))
        model.press(.up)
        #expect(!model.text.contains("+ volume"))
        _ = model.handle(.said(.failure("no room")))
        _ = model.handle(.changed(1, .stored(9), by: "process 4711"))
        #expect(model.prompt == "no room")
    }

    @Test func `what others have changed meanwhile is stored over only when that is confirmed`() {
        var model = withDraft()
        _ = model.handle(.changed(0, .stored(8, "theme"), by: "process 4711"))
        #expect(model.text.contains(">! theme") && model.text.contains("changed by process 4711 meanwhile"))
        #expect(model.press(.character("a")) == [] && model.prompt.contains("others have changed theme"))
        #expect(model.press(.escape) == [])
        #expect(model.press(.character("a"), .character("y")) == [.apply(overriding: true)])
        _ = model.handle(.conflicts(["theme"]))
        #expect(model.press(.character("y")) == [.apply(overriding: true)])
    }

    @Test func `a secret is shown nowhere, neither while it is typed`() {
        var model = Model(title: "player", size: Screen.Size(columns: 80, rows: 24))
        let row = Model.Row.number("token", isSecret: true)
        let suite = DefaultsSuite.inMemory()
        do { try suite.set(4711, forKey: "token") } catch { Issue.record(error) }
        _ = model.handle(.settings([Model.Row(row.setting, SettingState(of: row.setting, in: suite))]))
        #expect(model.text.contains("(secret)"))
        model.press(.enter)
        model.type("08 15")
        #expect(model.text.contains("> *****"))
        #expect(model.press(.enter) == [.set(0, "08 15")])
        let typing = model.text
        _ = model.handle(.state(0, model.rows[0].state, .set("08 15")))
        _ = model.handle(.drafted)
        for text in [typing, model.text] { #expect(!text.contains("4711") && !text.contains("08")) }
    }

    @Test func `everything can be done by its name too`() {
        var model = Model.of(names)
        func run(_ line: String) -> [Model.Effect] {
            model.press(.character(":"))
            return model.type(line) + model.press(.enter)
        }
        for command in Command.allCases {
            _ = run(command.rawValue)
            #expect(!model.prompt.contains("there is no command"), "\(command)")
            model.press(.escape, .escape)
        }
        #expect(run("vo") == [] && model.prompt.contains("no command or setting \"vo\""))
        #expect(run("window.width") == [] && model.selectedName == "window.width")
        #expect(run("edit 8") == [.set(3, "8")])
        #expect(run("search theme") == [] && model.list.count == 1)
        #expect(run("volume") == [] && model.selectedName == "volume" && model.list.count == 4)
        #expect(run("q") == [.quit])
        #expect(run("") == [])
        model.press(.character(":"), .backspace)
        #expect(model.mode == .list)
    }

    @Test func `the page of help has every command and fits the smallest terminal`() {
        var model = Model.of(names, columns: 60, rows: 16)
        model.press(.character("?"))
        for command in Command.allCases.prefix(while: { $0 != .up }) {
            #expect(model.text.contains(" \(command.rawValue) ") && !model.text.contains("…"), "\(command)")
        }
        #expect(model.text.contains("changed by others"))
        model.press(.character("q"))
        #expect(model.mode == .list)
    }

    @Test func `a terminal that is too small says so, keeps what is typed, and can be left`() {
        var model = Model.of(names)
        model.press(.enter, .character("7"))
        _ = model.handle(.resized(Screen.Size(columns: 59, rows: 16)))
        #expect(model.text.hasPrefix("This terminal has 59 columns and 16 rows; the settings need"))
        #expect(model.press(.character("x"), .enter, .escape) == [])
        _ = model.handle(.resized(Screen.Size(columns: 60, rows: 16)))
        #expect(model.text.contains("> 07"))
        model = withDraft()
        _ = model.handle(.resized(Screen.Size(columns: 30, rows: 4)))
        #expect(model.press(.character("q")) == [])
        #expect(model.text.contains("1 change not stored"))
        #expect(model.press(.character("d")) == [.quit])
    }

    @Test func `any screen is drawn at any size`() {
        var random = SystemRandomNumberGenerator()
        let keys: [KeyPress] = [
            .character("/"), .character("c"), .character("?"), .character(":"), .character(" "),
            .character("日"), .enter, .escape,
            .up, .down, .pageDown, .end, .home, .paste("a\u{1B}\n日"), .backspace, .tab, .character("a"),
            .character("r"),
        ]
        for _ in 0..<200 {
            var model = Model.of(names + ["日本語.設定", "a\u{1B}[31m", String(repeating: "x", count: 300)])
            for _ in 0..<30 {
                let size = Screen.Size(columns: .random(in: 1...210), rows: .random(in: 1...70))
                if Bool.random() { _ = model.handle(.resized(size)) }
                if Bool.random() {
                    _ = model.handle(.state(0, .stored(3, "theme"), Bool.random() ? .set("4") : nil))
                }
                model.press(keys.randomElement(using: &random) ?? .up)
                let screen = model.screen()
                #expect(screen.lines.allSatisfy { $0.cells.count == screen.size.columns })
            }
        }
    }

    @Test func `settings that come and go keep the selection, the draft and what is typed`() {
        var model = withDraft()
        _ = model.press(.down, .enter, .character("7"))
        _ = model.handle(.settings((["a", "b"] + names).map { Model.Row.number($0) }))
        #expect(model.selectedName == "volume" && model.text.contains("> 07"))
        #expect(model.press(.enter) == [.set(3, "07")])
        #expect(model.rows[2].draft == .set("7"))
        _ = model.handle(.settings(["a"].map { Model.Row.number($0) }))
        #expect(model.selectedName == "a" && model.mode == .list)
        _ = model.handle(.settings([]))
        #expect(model.text.contains("There are no settings."))
    }
}

/// Whether the tests are of a release build.
private let isOptimized: Bool = {
    var isDebug = false
    assert(
        {
            isDebug = true; return true
        }())
    return !isDebug
}()
