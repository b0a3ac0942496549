import DefaultsStore
import Foundation
import TestSupport
import Testing

/// A save by another program right behind a checkpoint's file, at whatever step the checkpoint is by then.
@Suite(.timeLimit(.minutes(60)), .ownThread) struct SaveBehindCheckpointTests {
    @Test func `a save behind a checkpoint's file counts, and is heard (F26)`() throws {
        for round in 0..<Soak.part(of: 50) {
            let folder = try TemporaryFolder()
            let path = folder.path + "/settings.json"
            let suite = try DefaultsSuite(file: path)
            let heard = Recorder<DefaultsValue?>()
            let observation = suite.observe(forKey: "n") { heard.append($0.newValue) }
            defer { observation.invalidate() }
            try folder.write("{\"n\": 2}", to: "saved")
            try suite.set(1, forKey: "n")
            // The scheduled checkpoint, which waits for the folder next.
            while access(path, F_OK) != 0 {}
            for _ in 0..<(round % 10 * 20) { sched_yield() }
            try #require(rename(folder.path + "/saved", path) == 0)
            #expect(eventually { suite.integer(forKey: "n") == 2 })
            #expect(eventually { heard.all.last == 2 }, "\(heard.all)")
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "{\"n\": 2}")
        }
    }
}
