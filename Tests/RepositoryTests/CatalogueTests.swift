/// The code on the pages of the DocC catalogues compiles, and the tests and commands they name exist.
import Foundation
import TestSupport
import Testing

@Suite(
    .enabled(
        if: FileManager.default.fileExists(atPath: "/proc/self/exe"), "The modules stand beside the tests."),
    .ownThread)
struct CatalogueTests {
    @Test func `every code block of the catalogues compiles`() throws {
        let programs = try pages().map(pageExample).filter { $0.lines.contains { !$0.isEmpty } }
            .filter { !isOfAnotherPackage($0) }
        try #require(programs.count > 15)
        let compiler = try typeCheck(programs)
        #expect(compiler.status == 0, "\(compiler.output)")
    }

    @Test func `a mistake in a page's code is told with its page and line`() throws {
        let folder = try TemporaryFolder()
        try folder.write("# Page\n\n```swift\nimport TypedDefaults\nlet a: Int = \"\"\n```\n", to: "Page.md")
        let page = URL(filePath: folder.path).appending(path: "Page.md")
        let compiler = try typeCheck([pageExample(page)])
        #expect(compiler.status != 0)
        #expect(compiler.output.contains("Page.md:5:"))
    }

    @Test func `a line of code on a page is at most 76 columns wide`() throws {
        let wide = try pages().flatMap { page in
            try pageExample(page).lines.enumerated().filter { $0.element.count > 76 }
                .map { "\(page.lastPathComponent):\($0.offset + 1)" }
        }
        #expect(wide == [])
    }

    @Test func `every promise has a row in the table of its tests, and every row is a promise`() throws {
        let page = try text(of: "Sources/TypedDefaults/TypedDefaults.docc/WhatSurvivesWhat.md")
        let promises = page.matches(of: /(?m)^- \*\*(.+?\.)\*\*/).map { String($0.output.1) }
        #expect(promises.count >= 11)
        #expect(
            try testsOfPromises().matches(of: /(?m)^\| \*\*(.+?\.)\*\* \|/).map { String($0.output.1) }
                == promises)
    }

    @Test func `every test that the table of promises names exists`() throws {
        let named = testNames(in: try testsOfPromises())
        #expect(named.count >= 40)
        let existing = try existingTestNames()
        #expect(named.filter { !existing.contains($0) } == [])
    }

    @Test func `the page of messages has the words of each code`() throws {
        let codes = try text(of: "Sources/DefaultsStore/Errors/DefaultsError+Code.swift")
        let messages = codes.matches(of: /Code\(\s*"\w+", "([^"]+)"/).map { String($0.output.1) }
        #expect(messages.count > 30)
        let page = try text(of: "Sources/TypedDefaults/TypedDefaults.docc/Troubleshooting.md")
        #expect(messages.filter { !page.contains("| \($0)") } == [])
    }

    @Test func `every call of defaultsctl on a page stands in its own README`() throws {
        let known = try text(of: "Tools/README.md")
        let calls = try pages().flatMap(lines).filter { $0.hasPrefix("defaultsctl ") }
        try #require(calls.count > 10)
        #expect(calls.filter { !known.contains($0) } == [])
    }

    @Test func `every page is on the front page, and every picture on a page`() throws {
        let catalogue = packageRoot.appending(path: "Sources/TypedDefaults/TypedDefaults.docc")
        let front = try text(of: "Sources/TypedDefaults/TypedDefaults.docc/TypedDefaults.md")
        let names = try FileManager.default.contentsOfDirectory(atPath: catalogue.path)
            .filter { $0.hasSuffix(".md") && $0 != "TypedDefaults.md" }.map { $0.dropLast(3) }
        #expect(names.filter { !front.contains("<doc:\($0)>") } == [])

        let all = try pages().flatMap(lines)
        let pictures = try FileManager.default
            .contentsOfDirectory(atPath: catalogue.appending(path: "Resources").path).map { $0.dropLast(4) }
        #expect(pictures.filter { name in !all.contains { $0.contains("](\(name))") } } == [])
    }
}

/// The pages of all catalogues.
private func pages() throws -> [URL] {
    let sources = packageRoot.appending(path: "Sources")
    return try FileManager.default.subpathsOfDirectory(atPath: sources.path)
        .filter { $0.contains(".docc/") && $0.hasSuffix(".md") }.sorted()
        .map { sources.appending(path: $0) }
}

/// The table of the tests that prove each promise.
private func testsOfPromises() throws -> String { try text(of: "Documentation/Internals/Promises.md") }

private func lines(of page: URL) throws -> [String] {
    try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n")
}

/// The code of a page, from top to bottom one program, each line where it stands on the page.
private func pageExample(_ page: URL) throws -> DocExample {
    var isCode = false
    let code = try lines(of: page).map { line in
        if line.hasPrefix("```") {
            isCode = line == "```swift"
            return ""
        }
        return isCode ? line : ""
    }
    return DocExample(path: page.path, line: 1, lines: code)
}

/// Whether a page's code needs a package below `Integrations`, whose own tests compile it.
private func isOfAnotherPackage(_ page: DocExample) -> Bool {
    ["TypedDefaultsEtcd", "TypedDefaultsHTTP", "DefaultsTerminal"].contains {
        page.lines.contains("import \($0)")
    }
}

private func text(of path: String) throws -> String {
    try String(contentsOf: packageRoot.appending(path: path), encoding: .utf8)
}
