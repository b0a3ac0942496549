/// The terminal shows what the screen has, and is sent what has changed alone.
@_spi(TypedDefaults) @testable import DefaultsTerminal
import Testing

@Suite struct RendererTests {
    private static let texts = [
        "", "a", "volume 0.5", "日本語テキスト", "x日y本z", "👨‍👩‍👧 family", "e\u{301}e\u{301}", "─────",
    ]

    private func screen(_ random: inout some RandomNumberGenerator, _ size: Screen.Size) -> Screen {
        var screen = Screen(size)
        for row in 0..<size.rows where Bool.random(using: &random) {
            var line = Line(width: size.columns)
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                line.skip(to: Int.random(in: 0...size.columns, using: &random))
                line.add(
                    Self.texts.randomElement(using: &random) ?? "",
                    Style(rawValue: UInt8.random(in: 0...127, using: &random)))
            }
            screen[row] = line
        }
        if Bool.random(using: &random) {
            screen.cursor = Screen.Place(row: 0, column: Int.random(in: 0..<size.columns, using: &random))
        }
        return screen
    }

    @Test func `after any screens the terminal shows the last one`() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<40 {
            let size = Screen.Size(columns: Int.random(in: 1...40), rows: Int.random(in: 1...8))
            var (renderer, emulator) = (Renderer(hasColour: true), Emulator(size))
            emulator.feed(Array("\u{1B}[?25l\u{1B}[?7l".utf8))
            for _ in 0..<20 {
                let screen = screen(&random, size)
                emulator.feed(renderer.bytes(for: screen))
                #expect(emulator.text == screen.text)
                #expect(emulator.hasCursor == (screen.cursor != nil))
                if let cursor = screen.cursor { #expect(emulator.cursor == cursor) }
                #expect(emulator.unknown == [])
            }
        }
    }

    @Test func `a screen that is shown costs nothing`() {
        var renderer = Renderer(hasColour: true)
        let screen = Model.of(["a", "b"]).screen()
        #expect(!renderer.bytes(for: screen).isEmpty)
        #expect(renderer.bytes(for: screen) == [])
        renderer.forget()
        #expect(!renderer.bytes(for: screen).isEmpty)
    }

    @Test func `a typed character costs a few bytes`() {
        var model = Model.of(["a", "b"], columns: 200, rows: 60)
        var renderer = Renderer(hasColour: true)
        _ = renderer.bytes(for: model.screen())
        model.press(.enter)
        _ = renderer.bytes(for: model.screen())
        model.press(.character("7"))
        #expect(renderer.bytes(for: model.screen()).count <= 24)
    }

    @Test func `a step in the list costs its two lines and what is said about the setting`() {
        var model = Model.of((10..<90).map { "key\($0)" })
        var renderer = Renderer(hasColour: true)
        let whole = renderer.bytes(for: model.screen()).count
        model.press(.down)
        let step = renderer.bytes(for: model.screen()).count
        #expect(step < 500 && step < whole / 3, "\(step) of \(whole)")
    }

    @Test func `NO_COLOR leaves out the colours alone`() {
        let screen = Model.of(["a"]).screen()
        var (plain, coloured) = (Renderer(hasColour: false), Renderer(hasColour: true))
        var emulator = Emulator(screen.size)
        emulator.feed(plain.bytes(for: screen))
        #expect(emulator.styles.isSuperset(of: ["1", "7"]))
        #expect(emulator.styles.isDisjoint(with: ["31", "32", "33", "36"]))
        emulator.feed(coloured.bytes(for: screen))
        #expect(emulator.styles.contains("36"))
    }
}
