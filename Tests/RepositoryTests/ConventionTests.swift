/// The pages that a visitor reads say the truth.
import Foundation
import TestSupport
import Testing

@Suite(.ownThread) struct ConventionTests {
    @Test func `a link on a page leads to a file or folder of the repository`() throws {
        var broken: [String] = []
        var count = 0
        for page in try pages() {
            let folder = packageRoot.appending(path: page).deletingLastPathComponent()
            for target in links(in: try text(of: page)) {
                count += 1
                if !FileManager.default.fileExists(atPath: folder.appending(path: target).path) {
                    broken.append("\(page): \(target)")
                }
            }
        }
        #expect(count > 10)
        #expect(broken == [])
    }

    @Test func `a link that leads nowhere is noticed`() {
        #expect(links(in: "a [b](c.md#d), ![e](f.svg) and [g](https://h) or `[i](j)`") == ["c.md", "f.svg"])
        #expect(links(in: #"<source srcset="a.svg"><img alt="b" src="c.svg">"#) == ["a.svg", "c.svg"])
    }

    @Test func `the package index documents the modules that the documentation is built of`() throws {
        let build = try text(of: "Documentation/build").split(separator: " ")
        let built = build.indices.filter { build[$0] == "--target" }.map { String(build[$0 + 1]) }
        let listed = try #require(try text(of: ".spi.yml").firstMatch(of: /documentation_targets: \[(.*)\]/))
        #expect(built.count > 2)
        #expect(Set(listed.output.1.split(separator: ", ").map(String.init)) == Set(built))
    }
}

/// The Markdown pages that a visitor reads on the repository's web site, as paths from the root.
///
/// Those of the catalogues are left to DocC, which checks them itself.
private func pages() throws -> [String] {
    let listed = try Tool.run("git", ["-C", packageRoot.path, "ls-files", "*.md"])
    try #require(listed.status == 0, "\(listed.output)")
    return listed.output.split(separator: "\n").map(String.init).filter { !$0.contains(".docc/") }
}

/// The targets of a page's links within the repository, without the part after `#`.
private func links(in page: String) -> [String] {
    let code = /`[^`\n]*`/
    let target = /(?:\]\(|src(?:set)?=")([^)#\s"]+)/
    return page.replacing(code, with: "").matches(of: target).map { String($0.output.1) }
        .filter { !$0.contains(":") }
}

private func text(of path: String) throws -> String {
    try String(contentsOf: packageRoot.appending(path: path), encoding: .utf8)
}
