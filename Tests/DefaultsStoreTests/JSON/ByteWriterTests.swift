/// The writer of the journal's lines writes what arrays and strings would.
@testable import DefaultsStore
import Libc
import Testing

@Suite struct ByteWriterTests {
    private func text(atMost count: Int = 200, _ body: (inout ByteWriter) -> Void) -> String {
        String(decoding: ByteWriter.bytes(atMost: count, body), as: UTF8.self)
    }

    @Test(arguments: [0, 7, 9, 10, -1, 4_194_304, .max, .min] as [Int32])
    func `a number is in decimal digits`(_ number: Int32) {
        #expect(text { $0.put(decimal: number) } == number.description)
    }

    @Test func `a number has as many hexadecimal digits as were asked for`() {
        #expect(text { $0.put(hexadecimal: 0xABC_DEF0_1234_5678, digits: 16) } == "0abcdef012345678")
        #expect(text { $0.put(hexadecimal: 0xFFFF_1234, digits: 4) } == "1234")
    }

    @Test(arguments: ["", "plain", "ü\u{1F600}", "a\"b", "a\\b", "\n\u{1}\u{1F}", "\u{7F}"])
    func `a text in quotes is what the writer of values makes of it`(_ string: String) {
        #expect(
            text { $0.put(quoted: KeyName(string)) }
                == String(decoding: JSONWriter.quoted(string), as: UTF8.self))
    }

    @Test(arguments: [nil, FaultInjection(FaultInjection.Rule("mmap", errno: ENOMEM))])
    func `a long text is whole, whether or not there are pages for it`(_ refused: FaultInjection?) {
        let long = Array(repeating: UInt8(ascii: "x"), count: 2 << 20)
        FaultInjection.$current.withValue(refused) {
            let written = ByteWriter.bytes(atMost: long.count + 2) { text in
                text.put("<")
                text.put(long[...])
                text.put(">")
            }
            #expect(written == "<".utf8 + long + ">".utf8)
        }
    }

    @Test func `what was left out is filled later, and the rest stays`() {
        let line = text { line in
            line.skip(4)
            line.put(UInt8(ascii: " "))
            line.put("static")
            line.put(Array("[1]".utf8)[1...])
            line.put(hexadecimal: 0xAB, digits: 4, at: 0)
        }
        #expect(line == "00ab static1]")
    }

    @Test func `what was written can be read while more is to come`() {
        let line = text { line in
            line.put("0123")
            let sum = line.written(from: 1).reduce(0) { $0 + Int($1) }
            line.put(decimal: Int32(sum))
        }
        #expect(line == "0123" + String(49 + 50 + 51))
    }

    #if compiler(>=6.2)
        @Test func `writing more than was said ends the program`() async {
            await #expect(processExitsWith: .failure) {
                _ = ByteWriter.bytes(atMost: 3) { $0.put("four") }
            }
        }
    #endif
}
