/// The pages for those who change the library, and the README, name files and types that exist.
import Foundation
import TestSupport
import Testing

@Suite(.ownThread) struct InternalsTests {
    @Test func `a page for maintainers names files and types that are there`() throws {
        let known = try Known()
        let internals = "Documentation/Internals"
        let pages = try FileManager.default.contentsOfDirectory(
            atPath: packageRoot.appending(path: internals).path)
        #expect(pages.count >= 5)
        var gone: [String] = []
        for page in pages.sorted().map({ "\(internals)/\($0)" }) + ["CONTRIBUTING.md", "README.md"] {
            let text = try String(contentsOf: packageRoot.appending(path: page), encoding: .utf8)
            gone += known.missing(in: text).map { "\(page): \($0)" }
        }
        #expect(gone == [])
    }

    @Test func `a file or type that is gone is noticed`() throws {
        let gone = "Gone" + "Type"
        let text =
            "`Journal/Journal`, `Journal/\(gone)`, `\(gone).method`, `O_TMPFILE`, \(gone), `Tests/\(gone)`"
        #expect(try Known().missing(in: text) == ["Journal/\(gone)", gone, "Tests/\(gone)"])
    }
}

/// What a page may name.
private struct Known {
    private static let tops = ["Sources", "Tests", "Tools", "Integrations", "Benchmarks", "Examples"]

    /// The source files without their ending, each with the folder that it is in: `Journal/Journal`.
    private var files: Set<String> = []
    /// The names of files and folders, and what begins with a capital in code.
    private var words: Set<String> = []

    init() throws {
        for top in Known.tops {
            let found = FileManager.default.enumerator(
                at: packageRoot.appending(path: top), includingPropertiesForKeys: nil,
                options: .skipsHiddenFiles)
            for case let file as URL in try #require(found) {
                let name = file.deletingPathExtension()
                words.insert(name.lastPathComponent)
                guard file.pathExtension == "swift" else { continue }
                files.insert(name.pathComponents.suffix(2).joined(separator: "/"))
                let text = try String(contentsOf: file, encoding: .utf8)
                for word in text.matches(of: /[A-Z]\w+/) { words.insert(String(word.output)) }
            }
        }
    }

    /// Returns what a page names in code and nobody has, in its order.
    func missing(in page: String) -> [String] {
        let blocks = page.replacing(/(?s)```.*?```/, with: "")
        return blocks.matches(of: /`([^`\n]+)`/).flatMap { span -> [String] in
            let code = String(span.output.1)
            if Known.tops.contains(where: { code.hasPrefix("\($0)/") }), !code.contains(/[ *]/) {
                let path = packageRoot.appending(path: code).path
                return FileManager.default.fileExists(atPath: path) ? [] : [code]
            }
            if code.wholeMatch(of: /[A-Z]\w+\/[A-Z][\w+]+/) != nil {
                return files.contains(code) ? [] : [code]
            }
            let names = code.matches(of: /\b[A-Z][a-z]\w*/).map { String($0.output) }
            return names.filter { !words.contains($0) }
        }
    }
}
