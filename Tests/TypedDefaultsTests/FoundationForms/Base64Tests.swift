/// Base64 against Foundation's.
import Foundation
import Testing
import TypedDefaults

struct Base64Tests {
    @Test(arguments: 0...20) func `bytes of every length are written as Foundation writes them`(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 89 &+ 251) }
        let text = Base64.text(of: bytes)
        #expect(text == Data(bytes).base64EncodedString())
        #expect(Base64.bytes(of: text.utf8) == bytes)
    }

    @Test(arguments: ["A", "AA", "AAA", "A===", "AA=A", "AA==A", "AAAAA===", "====", "AA-_", "é"])
    func `what is not base64 is nothing`(text: String) {
        #expect(Base64.bytes(of: text.utf8) == nil)
    }

    @Test func `white space may stand anywhere`() {
        #expect(Base64.bytes(of: " A\nA\tE\rC /w = = ".utf8) == [0, 1, 2, 255])
    }
}
