/// Folders are layers: a file uses types of its own folder and of those below it, never of those above.
import Foundation
import TestSupport
import Testing

@Suite(.ownThread) struct LayeringTests {
    @Test(arguments: Module.all)
    private func `no file uses a type of a folder above its own`(_ module: Module) throws {
        let files = try sourceFiles(of: module)
        #expect(!files.isEmpty)
        #expect(module.violations(in: files) == [])
    }

    @Test func `a use of a type above is named with its file, type and rule`() {
        let below = SourceFile(
            path: "Journal/Journal.swift", text: "struct Journal { let suite: DefaultsSuite }")
        let above = SourceFile(path: "API/DefaultsSuite.swift", text: "public final class DefaultsSuite {}")
        let rule = "Journal/Journal.swift uses DefaultsSuite of API/, which is above Journal/"
        #expect(Module.engine.violations(in: [below, above]) == [rule])
    }

    @Test(arguments: [
        "let a: DefaultsSuiteName", "// DefaultsSuite", "/* /* */ DefaultsSuite */", #""DefaultsSuite""#,
        ##"#" " DefaultsSuite"#"##, "\"\"\"\n\" DefaultsSuite\n\"\"\"", #"" \"DefaultsSuite \(1)""#,
    ])
    func `a longer word, a comment and a text are no use of a type`(_ text: String) {
        let below = SourceFile(path: "Journal/Journal.swift", text: text)
        let above = SourceFile(path: "API/DefaultsSuite.swift", text: "package actor DefaultsSuite {}")
        #expect(Module.engine.violations(in: [below, above]) == [])
    }

    @Test func `a use inside a text's interpolation is seen`() {
        let below = SourceFile(
            path: "Journal/Journal.swift", text: #"let a = "a \(f("b", DefaultsSuite.self)) c""#)
        let above = SourceFile(path: "API/DefaultsSuite.swift", text: "enum DefaultsSuite {}")
        #expect(Module.engine.violations(in: [below, above]).count == 1)
    }

    @Test func `Defaults as a namespace is no use of the facade, and its members have their own folder`() {
        let facade = SourceFile(path: "Access/Defaults.swift", text: "public struct Defaults {}")
        let key = SourceFile(
            path: "Keys/Key.swift", text: "extension Defaults {\n    class Key {}\n}\nlet a = Defaults.Key()")
        let change = SourceFile(
            path: "Observation/KeyChange.swift", text: "extension Defaults {\n    struct KeyChange {}\n}")
        let upward = SourceFile(
            path: "Keys/KeyCache.swift", text: "let a: Defaults.KeyChange\nlet b = Defaults.shared")
        #expect(
            Module.facade.violations(in: [facade, key, change, upward]) == [
                "Keys/KeyCache.swift uses Defaults of Access/, which is above Keys/",
                "Keys/KeyCache.swift uses Defaults.KeyChange of Observation/, which is above Keys/",
            ])
    }

    @Test func `a folder that has no place in the order is named`() {
        let file = SourceFile(path: "Utilities/Journal.swift", text: "struct Journal {}")
        #expect(
            Module.engine.violations(in: [file]) == [
                "Utilities/Journal.swift is in a folder with no place in the order"
            ])
    }
}

/// A file below a module's folder: `Journal/Journal.swift`.
private struct SourceFile {
    let path: String
    let text: String

    /// The first folder of the path; empty for a file beside the folders.
    var folder: String { path.contains("/") ? String(path.prefix { $0 != "/" }) : "" }
}

/// A module's folders in their order, and the rule they stand for.
private struct Module: CustomTestStringConvertible {
    let name: String
    /// From top to bottom; folders of one layer may use each other.
    ///
    /// A file beside the folders is above them all.
    let layers: [[String]]
    static let engine = Module(
        name: "DefaultsStore",
        layers: [
            [""], ["TakingBack"], ["API", "Store", "Checkpoint"], ["Domains"], ["Observation"],
            ["Watching", "Journal", "Files"], ["Document"], ["JSON"], ["Errors"],
            ["Concurrency", "Platform"],
        ])
    static let facade = Module(
        name: "TypedDefaults",
        layers: [
            [""], ["Wrappers"], ["TakingBack"], ["Access"], ["DefaultSources"], ["Observation"], ["Keys"],
            ["Coding", "FoundationForms"],
        ])
    static let compatibility = Module(
        name: "TypedDefaultsCompatibility",
        layers: [[""], ["Locus"], ["PropertyKit"], ["SettingsManageable"], ["PropertyLists"], ["Defaults"]])
    static let all = [engine, facade, compatibility]

    var testDescription: String { name }

    /// One sentence per file and type it may not use, sorted.
    func violations(in files: [SourceFile]) -> [String] {
        let homeless = files.filter { level(of: $0) == nil }
        let placed = files.compactMap { file in
            level(of: file).map { (file: file, level: $0, code: codeAlone(in: file.text)) }
        }
        var homes: [String: (level: Int, folder: String)] = [:]
        for (file, level, code) in placed {
            for type in declaredTypes(in: code) where level >= homes[type]?.level ?? 0 {
                homes[type] = (level, file.folder)
            }
        }
        let upward = placed.flatMap { file, level, code in
            usedWords(in: code).compactMap { word -> String? in
                guard let home = homes[word], home.level < level else { return nil }
                return "\(file.path) uses \(word) of \(home.folder)/, which is above \(file.folder)/"
            }
        }
        return (homeless.map { "\($0.path) is in a folder with no place in the order" } + upward).sorted()
    }

    /// The layer of a file's folder; nil if it has no place in the order.
    private func level(of file: SourceFile) -> Int? {
        layers.firstIndex { $0.contains(file.folder) }
    }

    /// The types that other files can see, at the start of a line or one step inside `extension Defaults`.
    private func declaredTypes(in code: String) -> [String] {
        let type =
            /^(?<inner> {4})?(?:@?\w+(?:\([^)]*\))? )*?(?:struct|class|enum|protocol|actor|typealias) (?<name>\w+)/
        var isInNamespace = false
        return code.split(separator: "\n").compactMap { line in
            if let first = line.first, first != " ", first != "}" {
                isInNamespace = line.contains("extension Defaults {")
            }
            guard let match = line.prefixMatch(of: type), !line.contains("private ") else { return nil }
            if match.inner == nil { return String(match.name) }
            return isInNamespace ? "Defaults." + match.name : nil
        }
    }

    /// Each word of the code once, and each type in the namespace `Defaults` as `Defaults.Key`.
    ///
    /// `Defaults` in front of a type, or in an extension, is not a use of the type `Defaults`.
    private func usedWords(in code: String) -> Set<String> {
        let namespace = /\bextension Defaults\b|\bDefaults\.(?=[A-Z])/.wordBoundaryKind(.simple)
        let words = code.replacing(namespace, with: " ").matches(of: /\w+/).map { String($0.output) }
        let inNamespace = code.matches(of: /\bDefaults\.[A-Z]\w*/).map { String($0.output) }
        return Set(words + inNamespace)
    }
}

/// Reads every Swift file of a module.
private func sourceFiles(of module: Module) throws -> [SourceFile] {
    let folder = packageRoot.appending(path: "Sources/\(module.name)")
    return try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
        .map {
            SourceFile(path: $0, text: try String(contentsOf: folder.appending(path: $0), encoding: .utf8))
        }
}

/// The text with its comments and string literals taken out; what is interpolated into one stays.
private func codeAlone(in text: String) -> String {
    var reader = CodeReader(rest: text[...])
    reader.readCode(isInterpolation: false)
    return reader.code
}

/// Reads Swift from front to back and keeps the code.
private struct CodeReader {
    var rest: Substring
    var code = ""

    mutating func readCode(isInterpolation: Bool) {
        var depth = 0
        while let next = rest.first {
            if next == "/", rest.hasPrefix("//") {
                rest = rest.drop { $0 != "\n" }
            } else if next == "/", rest.hasPrefix("/*") {
                skipBlockComment()
            } else if next == "#" || next == "\"", let opening = rest.prefixMatch(of: /(#*)("""|")/) {
                rest = rest[opening.range.upperBound...]
                skipText(closing: String(opening.2 + opening.1), escape: "\\" + opening.1)
            } else {
                depth += next == "(" ? 1 : next == ")" ? -1 : 0
                code.append(rest.removeFirst())
                if isInterpolation, depth < 0 { return }
            }
        }
    }

    private mutating func skipText(closing: String, escape: String) {
        code.append(" ")
        while !rest.isEmpty, !rest.hasPrefix(closing) {
            if rest.hasPrefix(escape + "(") {
                rest.removeFirst(escape.count + 1)
                readCode(isInterpolation: true)
            } else {
                rest = rest.dropFirst(rest.hasPrefix(escape) ? escape.count + 1 : 1)
            }
        }
        rest = rest.dropFirst(closing.count)
    }

    private mutating func skipBlockComment() {
        var depth = 0
        repeat {
            depth += rest.hasPrefix("/*") ? 1 : rest.hasPrefix("*/") ? -1 : 0
            rest = rest.dropFirst(rest.hasPrefix("/*") || rest.hasPrefix("*/") ? 2 : 1)
        } while depth > 0 && !rest.isEmpty
    }
}
