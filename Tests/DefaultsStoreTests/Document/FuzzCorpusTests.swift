/// The seeds of `.ci/fuzz`, and each input that it once found wrong, through the same checks.
import TestSupport
import Testing

@Suite(.ownThread) struct FuzzCorpusTests {
    @Test(arguments: try FuzzInput.all(of: "document"))
    func `a settings file is read and edited without surprise`(input: FuzzInput) {
        #expect(DocumentFuzzCheck.objection(to: input.bytes) == nil, "\(input.path)")
    }

    @Test(arguments: try FuzzInput.all(of: "value"))
    func `a value is the same after writing and reading`(input: FuzzInput) {
        #expect(ValueFuzzCheck.objection(to: input.bytes) == nil, "\(input.path)")
    }

    @Test(arguments: try FuzzInput.all(of: "journal"))
    func `a journal's lines are taken only as we would write them`(input: FuzzInput) {
        #expect(JournalFuzzCheck.objection(to: input.bytes) == nil, "\(input.path)")
    }

    @Test(arguments: try FuzzInput.all(of: "suite"))
    func `a suite takes any journal and any page, and loses no value and nobody's line`(input: FuzzInput) {
        #expect(SuiteFuzzCheck.objection(to: input.bytes) == nil, "\(input.path)")
    }
}
