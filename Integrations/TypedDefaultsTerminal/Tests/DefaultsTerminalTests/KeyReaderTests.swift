/// Keys are read from whatever pieces their bytes come in.
@_spi(TypedDefaults) @testable import DefaultsTerminal
import Testing

@Suite struct KeyReaderTests {
    private static let typed =
        "aé日👍\u{1B}[A\u{1B}[B\u{1B}OC\u{1B}[5~\u{1B}[6~\u{1B}[H\u{1B}[4~\u{1B}[3~\u{1B}[Z\r\t\u{7F}\u{1}"
        + "\u{1B}[200~q\n\u{1B}[A日\u{1B}[201~x\u{1B}[99;5uz"
    private static let keys: [KeyPress] = [
        .character("a"), .character("é"), .character("日"), .character("👍"), .up, .down, .right, .pageUp,
        .pageDown, .home, .end,
        .delete, .backTab, .enter, .tab, .backspace, .control("a"), .paste("q\n\u{1B}[A日"), .character("x"),
        .character("z"),
    ]

    @Test(arguments: 1...12)
    func `keys are the same in pieces of any length`(_ length: Int) {
        var reader = KeyReader()
        var keys: [KeyPress] = []
        var rest = Array(Self.typed.utf8)[...]
        while !rest.isEmpty {
            reader.add(Array(rest.prefix(length)))
            rest = rest.dropFirst(length)
            while let key = reader.next() { keys.append(key) }
        }
        #expect(keys == Self.keys)
        #expect(!reader.isWaiting)
    }

    @Test func `an escape alone is a key once nothing more comes`() {
        var reader = KeyReader()
        reader.add([0x1B])
        #expect(reader.next() == nil && reader.isWaiting)
        #expect(reader.next(isAll: true) == .escape)
        reader.add([0x1B, UInt8(ascii: "q")])
        #expect(reader.next() == .escape)
        #expect(reader.next() == .character("q"))
        reader.add(Array("\u{1B}[".utf8))
        #expect(reader.next() == nil)
        #expect(reader.next(isAll: true) == nil && !reader.isWaiting)
    }

    @Test func `bytes that are no text do no harm`() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            var reader = KeyReader()
            reader.add((0..<40).map { _ in UInt8.random(in: 0...255, using: &random) })
            var count = 0
            while reader.next(isAll: true) != nil { count += 1 }
            #expect(count <= 40)
        }
    }

    @Test func `a line is edited as in a shell`() {
        var line = LineEditor("one two")
        func after(_ keys: KeyPress...) -> String {
            for key in keys {
                let isTaken = line.handle(key)
                #expect(isTaken)
            }
            return line.text
        }
        #expect(after(.control("w")) == "one ")
        #expect(after(.paste("three\n"), .home, .delete) == "ne three")
        #expect(after(.right, .character("x"), .left, .backspace) == "xe three")
        #expect(after(.control("k")) == "")
        #expect(after(.backspace, .delete, .left, .right) == "")
        #expect(after(.character("e"), .character("\u{301}"), .backspace) == "")
        let isTaken = [KeyPress.enter, .up].map { line.handle($0) }
        #expect(isTaken == [false, false])
    }

    @Test(arguments: [1, 2, 5, 20])
    func `the cursor is always within the line`(_ width: Int) {
        var editor = LineEditor("日本語 and more than that")
        for key in [KeyPress.left, .home, .right, .right, .end] {
            _ = editor.handle(key)
            var line = Line(width: width)
            line.add(">")
            let column = editor.add(to: &line)
            #expect((0..<width).contains(column) && line.cells.count <= width)
        }
    }
}
