/// The pages for those who change the library name files and types that exist.
import Foundation
import TestSupport
import Testing

@Suite(.ownThread) struct InternalsTests {
    @Test func `a page for maintainers names files and types that are there`() throws {
        let known = try Known()
        let pages = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(pages.count >= 5)
        var gone: [String] = []
        for page in pages {
            let text = try String(contentsOf: folder.appending(path: page), encoding: .utf8)
            gone += known.missing(in: text).map { "\(page): \($0)" }
        }
        #expect(gone == [])
    }

    @Test func `a file or type that is gone is noticed`() throws {
        let gone = "Gone" + "Type"
        let text = "`Journal/Journal`, `Journal/\(gone)`, `\(gone).method`, `O_TMPFILE`, \(gone)"
        #expect(try Known().missing(in: text) == ["Journal/\(gone)", gone])
    }

    private let folder = packageRoot.appending(path: "Documentation/Internals")
}

/// What a page may name.
private struct Known {
    /// The source files without their ending, each with the folder that it is in: `Journal/Journal`.
    private var files: Set<String> = []
    private var words: Set<String> = []

    init() throws {
        for top in ["Sources", "Tests", "Tools/Sources"] {
            let folder = packageRoot.appending(path: top)
            for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
                let name = URL(filePath: path).deletingPathExtension()
                words.insert(name.lastPathComponent)
                guard path.hasSuffix(".swift") else { continue }
                files.insert(name.pathComponents.suffix(2).joined(separator: "/"))
                let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
                for word in text.matches(of: /[A-Z]\w+/) { words.insert(String(word.output)) }
            }
        }
    }

    /// Returns what a page names in code and nobody has, in its order.
    func missing(in page: String) -> [String] {
        let blocks = page.replacing(/(?s)```.*?```/, with: "")
        return blocks.matches(of: /`([^`\n]+)`/).flatMap { span -> [String] in
            let code = String(span.output.1)
            if code.wholeMatch(of: /[A-Z]\w+\/[A-Z][\w+]+/) != nil {
                return files.contains(code) ? [] : [code]
            }
            let names = code.matches(of: /\b[A-Z][a-z]\w*/).map { String($0.output) }
            return names.filter { !words.contains($0) }
        }
    }
}
