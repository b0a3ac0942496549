/// The drop-ins beside an administrator's file: they lock keys as the file does, and go before it.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.ownThread, .timeLimit(.minutes(60))) struct ManagedPartsTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite
    private let failures: FailureRecorder
    private var path: String { folder.path + "/etc/managed.json" }

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
        failures = FailureRecorder(suite)
    }

    @Test func `a later drop-in goes before an earlier one and the file, locks, and is named`() throws {
        try folder.write("{\"a\": 1, \"b\": 1}", to: "etc/managed.json")
        try folder.write("{\"a\": 2}", to: "etc/managed.d/10.json")
        try folder.write("{\n  \"a\": 3}", to: "etc/managed.d/20.json")
        try suite.setManagedFile(path)
        #expect(suite.value(forKey: "a") == 3)
        #expect(suite.value(forKey: "b") == 1)
        let error = refusal { try suite.set(4, forKey: "a") }
        #expect(error?.code == .locked)
        #expect(error?.path == "\(folder.path)/etc/managed.d/20.json")
        #expect(
            suite.explain(forKey: "a").map(\.location) == [
                .file(path: "\(folder.path)/etc/managed.d/20.json", line: 2, column: 8),
                .file(path: "\(folder.path)/etc/managed.d/10.json", line: 1, column: 7),
                .file(path: "\(folder.path)/etc/managed.json", line: 1, column: 7),
            ])
        #expect(failures.all == [])
    }

    @Test func `they need no file beside them, and each change of them is seen and heard`() throws {
        try folder.write("{\"a\": 1}", to: "etc/managed.d/10.json")
        try suite.setManagedFile(path)
        #expect(suite.value(forKey: "a") == 1)
        // Nobody listens yet: the next read sees it all the same.
        try folder.saveByRename("{\"a\": 2}", to: "etc/managed.d/10.json")
        #expect(eventually { suite.value(forKey: "a") == 2 })
        let events = Recorder<DefaultsValue?>()
        let observation = suite.observe(forKey: "a", options: [.new]) { events.append($0.newValue) }
        try folder.write("{\"a\": 3}", to: "etc/managed.d/10.json")
        #expect(events.wait { $0.last == 3 })
        try folder.write("{\"a\": 4}", to: "etc/managed.json")
        try folder.remove("etc/managed.d")
        #expect(events.wait { $0.last == 4 })
        #expect(refusal { try suite.set(5, forKey: "a") }?.path == path)
        try folder.write("{\"a\": 6}", to: "etc/managed.d/10.json")
        #expect(events.wait { $0.last == 6 })
        observation.invalidate()
        #expect(failures.all == [])
    }

    @Test func `a broken drop-in is named with its place and changes nothing else`() throws {
        try folder.write("{\"a\": 1}", to: "etc/managed.json")
        try folder.write("{\"b\": 1}", to: "etc/managed.d/10.json")
        try folder.write("{\"c\": 1,\n}}", to: "etc/managed.d/20.json")
        try suite.setManagedFile(path)
        #expect(failures.codes == [.malformedFile])
        #expect(failures.all.first?.path == "\(folder.path)/etc/managed.d/20.json")
        #expect(failures.all.first?.line == 2)
        #expect(suite.value(forKey: "a") == 1)
        #expect(suite.value(forKey: "b") == 1)
        #expect(suite.value(forKey: "c") == nil)
        let refused = refusal { try suite.set(1, forKey: "d") }
        #expect(refused?.code == .locked)
        #expect(refused?.path == "\(folder.path)/etc/managed.d/20.json")
        try folder.saveByRename("{\"c\": 1}", to: "etc/managed.d/20.json")
        #expect(eventually { refusal { try suite.set(1, forKey: "d") } == nil })
        try folder.saveByRename("{\"c\": ", to: "etc/managed.d/20.json")
        #expect(failures.wait(for: 2))
        try suite.set(2, forKey: "d")
        #expect(suite.value(forKey: "c") == 1)
    }

    @Test func `a folder of drop-ins that others can write is refused, and the file applies`() throws {
        try folder.write("{\"a\": 1}", to: "etc/managed.json")
        try folder.write("{\"a\": 2}", to: "etc/managed.d/10.json")
        try folder.allowEverybody(in: "etc/managed.d")
        try suite.setManagedFile(path)
        #expect(failures.codes == [.insecureDirectory])
        #expect(suite.value(forKey: "a") == 1)
    }

    @Test func `a failure that went with its folder is reported again when it comes back`() throws {
        try folder.write("{", to: "etc/managed.d/10.json")
        try suite.setManagedFile(path)
        #expect(failures.codes == [.malformedFile])
        try folder.remove("etc")
        try suite.setManagedFile(path)
        try folder.write("{", to: "etc/managed.d/10.json")
        try suite.setManagedFile(path)
        #expect(failures.wait(for: 3))
        #expect(failures.codes == [.malformedFile, .recovered, .malformedFile])
    }
}
