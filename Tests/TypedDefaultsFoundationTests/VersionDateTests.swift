import DefaultsStore
import Foundation
import TestSupport
import Testing
import TypedDefaultsFoundation

struct VersionDateTests {
    @Test func `a version of this moment has a date of this moment`() throws {
        let folder = try TemporaryFolder()
        let suite = try folder.suite()
        let start = Date.now
        try suite.keepHistory(.versions(5))
        let version = try #require(try suite.history().first)
        #expect(start.addingTimeInterval(-1)...Date.now ~= version.date)
        #expect(version.date.timeIntervalSince1970 == version.secondsSince1970)
    }
}
