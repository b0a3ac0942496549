/// Files that are followed.
import Foundation
import TestSupport
import Testing
import TypedDefaults
import TypedDefaultsCompatibility

@Suite(.ownThread, .timeLimit(.minutes(60))) struct FileFollowingTests {
    private let suite = DefaultsSuite.inMemory()
    private let folder: TemporaryFolder
    private let failures: FailureRecorder
    private let heard = Recorder<DefaultsValue?>()
    private let observation: DefaultsObservation

    init() throws {
        folder = try TemporaryFolder()
        failures = FailureRecorder(suite)
        observation = suite.observe(forKey: "a", options: [.new]) { [heard] in heard.append($0.newValue) }
    }

    private func follow(_ name: String) -> DefaultValueSourceSubscription {
        suite.follow(JSONDefaultValueSource(path: "\(folder.path)/\(name)"))
    }

    @Test func `saves in place and by renaming are noticed`() async throws {
        try folder.write(#"{"a": 1}"#, to: "d.json")
        let following = follow("d.json")
        #expect(await heard.wait(for: 1))
        try folder.write(#"{"a": 2}"#, to: "d.json")
        #expect(await heard.wait { $0.last == 2 })
        try folder.saveByRename(#"{"a": 3}"#, to: "d.json")
        #expect(await heard.wait { $0.last == 3 })
        withExtendedLifetime(following) {}
    }

    @Test func `a deleted file is a failure that keeps the layer, until it is there again`() async throws {
        try folder.write(#"{"a": 1}"#, to: "d.json")
        let following = follow("d.json")
        #expect(await heard.wait(for: 1))
        try folder.remove("d.json")
        #expect(await failures.recorder.wait(for: 1))
        #expect(suite.value(forKey: "a") == 1)
        #expect(failures.all.first?.systemError?.errno == ENOENT)
        // By renaming: who reads a file that is made in place may find it empty, which is another failure.
        try folder.saveByRename(#"{"a": 2}"#, to: "d.json")
        #expect(await heard.wait(for: 2))
        #expect(heard.all == [1, 2])
        #expect(await failures.recorder.wait(for: 2))
        #expect(failures.codes == [.sourceFailed, .recovered])
        withExtendedLifetime(following) {}
    }

    @Test func `a damaged save is a failure with its place, and the mended one is taken`() async throws {
        try folder.write(#"{"a": 1}"#, to: "d.json")
        let following = follow("d.json")
        #expect(await heard.wait(for: 1))
        try folder.saveByRename("{\n\"a\": }", to: "d.json")
        #expect(await failures.recorder.wait(for: 1))
        #expect(failures.all.first?.line == 2)
        try folder.saveByRename(#"{"a": 2}"#, to: "d.json")
        #expect(await heard.wait(for: 2))
        #expect(heard.all == [1, 2])
        withExtendedLifetime(following) {}
    }

    @Test func `a file whose folder comes later is found`() async throws {
        let following = follow("later/d.json")
        #expect(await failures.recorder.wait(for: 1))
        try folder.write(#"{"a": 1}"#, to: "later/d.json")
        #expect(await heard.wait(for: 1))
        try folder.write(#"{"a": 2}"#, to: "later/d.json")
        #expect(await heard.wait { $0.last == 2 })
        withExtendedLifetime(following) {}
    }

    @Test func `a folder that is replaced by another is noticed`() async throws {
        try folder.write(#"{"a": 1}"#, to: "old/d.json")
        try folder.write(#"{"a": 2}"#, to: "new/d.json")
        let following = follow("old/d.json")
        #expect(await heard.wait(for: 1))
        try FileManager.default.moveItem(atPath: folder.path + "/old", toPath: folder.path + "/gone")
        try FileManager.default.moveItem(atPath: folder.path + "/new", toPath: folder.path + "/old")
        #expect(await heard.wait { $0.last == 2 })
        withExtendedLifetime(following) {}
    }

    @Test func `a link on the way that is turned elsewhere is noticed`() async throws {
        try folder.write(#"{"a": 1}"#, to: "one/d.json")
        try folder.write(#"{"a": 2}"#, to: "two/d.json")
        let link = folder.path + "/current"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "one")
        let following = follow("current/d.json")
        #expect(await heard.wait(for: 1))
        try FileManager.default.createSymbolicLink(atPath: link + ".new", withDestinationPath: "two")
        #expect(rename(link + ".new", link) == 0)
        #expect(await heard.wait { $0.last == 2 })
        withExtendedLifetime(following) {}
    }

    @Test func `a property list is followed too`() async throws {
        try folder.write("<plist><dict><key>a</key><integer>1</integer></dict></plist>", to: "d.plist")
        let following = suite.follow(PropertyListDefaultValueSource(path: folder.path + "/d.plist"))
        #expect(await heard.wait(for: 1))
        try folder.saveByRename("<plist><dict><key>a</key><integer>2</integer></dict></plist>", to: "d.plist")
        #expect(await heard.wait { $0.last == 2 })
        withExtendedLifetime(following) {}
    }

    @Test func `after the following ended nothing is taken`() async throws {
        try folder.write(#"{"a": 1}"#, to: "d.json")
        let following = follow("d.json")
        #expect(await heard.wait(for: 1))
        following.invalidate()
        // Another one notices, so the first had its chance.
        let other = DefaultsSuite.inMemory()
        let marker = Recorder<DefaultsValue?>()
        let watching = other.observe(forKey: "a", options: [.new]) { marker.append($0.newValue) }
        let second = other.follow(JSONDefaultValueSource(path: folder.path + "/d.json"))
        #expect(await marker.wait(for: 1))
        try folder.saveByRename(#"{"a": 2}"#, to: "d.json")
        #expect(await marker.wait { $0.last == 2 })
        #expect(heard.all == [1])
        withExtendedLifetime((watching, second)) {}
    }
}
