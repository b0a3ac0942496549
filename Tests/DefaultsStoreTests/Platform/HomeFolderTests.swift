/// The home folder of a program that was started without `HOME`.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.ownThread) struct HomeFolderTests {
    @Test func `it is this user's, whomever another thread looks up meanwhile`() throws {
        let home = try #require(SystemCalls.homeOfUser)
        let other = try #require(getpwuid(1).map { String(cString: $0.pointee.pw_dir) })
        try #require(home != other)
        let found = Recorder<String?>()
        withThreads(2) { thread in
            for _ in 0..<20_000 {
                if thread == 0 {
                    _ = getpwuid(1)
                } else if SystemCalls.homeOfUser != home {
                    found.append(SystemCalls.homeOfUser)
                }
            }
        }
        #expect(found.all.isEmpty)
    }
}
