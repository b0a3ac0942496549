/// What a large text costs that is damaged everywhere, or has a name twice: each text is so long that work which grows with
/// its square would take minutes, and all of it hours.
@testable import DefaultsStore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60))) struct DamageCostTests {
    @Test(arguments: [
        "  \"x", "  \"x\" 1", "  \"x\": ,", "  \"x\": 1 2", "  \"x\": [", "  \"x\": [1, 2, {\"a\": t}],",
        "  \"x\": /x/ 1,",
    ])
    func `a text of many lines that do not parse is read once, and its first fault has its place`(
        line: String
    ) {
        let damage = String(repeating: line + "\n", count: Soak.part(of: 100_000))
        let text = "{\n  \"a\": 1,\n\(damage)  \"b\": 2\n}\n"
        let (document, fault) = SettingsDocument.read(Array(text.utf8))
        #expect(document.value(forKey: KeyName("a")) == StoredValue(1))
        #expect(document.value(forKey: KeyName("b")) == StoredValue(2))
        #expect(fault.map { (3...4).contains($0.line) } == true)
    }

    @Test func `removing 20,000 keys of a text with one name twice reads each name once`() {
        let lines = (0..<20_000).map { "  \"key \($0)\": \($0),\n" }.joined()
        let (document, _) = SettingsDocument.read(Array("{\n\(lines)  \"key 7\": 0\n}\n".utf8))
        #expect(document.duplicateKeys.map(\.key.string) == ["key 7"])
        #expect(document.applying(document.keys.map { ($0, nil) }).bytes == Array("{}\n".utf8))
    }

    @Test func `removing 10,000 keys of which each stands there twice reads each name once`() {
        let lines = (0..<10_000).map { "  \"key \($0)\": \($0),\n" }.joined()
        let (document, _) = SettingsDocument.read(Array("{\n\(lines)\(lines)  \"last\": 0\n}\n".utf8))
        let changes = document.keys.dropLast().map { (key: $0, value: StoredValue?.none) }
        #expect(document.applying(changes).bytes == Array("{\n  \"last\": 0\n}\n".utf8))
    }
}
