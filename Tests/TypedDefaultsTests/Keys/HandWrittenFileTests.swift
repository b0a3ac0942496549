import TestSupport
import Testing
import TypedDefaults

/// Files that a person has begun, and programs go on with.
@Suite(.ownThread) struct HandWrittenFileTests {
    private struct Pane: Codable, Sendable { var width = 1, height: Int? }

    /// What becomes of a file when some keys are set in it.
    private func written(_ text: String, _ set: (DefaultsSuite) throws -> Void) throws -> String {
        var result = ""
        try withSettingsFile(text) { suite, failures, folder in
            try set(suite)
            try suite.checkpoint()
            result = try folder.settings()
            #expect(failures.all == [])
        }
        return result
    }

    @Test(arguments: [
        "// mine\n", "// mine", "/* mine */\n\n", "  // mine\r\n// and\r\n", "\u{FEFF}// mine\n",
        "/* \n mine */ // ,\n",
    ])
    func `a file of comments alone is an empty suite, and what is set comes behind them`(_ text: String)
        throws
    {
        try withSettingsFile(text) { suite, failures, _ in
            try #expect(suite.storedValues() == [:])
            #expect(suite.problems().isEmpty && failures.all == [])
        }
        let end = text.contains("\r\n") ? "\r\n" : "\n"
        let comments = text.replacing("\n\n", with: "\n")
        // Foundation reads texts without their byte-order mark.
        let read = String(String.UnicodeScalarView(comments.unicodeScalars.filter { $0 != "\u{FEFF}" }))
        let whole = read.hasSuffix(end) ? read : read + end
        try #expect(written(text) { try $0.set(1, forKey: "a") } == whole + "{\(end)  \"a\": 1\(end)}\(end)")
    }

    @Test func `a comment without an end is damage, and stays`() throws {
        try withSettingsFile("/* mine") { suite, failures, folder in
            _ = suite.value(forKey: "a")
            #expect(failures.codes == [.malformedFile])
            try #expect(folder.settings() == "/* mine")
        }
    }

    @Test func `a member behind a trailing comma has one, in objects inside too`() throws {
        let text = """
            {
              "list": [1, 2,],
              "pane": {
                "width": 1, // one
              },
              "a": 1, // last
            }

            """
        let result = try written(text) { suite in
            let pane = Defaults.Key<Pane>("pane", default: Pane(), suite: suite)
            suite[pane].height = 2
            let list = Defaults.Key<[Int]>("list", default: [], suite: suite)
            suite[list].append(3)
            try suite.set(true, forKey: "b")
            try suite.set(false, forKey: "c")
        }
        #expect(
            result == """
                {
                  "list": [1, 2, 3,],
                  "pane": {
                    "width": 1, // one
                    "height": 2,
                  },
                  "a": 1, // last
                  "b": true,
                  "c": false,
                }

                """)
    }
}
