/// XML property lists, well-formed and otherwise.
import Foundation
import TestSupport
import Testing
@testable import TypedDefaults
@testable import TypedDefaultsPropertyLists

struct XMLPropertyListTests {
    static let values: [(String, PropertyListValue)] = [
        ("<true/>", .bool(true)), ("<false />", .bool(false)), ("<true></true>", .bool(true)),
        ("<integer>-12</integer>", .integer(-12)), ("<integer> +7\n</integer>", .integer(7)),
        ("<integer>0xff</integer>", .integer(255)), ("<integer>-0x10</integer>", .integer(-16)),
        ("<integer>170141183460469231731687303715884105727</integer>", .integer(Int128.max)),
        ("<real>-1.5e3</real>", .real(-1_500)), ("<real>inf</real>", .real(.infinity)),
        ("<real>-Infinity</real>", .real(-.infinity)), ("<string/>", .string("")),
        ("<string> a </string>", .string(" a ")),
        ("<string>&lt;&gt;&amp;&quot;&apos;</string>", .string("<>&\"'")),
        ("<string>&#233;&#x1F600;</string>", .string("é😀")),
        ("<string>a<![CDATA[<b>&]]>c</string>", .string("a<b>&c")),
        ("<string>a<!-- no -->b</string>", .string("ab")),
        ("<data>\n\tAAEC\n\t/w==\n</data>", .data([0, 1, 2, 255])),
        ("<data/>", .data([])), ("<date>2001-01-02T00:00:00Z</date>", .date(86_400)),
        ("<!-- a --><array> <!-- b --> <true/> </array><!-- c -->", .array([.bool(true)])),
        ("<array/>", .array([])), ("<dict/>", .dictionary([])),
    ]

    @Test(arguments: values)
    func `every element is read`(text: String, value: PropertyListValue) throws {
        #expect(try PropertyListValue.read(PropertyListSample.xml(text)) == value)
    }

    /// A text, and the line, column and reason of its fault.
    static let faulty: [(String, Int, Int, String)] = [
        ("<integer>1.5</integer>", 3, 1, "the text is no <integer>"),
        ("<integer>--1</integer>", 3, 1, "the text is no <integer>"),
        ("<integer>170141183460469231731687303715884105728</integer>", 3, 1, "the text is no <integer>"),
        ("<real>0x1p3</real>", 3, 1, "the text is no <real>"),
        ("<real>1e999</real>", 3, 1, "the text is no <real>"),
        ("<real></real>", 3, 1, "the text is no <real>"),
        ("<date>yesterday</date>", 3, 1, "the text is no <date>"),
        ("<data>AAE</data>", 3, 1, "the text is no <data>"),
        ("<data>A*==</data>", 3, 1, "the text is no <data>"),
        ("<set/>", 3, 1, "the element is none a property list has"),
        ("<true>1</true>", 3, 1, "expected <true/>"),
        ("<string>&nbsp;</string>", 3, 9, "the entity is none XML knows"),
        ("<string>&#xD800;</string>", 3, 9, "the entity is none XML knows"),
        ("<string>&#+65;</string>", 3, 9, "the entity is none XML knows"),
        ("<string>&lt</string>", 3, 9, "the entity does not end"),
        ("<string>a\u{1}</string>", 3, 10, "a control character is not allowed in XML"),
        ("<string><b>a</b></string>", 3, 9, "expected text, not an element"),
        ("<string>a</strin>", 3, 10, "expected </string>"), ("<string>a", 4, 1, "expected </string>"),
        ("<dict>\n  <true/></dict>", 4, 3, "expected <key>"),
        ("<dict><key>a</key></dict>", 3, 19, "expected a key's value"),
        ("<dict><key>a</key><key>b</key></dict>", 3, 19, "expected a key's value"),
        ("<array>text</array>", 3, 8, "expected an element"), ("", 4, 1, "expected a value"),
        ("<true/><true/>", 3, 8, "expected </plist"), ("<!-- ", 3, 5, "a comment does not end"),
    ]

    @Test(arguments: faulty)
    func `what is no list is refused with its place`(text: String, line: Int, column: Int, reason: String) {
        let found = fault { try PropertyListValue.read(PropertyListSample.xml(text)) }
        #expect(found?.reason == reason)
        #expect(found?.line == line)
        #expect(found?.column == column)
    }

    static let wholes: [(String, String?)] = [
        ("\u{FEFF}<plist><true/></plist>", nil), ("<plist><true/></plist>\n<!-- end -->\n", nil),
        ("<?xml version='1.0' encoding='utf-8'?><plist><true/></plist>", nil),
        (
            "<?xml version=\"1.0\"?>\r\n<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://a/b.dtd\">\r\n"
                + "<plist version=\"1.0\"><true/></plist>", nil
        ),
        ("<?xml version='1.0' encoding='latin1'?><plist><true/></plist>", "the text's encoding is not UTF-8"),
        (
            "<!DOCTYPE plist [<!ENTITY a \"aaaa\">]><plist><string>&a;</string></plist>",
            "a document type with declarations of its own is refused"
        ),
        ("<plist><true/></plist><plist/>", "expected nothing more after </plist>"),
        ("<plist/>", "expected <plist>"), ("<dict/>", "expected <plist>"),
        ("<plist><true/>", "expected </plist"),
        ("<", "expected an element"), ("", "it is neither an XML nor a binary property list"),
        ("<plist><true/></plist", "expected >"),
    ]

    @Test(arguments: wholes)
    func `what stands around the value is checked`(text: String, reason: String?) {
        #expect(fault { try PropertyListValue.read(Array(text.utf8)) }?.reason == reason)
    }

    @Test func `bytes that are not UTF-8 are refused`() {
        let bytes = Array("<plist><string>".utf8) + [0xC3, 0x28] + Array("</string></plist>".utf8)
        #expect(fault { try PropertyListValue.read(bytes) }?.reason == "the text is not UTF-8")
    }

    @Test(arguments: [[0xFE, 0xFF, 0, 0x3C], [0xFF, 0xFE, 0x3C, 0]] as [[UInt8]])
    func `a list in UTF-16 is refused with what to do`(bytes: [UInt8]) {
        #expect(fault { try PropertyListValue.read(bytes) }?.reason == "the text is UTF-16; save it as UTF-8")
    }

    @Test(arguments: [(128, nil), (129, PropertyListFault.tooDeep)] as [(Int, String?)])
    func `elements nest 128 levels deep and no deeper`(levels: Int, reason: String?) {
        let open = String(repeating: "<array>", count: levels)
        let list = PropertyListSample.xml(open + String(repeating: "</array>", count: levels))
        #expect(fault { try PropertyListValue.read(list) }?.reason == reason)
    }

    @Test(.whole) func `a million values are too many`() {
        let list = PropertyListSample.xml(
            "<array>" + String(repeating: "<true/>", count: 1_000_000) + "</array>")
        #expect(fault { try PropertyListValue.read(list) }?.reason == PropertyListFault.tooMany)
    }
}
