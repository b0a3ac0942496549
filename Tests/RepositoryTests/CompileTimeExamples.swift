/// The examples in doc comments and on pages, as programs to compile.
import Foundation
import TestSupport

/// One `swift` block of a doc comment, or all of a page.
struct DocExample {
    /// The source file or page it stands in.
    let path: String
    /// The line of its first line there, from 1.
    let line: Int
    /// Its lines, without the comment's mark.
    let lines: [String]

    /// A file in which the block compiles, with errors told at the place of the comment.
    ///
    /// Its statements stand in a function and its types and extensions beside that, since Swift takes no extension in a
    /// function.
    func program(_ number: Int) -> String {
        var (head, inside, beside) = (Part(), Part(), Part())
        var isDeclaration = false
        for (offset, text) in lines.enumerated() where !text.isEmpty {
            let declaration = fileprivateDeclaration(text)
            isDeclaration = isDeclaration || declaration != nil
            if text.hasPrefix("import ") {
                head.add(text, at: line + offset, of: path)
            } else if isDeclaration {
                beside.add(declaration ?? text, at: line + offset, of: path)
            } else {
                inside.add(text, at: line + offset, of: path)
            }
            if text.hasPrefix("}") || declaration != nil && text.hasSuffix("}") { isDeclaration = false }
        }
        let outside = (head.lines.isEmpty ? imports : head.lines) + beside.lines
        return (outside + ["func example\(number)() async throws {"] + inside.lines + ["}", ""])
            .joined(separator: "\n")
    }

    /// The first line of a type or an extension, kept to its file; nil for any other line.
    private func fileprivateDeclaration(_ text: String) -> String? {
        let words = /^(?:@\w+ )*(?=(?:final )?(?<kind>extension|struct|enum|class|actor|protocol) )/
        guard let match = text.prefixMatch(of: words) else { return nil }
        // An extension that declares a conformance takes no modifier.
        if match.kind == "extension", text.prefix(while: { $0 != "{" }).contains(":") { return text }
        return text[match.range] + "fileprivate " + text[match.range.upperBound...]
    }

    /// What somebody who uses the module of this file imports.
    private var imports: [String] {
        let modules = [
            "TypedDefaultsCompatibility", "TypedDefaultsFoundation", "DefaultValueSourceConformance",
        ].filter { path.contains("/\($0)/") }
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

/// Type-checks examples as the files of one module.
func typeCheck(_ examples: [DocExample]) throws -> Tool {
    let folder = try TemporaryFolder()
    let files = try examples.enumerated().map { number, example in
        try folder.write(example.program(number), to: "Example\(number).swift")
        return URL(filePath: "\(folder.path)/Example\(number).swift")
    }
    return try typeCheck(files)
}

/// Type-checks files of one module against the modules that were built with the tests.
func typeCheck(_ files: [URL], _ flags: [String] = []) throws -> Tool {
    let mode = ["-typecheck", "-parse-as-library", "-swift-version", "6", "-module-name", "Client"]
    return try Tool.run("swiftc", mode + moduleOptions() + flags + files.map(\.path))
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
