/// What a watcher makes of what happens in a folder.
@testable import DefaultsStore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct FileWatcherTests {
    private let folder: TemporaryFolder
    private let files: SuiteFiles
    private let sights = Recorder<PendingEvents.Kind>()

    init() throws {
        folder = try TemporaryFolder()
        files = try SuiteFiles.open(SuiteLocation(folder: folder.path, allowsInsecureDirectory: false))
    }

    private func watch() throws -> FileWatcher { try watch(sights) }

    private func watch(_ seen: Recorder<PendingEvents.Kind>) throws -> FileWatcher {
        let sights = PendingEvents()
        return try FileWatcher(files, sights, CoalescedWork { seen.append(sights.take()) })
    }

    @Test func `a rename over the settings is a replacement`() throws {
        let watcher = try watch()
        try folder.saveByRename("{}", to: "settings.json")
        #expect(sights.wait(for: 1))
        #expect(Set(sights.all) == [.replaced])
        withExtendedLifetime(watcher) {}
    }

    @Test func `a save in place is a write`() throws {
        try folder.write("{}", to: "settings.json")
        try EventLoop.shared.drain()
        let watcher = try watch()
        let file = try SystemCalls.open("settings.json", in: files.folder, .readWrite)
        try SystemCalls.write([0x7B, 0x7D], to: file, at: 0)
        close(consume file)
        #expect(sights.wait(for: 1))
        #expect(sights.all == [.written])
        withExtendedLifetime(watcher) {}
    }

    private func close(_ file: consuming Descriptor) {}

    @Test func `files of other names are none of its business`() throws {
        let watcher = try watch()
        for name in ["other.json", "settings.json.edited", ".settings.json.tmp"] {
            try folder.write("{}", to: name)
        }
        try EventLoop.shared.drain()
        #expect(sights.all == [])
        try folder.remove(".settings.json.lock")
        #expect(sights.wait(for: 1))
        withExtendedLifetime(watcher) {}
    }

    @Test func `a watcher that was let go hears nothing more while another of the folder does`() throws {
        let other = Recorder<PendingEvents.Kind>()
        var watcher: FileWatcher? = try watch()
        let stays = try watch(other)
        withExtendedLifetime(watcher) {}
        watcher = nil
        try folder.saveByRename("{}", to: "settings.json")
        #expect(other.wait(for: 1))
        try EventLoop.shared.drain()
        #expect(sights.all == [])
        withExtendedLifetime(stays) {}
    }
}
