import Foundation
import TestSupport
import Testing

/// The README is true: its code, and that of the tour, is compiled as it stands and run, each block as a program
/// of its own.
@Suite(.ownThread) struct ReadmeTests {
    private static let readme = "README.md"
    private static let tour = "Sources/TypedDefaults/TypedDefaults.docc/Tour.md"
    private static let promises = "Sources/TypedDefaults/TypedDefaults.docc/WhatSurvivesWhat.md"

    static var programs: [String] { programs(of: readme) + programs(of: tour) }

    @Test(arguments: programs)
    func `a code block of the README and of the tour compiles and runs`(_ program: String) throws {
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

    @Test func `the README has a program, and the tour two`() {
        #expect(ReadmeTests.programs(of: ReadmeTests.readme).count == 1)
        #expect(ReadmeTests.programs(of: ReadmeTests.tour).count == 2)
    }

    @Test func `each promise of the README stands in the table that names its tests`() {
        let promised = ReadmeTests.text(of: ReadmeTests.readme).matches(of: /(?m)^- \*\*(.+?\.)\*\*/)
            .map { String($0.output.1) }
        let table = ReadmeTests.text(of: ReadmeTests.promises)
        #expect(!promised.isEmpty)
        #expect(promised.filter { !table.contains("| **\($0)**") } == [])
    }

    private static func text(of page: String) -> String {
        do { return try String(contentsOf: packageRoot.appending(path: page), encoding: .utf8) } catch {
            return "\(page) cannot be read: \(error)"
        }
    }

    private static func programs(of page: String) -> [String] {
        var blocks: [String] = []
        var open: [Substring]?
        for line in text(of: page).split(separator: "\n", omittingEmptySubsequences: false) {
            if let lines = open {
                if line == "```" { blocks.append(lines.joined(separator: "\n")) }
                open = line == "```" ? nil : lines + [line]
            } else if line == "```swift" {
                open = []
            }
        }
        return blocks
    }
}
