/// A file that a person wrote: everything the program does not write stays as it is, byte for byte.
import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.ownThread) struct HandWrittenFileTests {
    private static let text = """
        {
          // how loud
          "volume": 0.5,
            "big" : 123456789012345678901234567890,
          /* kept */ "list": [1, 2,],   "e\\u0301": "x",
          "unknown": {"b": 1, "a": 1e400}, // the end
        }

        """
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(Self.text, to: "team.json")
        suite = try DefaultsSuite(file: folder.path + "/team.json")
    }

    @Test func `all values are read`() throws {
        #expect(suite.double(forKey: "volume") == 0.5)
        #expect(suite.string(forKey: "big") == "123456789012345678901234567890")
        #expect(suite.value(forKey: "list") == [1, 2])
        #expect(Set(try suite.storedValues().keys) == ["big", "e\u{301}", "list", "unknown", "volume"])
    }

    @Test func `reading leaves the file's bytes and times alone`() throws {
        let before = try FileManager.default.attributesOfItem(atPath: folder.path + "/team.json")
        _ = suite.dictionaryRepresentation()
        let after = try FileManager.default.attributesOfItem(atPath: folder.path + "/team.json")
        #expect(try folder.read("team.json") == Self.text)
        #expect(before[.modificationDate] as? Date == after[.modificationDate] as? Date)
        #expect(before[.systemFileNumber] as? NSNumber == after[.systemFileNumber] as? NSNumber)
    }

    @Test func `a write changes the bytes of its value alone (F1)`() throws {
        try suite.set(0.75, forKey: "volume")
        #expect(try folder.read("team.json") == Self.text.replacingOccurrences(of: "0.5", with: "0.75"))
    }

    @Test func `a new key stands behind the last member and everything else stays`() throws {
        try suite.set(true, forKey: "new")
        let text = try folder.read("team.json")
        #expect(
            text.replacingOccurrences(of: "\n  \"new\": true", with: "").filter { $0 != "," }
                == Self.text.filter { $0 != "," })
        #expect(try suite.storedValues()["new"] == true)
    }

    @Test func `setting the value that stands there in another spelling changes nothing else`() throws {
        try suite.set([1, 2], forKey: "list")
        #expect(try suite.storedValues()["list"] == [1, 2])
        #expect(try folder.read("team.json").contains("/* kept */ \"list\": ["))
    }
}
