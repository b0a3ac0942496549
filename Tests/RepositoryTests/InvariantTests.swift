import Foundation
import TestSupport
import Testing

/// The numbered invariants of Protocol.md are each cited where the code keeps them and in the name of a test.
@Suite(.ownThread) struct InvariantTests {
    @Test func `every invariant of the protocol is cited in the sources and in a test's name`() throws {
        let page = packageRoot.appending(path: "Documentation/Internals/Protocol.md")
        let protocolPage = try String(contentsOf: page, encoding: .utf8)
        let numbers = protocolPage.split(separator: "\n").compactMap { line -> String? in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard let first = cells.first, first.hasPrefix("F"), Int(first.dropFirst()) != nil else {
                return nil
            }
            return first
        }
        // A number is never given to another invariant: F16 was that of an index, which is gone.
        #expect(Set(numbers).count == numbers.count && numbers.count >= 23 && !numbers.contains("F16"))
        let cited = try words("/ F[0-9]+:", below: "Sources").map { String($0.dropFirst(2).dropLast()) }
        let tested = try words("\\(F[0-9]+\\)`", below: "Tests").map { String($0.dropFirst().dropLast(2)) }
        #expect(Set(cited) == Set(numbers))
        #expect(Set(tested) == Set(numbers))
    }

    private func words(_ pattern: String, below folder: String) throws -> [String] {
        let found = try Tool.run("grep", ["-rhoE", pattern, packageRoot.appending(path: folder).path])
        return found.output.split(separator: "\n").map(String.init)
    }
}
