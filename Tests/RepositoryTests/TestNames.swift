/// The names of the tests: those that exist, and those a document names.
import Foundation
import TestSupport

/// The names of all tests of the package.
func existingTestNames() throws -> Set<String> {
    let found = try Tool.run("grep", ["-rhoE", "func `[^`]+`", packageRoot.appending(path: "Tests").path])
    return Set(found.output.split(separator: "\n").map { String($0.dropFirst(6).dropLast()) })
}

/// The tests in the last cell of each row that begins with a promise in bold letters.
func testNames(in document: String) -> [String] {
    document.split(separator: "\n").filter { $0.hasPrefix("| **") }.flatMap { row in
        row.split(separator: "|").last?.split(separator: ";").map {
            $0.trimmingCharacters(in: .whitespaces)
        } ?? []
    }
}
