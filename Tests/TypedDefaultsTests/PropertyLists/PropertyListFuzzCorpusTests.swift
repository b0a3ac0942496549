/// The seeds of `.ci/fuzz` for property lists, and each input that it once found wrong, through the same check.
import TestSupport
import Testing

@Suite(.ownThread) struct PropertyListFuzzCorpusTests {
    @Test(arguments: try FuzzInput.all(of: "plist"))
    func `what is read of a list is a value that a file can hold`(input: FuzzInput) {
        #expect(PropertyListFuzzCheck.objection(to: input.bytes) == nil, "\(input.path)")
    }
}
