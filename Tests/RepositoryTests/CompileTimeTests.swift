/// What a client's compiler accepts, what it refuses, and in which words.
import Foundation
import TestSupport
import Testing

@Suite(
    .enabled(
        if: FileManager.default.fileExists(atPath: "/proc/self/exe"), "The modules stand beside the tests."),
    .ownThread)
struct CompileTimeTests {
    @Test(arguments: try fixtures("Accepted"), ClientSettings.allCases)
    private func `the shapes of the interface compile`(_ fixture: URL, _ settings: ClientSettings) throws {
        #expect(try typeCheck([fixture], settings.flags) == Tool(status: 0, output: ""))
    }

    @Test(arguments: try fixtures("Refused"))
    private func `what is wrong is refused in the place and the words its comment names`(_ fixture: URL)
        throws
    {
        let expected = try refusals(markedIn: fixture)
        try #require(!expected.isEmpty)
        let compiler = try typeCheck([fixture])
        #expect(compiler.status != 0)
        let errors = compiler.output.split(separator: "\n")
            .filter { $0.hasPrefix(fixture.path) && $0.contains(": error: ") }
        for (line, words) in expected {
            #expect(
                errors.contains { $0.hasPrefix("\(fixture.path):\(line):") && $0.contains(words) },
                "line \(line) is not refused with \"\(words)\":\n\(compiler.output)")
        }
        let refusedLines = Set(
            errors.compactMap { $0.dropFirst(fixture.path.count + 1).split(separator: ":").first })
        #expect(refusedLines == Set(expected.keys.map { Substring("\($0)") }))
    }

    @Test func `every example in a doc comment compiles`() throws {
        let examples = try sourceFiles().flatMap(examples)
        try #require(examples.count > 10)
        let compiler = try typeCheck(examples)
        #expect(compiler.status == 0, "\(compiler.output)")
    }
}

/// How a client's own module may be set up.
private enum ClientSettings: CaseIterable {
    case plain, memberImportVisibility, mainActor

    var flags: [String] {
        switch self {
        case .plain: []
        case .memberImportVisibility: ["-enable-upcoming-feature", "MemberImportVisibility"]
        case .mainActor: ["-default-isolation", "MainActor"]
        }
    }
}

/// The files of a folder beside this one that are compiled by a test and belong to no target.
private func fixtures(_ folder: String) throws -> [URL] {
    let fixtures = packageRoot.appending(path: "Tests/RepositoryTests/Fixtures/\(folder)")
    let files = try FileManager.default.contentsOfDirectory(at: fixtures, includingPropertiesForKeys: nil)
    return files.filter { $0.pathExtension == "swift" }.sorted { $0.path < $1.path }
}

/// The lines of a fixture that end in `// refused: words`, from 1, with the words.
private func refusals(markedIn fixture: URL) throws -> [Int: String] {
    let lines = try String(contentsOf: fixture, encoding: .utf8).components(separatedBy: "\n")
    return lines.enumerated().reduce(into: [:]) { marks, line in
        guard let mark = line.element.range(of: "// refused: ") else { return }
        marks[line.offset + 1] = String(line.element[mark.upperBound...])
    }
}
