import Foundation
import TestSupport
import Testing

/// The README's code is compiled as it stands and run, each block as a program of its own.
@Suite(.ownThread) struct ReadmeTests {
    static let text: String = {
        do { return try String(contentsOf: packageRoot.appending(path: "README.md"), encoding: .utf8) } catch
        {
            return "README.md cannot be read: \(error)"
        }
    }()

    static var programs: [String] { blocks(fencedBy: "swift") }

    @Test(arguments: programs)
    func `a code block of the README compiles and runs`(_ program: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(program, to: "main.swift")
        let objects = try ["TypedDefaults", "DefaultsStore", "CTypedDefaults"].flatMap {
            try objectFiles(of: $0)
        }
        let compiled = try Tool.run(
            "swiftc",
            moduleOptions()
                + ["-swift-version", "6", "\(folder.path)/main.swift", "-o", "\(folder.path)/program"]
                + objects)
        #expect(compiled.status == 0, "\(compiled.output)")
        let run = try Tool.run(
            "env", ["-C", folder.path, "XDG_CONFIG_HOME=\(folder.path)/config", "./program"])
        #expect(run.status == 0, "\(run.output)")
    }

    @Test func `the README has code by line 10`() {
        let lines = ReadmeTests.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.prefix(10).contains("```swift"))
    }

    @Test func `every test the README names exists`() throws {
        let named = testNames(in: ReadmeTests.text)
        #expect(named.count >= 10)
        let existing = try existingTestNames()
        #expect(named.filter { !existing.contains($0) } == [])
    }

    private static func blocks(fencedBy language: String) -> [String] {
        var blocks: [String] = []
        var open: [Substring]?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if let lines = open {
                if line == "```" { blocks.append(lines.joined(separator: "\n")) }
                open = line == "```" ? nil : lines + [line]
            } else if line == "```" + language {
                open = []
            }
        }
        return blocks
    }
}
