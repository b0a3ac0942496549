/// Folders that a container's runtime mounts: by their modes everybody could write them, if the mount let anybody write.
import Foundation
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread, .root)
struct MountedFolderTests {
    @Test(.mounting)
    func `a folder that everybody may write counts for as long as it is mounted read-only`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("1", to: "a")
        #expect(chmod(folder.path, 0o777) == 0)
        let place = try Mount(readOnly: folder)
        let suite = DefaultsSuite.inMemory()
        let source = FilesDefaultValueSource(folder: place.path)
        try await suite.read(sources: source)
        #expect(suite.value(forKey: "a") == 1)
        try place.makeWritable()
        await #expect(throws: DefaultsError.self) { try await suite.read(sources: source) }
    }

    @Test(.mounting)
    func `a file that everybody may write by another mount does not count`() async throws {
        let (folder, elsewhere) = (try TemporaryFolder(), try TemporaryFolder())
        for file in ["a", "b", "c"] { try folder.write("1", to: file) }
        #expect(chmod(folder.path, 0o777) == 0)
        try elsewhere.write("2", to: "a")
        for path in ["\(folder.path)/b", "\(elsewhere.path)/a"] { #expect(chmod(path, 0o666) == 0) }
        let place = try Mount(readOnly: folder)
        let file = try Mount(of: elsewhere.path + "/a", on: place.path + "/a")
        let suite = DefaultsSuite.inMemory()
        try await suite.read(sources: FilesDefaultValueSource(folder: place.path))
        #expect(suite.value(forKey: "a") == nil)
        #expect(suite.value(forKey: "b") == nil)
        #expect(suite.value(forKey: "c") == 1)
        withExtendedLifetime(file) {}
    }
}
