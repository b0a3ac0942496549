/// Looks that ask for no times find what those find that do.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

struct InodeTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A path of each kind there is, the folder's own among them.
    private func paths() throws -> [String] {
        try folder.write("{}", to: "one")
        try folder.write("{\"two\": 2}", to: "two")
        try FileManager.default.linkItem(atPath: "\(folder.path)/two", toPath: "\(folder.path)/second")
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/link", withDestinationPath: "one")
        let own = ["one", "two", "second", "link"].map { "\(folder.path)/\($0)" }
        // None in which others make and remove something meanwhile, which two looks would tell apart.
        return own + [folder.path, "/dev/null", "/proc/self", "/"]
    }

    @Test func `a look at a path finds what one finds that asks for times`() throws {
        for path in try paths() {
            let (entry, status) = (try SystemCalls.inode(path: path), try SystemCalls.status(path: path))
            #expect(entry == status.inode, "\(path)")
        }
    }

    @Test func `a look at a name finds what one finds that asks for times`() throws {
        _ = try paths()
        let open = try SystemCalls.openDirectory(folder.path)
        for name in ["one", "two", "second", "link", "."] {
            let (entry, status) = (
                try SystemCalls.inode(name, in: open), try SystemCalls.status(name, in: open)
            )
            #expect(entry == status.inode, "\(name)")
        }
    }

    @Test func `what is not there is missing`() throws {
        let error = #expect(throws: SystemError.self) {
            _ = try SystemCalls.inode(path: "\(folder.path)/nothing")
        }
        #expect(error?.isMissing == true)
    }

    /// An old kernel does not know the call, and a sandbox may forbid what it does not know.
    @Test(arguments: [ENOSYS, EPERM]) func `where the call is not to be had the old one is made`(
        refusal: Int32
    )
        throws
    {
        let paths = try paths()
        let open = try SystemCalls.openDirectory(folder.path)
        let plan = FaultInjection(
            FaultInjection.Rule("lstat", errno: refusal), FaultInjection.Rule("fstatat", errno: refusal))
        try FaultInjection.$current.withValue(plan) {
            let (byPath, byName) = (
                try SystemCalls.inode(path: paths[0]), try SystemCalls.inode("one", in: open)
            )
            #expect(byPath.size == 2)
            #expect(byName.size == 2)
        }
        #expect(plan.calls == ["lstat", "lstat", "fstatat", "fstatat"])
    }

    @Test func `another refusal is told`() throws {
        let plan = FaultInjection(FaultInjection.Rule("lstat", errno: EIO))
        let error = #expect(throws: SystemError.self) {
            _ = try FaultInjection.$current.withValue(plan) { try SystemCalls.inode(path: folder.path) }
        }
        #expect(error == SystemError(call: "lstat", errno: EIO))
        #expect(plan.calls == ["lstat"])
    }
}
