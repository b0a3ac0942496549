/// The example of the settings container, in the debug build that tests are; CI runs the release build.
import Foundation
import TestSupport
import Testing

@Suite(
    .enabled(
        if: FileManager.default.fileExists(atPath: "/proc/self/exe"), "The products stand beside the tests."),
    .ownThread)
struct SettingsExampleTests {
    @Test func `the example sets what only debug builds can set, and names a mistyped key's neighbour`()
        throws
    {
        let run = try Tool.run(try productFolder().appending(path: "settings").path, [])
        #expect(run.status == 0, "\(run.output)")
        #expect(run.output.contains("set, in a debug build: https://example.com, 30.0 s, 9 retries"))
        #expect(run.output.contains("the nearest registered key is \"server.url\""))
    }
}
