/// The seeds of `.ci/fuzz` for the codec, and each input that it once found wrong, through the same check.
import TestSupport
import Testing

@Suite(.ownThread) struct CodecFuzzCorpusTests {
    @Test(arguments: try FuzzInput.all(of: "codec"))
    func `what a text decodes to is the same after coding`(input: FuzzInput) {
        #expect(CodecFuzzCheck.objection(to: input.bytes) == nil, "\(input.path)")
    }
}
