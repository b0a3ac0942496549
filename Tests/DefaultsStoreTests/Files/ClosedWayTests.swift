/// The way to a folder where a sandbox has its ancestors looked up, but not opened, as on Apple's systems.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.ownThread) struct ClosedWayTests {
    private let folder: TemporaryFolder
    /// How many folders are opened on the way to the test's own, with the root folder and that one.
    private let steps: Int

    init() throws {
        folder = try TemporaryFolder()
        steps = SuiteLocation.parts(of: folder.path).count + 1
    }

    /// Opens a folder while some are refused on the way.
    ///
    /// - Returns: what was opened; nil if it is missing.
    private func open(
        _ path: String, refused: ClosedRange<Int>, isSandbox: Bool = true, creating: Bool = false,
        _ more: [FaultInjection.Rule] = []
    ) throws(DefaultsError) -> Inode? {
        var rules = refused.map { FaultInjection.Rule("openat(O_PATH)", at: $0, errno: EPERM) } + more
        if isSandbox { rules.append(FaultInjection.Rule("sandbox", errno: EPERM, lasts: true)) }
        let outcome = FaultInjection.$current.withValue(FaultInjection(rules)) {
            () -> Result<Inode?, DefaultsError> in
            do throws(DefaultsError) {
                let way = try SafePath.open(path, creating: creating, allowsOthers: false)
                guard let found = way else { return .success(nil) }
                return .success(try DefaultsError.reading(path, SystemCalls.inode(of: found)))
            } catch { return .failure(error) }
        }
        return try outcome.get()
    }

    private func make(_ name: String) throws -> String {
        let path = folder.path + "/" + name
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    @Test func `a folder is reached whichever of those before it may not be opened`() throws {
        let path = try make("settings")
        for first in 1...steps {
            for last in first...steps {
                #expect(try open(path, refused: first...last) == SystemCalls.inode(path: path))
                // Nor looked at: then they are the system's.
                let blind = FaultInjection.Rule("fstatat", errno: EACCES, lasts: true)
                #expect(try open(path, refused: first...last, [blind]) == SystemCalls.inode(path: path))
            }
        }
    }

    @Test(arguments: [true, false]) func `so is one behind a link`(isRelative: Bool) throws {
        let path = try make("real")
        _ = try make("beside")
        let link = folder.path + "/link"
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: isRelative ? "beside/../real" : path)
        #expect(try open(link, refused: 1...steps) == SystemCalls.inode(path: path))
    }

    @Test func `what is missing behind them is created`() throws {
        let path = folder.path + "/a/b"
        #expect(try open(path, refused: 1...steps) == nil)
        #expect(try open(path, refused: 1...steps, creating: true) == SystemCalls.inode(path: path))
    }

    @Test func `the folder itself has to be opened`() throws {
        let path = try make("settings")
        let error = refusal { _ = try open(path, refused: 1...steps + 1) }
        #expect(error?.systemError?.errno == EPERM)
    }

    @Test func `outside of such a sandbox a refusal is one`() throws {
        let path = try make("settings")
        for step in 1...steps {
            let error = refusal { _ = try open(path, refused: step...step, isSandbox: false) }
            #expect(error?.systemError?.errno == EPERM)
        }
    }

    @Test(.enabled(if: geteuid() == 0, "needs root, to give a folder away"))
    func `another user's folder is refused though it is not opened (F21)`() throws {
        let path = try make("theirs/settings")
        #expect(chown(folder.path + "/theirs", 65_534, 65_534) == 0)
        #expect(refusal { _ = try open(path, refused: 1...steps + 1) }?.code == .insecureDirectory)
    }
}
