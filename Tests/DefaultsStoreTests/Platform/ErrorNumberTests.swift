/// What the store makes of error numbers, on each system by its own names.
@testable import DefaultsStore
import Libc
import TestSupport
import Testing

struct ErrorNumberTests {
    /// On Apple's systems the last two are different numbers.
    @Test(arguments: [ENOSYS, EINVAL, EOPNOTSUPP, ENOTSUP])
    func `what a file system lacks is told from a failure`(_ number: Int32) {
        let error = SystemError(call: "renameat2", errno: number)
        #expect(error.isUnsupported && error.hasNoUnnamedFiles && error.hasNoFullSynchronization)
    }

    @Test func `so is a disk whose cache cannot be written`() {
        let error = SystemError(call: "fsync", errno: ENOTTY)
        #expect(error.hasNoFullSynchronization && !error.isUnsupported)
    }

    @Test(arguments: [EIO, ENOSPC, EDQUOT, EBADF, EROFS, EACCES])
    func `a failure is none of these`(_ number: Int32) {
        let error = SystemError(call: "fsync", errno: number)
        #expect(!error.isUnsupported && !error.hasNoFullSynchronization)
    }
}
