/// The examples in doc comments, as programs to compile.
import Foundation

/// One `swift` block of a doc comment.
struct DocExample {
    /// The source file it stands in.
    let path: String
    /// The line of its first line there, from 1.
    let line: Int
    /// Its lines, without the comment's mark.
    let lines: [String]

    /// A file in which the block compiles, with errors told at the place of the comment.
    ///
    /// Its statements stand in a function and its extensions beside that, since Swift takes none in a function.
    func program(_ number: Int) -> String {
        var (inside, beside) = (Part(), Part())
        var isExtension = false
        for (offset, text) in lines.enumerated() {
            let begins = text.hasPrefix("extension ")
            isExtension = isExtension || begins
            if isExtension {
                // An extension that declares a conformance takes no modifier.
                let isPlain = begins && !text.prefix { $0 != "{" }.contains(":")
                beside.add(isPlain ? "fileprivate \(text)" : text, at: line + offset, of: path)
            } else {
                inside.add(text, at: line + offset, of: path)
            }
            if text.hasPrefix("}") || begins && text.hasSuffix("}") { isExtension = false }
        }
        let head = imports + beside.lines
        return (head + ["func example\(number)() async throws {"] + inside.lines + ["}", ""])
            .joined(separator: "\n")
    }

    /// What somebody who uses the module of this file imports.
    private var imports: [String] {
        let modules = ["TypedDefaultsFoundation", "DefaultValueSourceConformance"].filter {
            path.contains("/\($0)/")
        }
        let foundation = modules.contains("TypedDefaultsFoundation") ? ["Foundation"] : []
        return (["TypedDefaults"] + modules + foundation).map { "import \($0)" }
    }

    /// Lines of the block that stay together, with the place of each run of them.
    private struct Part {
        private(set) var lines: [String] = []
        private var next: Int?

        mutating func add(_ text: String, at line: Int, of path: String) {
            if line != next { lines.append("#sourceLocation(file: \"\(path)\", line: \(line))") }
            lines.append(text)
            next = line + 1
        }
    }
}

/// The blocks of a source file's doc comments.
func examples(in file: URL) throws -> [DocExample] {
    let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
    var examples: [DocExample] = []
    var open: (line: Int, lines: [String])?
    for (offset, line) in lines.enumerated() {
        let comment = line.drop { $0 == " " }
        guard comment.hasPrefix("///") else { continue }
        let text = String(comment.dropFirst(comment.hasPrefix("/// ") ? 4 : 3))
        if text == "```swift" {
            open = (offset + 2, [])
        } else if text == "```", let block = open {
            examples.append(DocExample(path: file.path, line: block.line, lines: block.lines))
            open = nil
        } else {
            open?.lines.append(text)
        }
    }
    return examples
}

/// All Swift files of the package's own modules.
func sourceFiles() throws -> [URL] {
    let sources = packageRoot.appending(path: "Sources").path
    return try FileManager.default.subpathsOfDirectory(atPath: sources)
        .filter { $0.hasSuffix(".swift") }.sorted()
        .map { URL(filePath: sources).appending(path: $0) }
}
