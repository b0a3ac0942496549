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
}
