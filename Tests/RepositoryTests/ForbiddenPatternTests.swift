/// What the house rules forbid stands nowhere in this tree, and the script that says so can tell.
import Foundation
import TestSupport
import Testing

@Suite(.ownThread) struct ForbiddenPatternTests {
    @Test func `nothing forbidden stands in the tree`() throws {
        let said = try Tool.run(packageRoot.appending(path: ".ci/forbidden").path, [packageRoot.path])
        #expect(said == Tool(status: 0, output: ""))
    }

    @Test func `each forbidden thing is found where it is planted`() throws {
        let said = try Tool.run(packageRoot.appending(path: ".ci/forbidden.test").path, [])
        #expect(said.status == 0, "\(said.output)")
    }
}
