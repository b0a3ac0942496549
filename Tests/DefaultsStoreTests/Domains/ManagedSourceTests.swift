/// What counts as the administrator's file that was read, for a program that nobody tells of changes.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite struct ManagedSourceTests {
    @Test func `a file that was read just after it was written is read again, though time has passed since`()
        throws
    {
        let folder = try TemporaryFolder()
        let path = folder.path + "/managed.json"
        let source = ManagedSource(ManagedFile(path: path))
        func age() throws -> Int64 {
            SystemCalls.wallNanoseconds - (try SystemCalls.status(path: path).identity.modified)
        }
        // Until a status came in time, which it may not on a busy machine.
        repeat {
            try Data("{}".utf8).write(to: URL(filePath: path))
            _ = source.beginReading()
        } while try age() >= 20_000_000
        #expect(try eventually { try age() > 30_000_000 })
        #expect(!source.isAsRead)
        _ = source.beginReading()
        #expect(source.isAsRead)
        source.recordRefusal()
        #expect(!source.isAsRead)
    }
}
