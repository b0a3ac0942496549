/// An administrator's file: its keys are locked, and only a file nobody else can write applies.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread) struct ManagedFileTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite
    private let failures: FailureRecorder
    private var path: String { folder.path + "/managed/managed.json" }

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
        failures = FailureRecorder(suite)
    }

    private func manage(_ text: String) throws {
        try folder.write(text, to: "managed/managed.json")
        try suite.setManagedFile(path)
    }

    /// Waits until the suite has a value for the key `a`, whatever brings it.
    private func expect(_ value: DefaultsValue?, after body: () throws -> Void) throws {
        let events = Recorder<DefaultsChange>()
        let observation = suite.observe(forKey: "a", options: [.new]) { events.append($0) }
        try body()
        #expect(events.wait { $0.last.map { $0.newValue == value } ?? false })
        #expect(suite.value(forKey: "a") == value)
        observation.invalidate()
    }

    @Test func `a managed value answers before all others, and the file may hold comments`() throws {
        try suite.set(1, forKey: "a")
        suite.addArguments(["--a", "2"])
        try manage("{\n  // by the administrator\n  \"a\": 3,\n}\n")
        #expect(suite.value(forKey: "a") == 3)
        #expect(suite.domain(forKey: "a") == .managed)
        #expect(failures.all == [])
    }

    @Test func `an administrator's file in the root folder is looked for there, not where the program works`()
        throws
    {
        let name = "\(UUID().uuidString).json"
        let here = FileManager.default.currentDirectoryPath + "/" + name
        try Data("{\"a\": 1}".utf8).write(to: URL(filePath: here))
        defer { _ = unlink(here) }
        try suite.setManagedFile("/" + name)
        #expect(suite.value(forKey: "a") == nil)
        #expect(suite.context.managed.beginReading().file?.path == "/" + name)
    }

    @Test
    func
        `a handle that names a file applies though one by the path came first, and none where none was chosen`()
        throws
    {
        try folder.write("{\"a\": 1}", to: "managed/managed.json")
        let location = SuiteLocation(
            folder: folder.path + "/named", settings: "settings.json", allowsInsecureDirectory: false)
        let byPath = SuiteRegistry.context(named: "named", at: location)
        let named = SuiteRegistry.context(named: "named", at: location, managed: ManagedFile(path: path))
        #expect(byPath === named)
        #expect(try DefaultsSuite(file: folder.path + "/named/settings.json").value(forKey: "a") == 1)
        #expect(named.domains.load().isLocked(KeyName("a")))
        named.useManagedFile(nil)
        _ = SuiteRegistry.context(named: "named", at: location, managed: ManagedFile(path: path))
        #expect(try DefaultsSuite(file: folder.path + "/named/settings.json").value(forKey: "a") == nil)
        #expect(!named.domains.load().isLocked(KeyName("a")))
    }

    @Test(arguments: [true, false])
    func `of an open suite the next read and the next write know the file that a handle names`(
        isWatched: Bool
    )
        throws
    {
        try folder.write("{\"a\": 1}", to: "managed/managed.json")
        for isWrite in [false, true] {
            // A folder for each, because a background thread may keep the first one's suite for a moment.
            let named = folder.path + "/named\(isWrite)"
            let location = SuiteLocation(
                folder: named, settings: "settings.json", allowsInsecureDirectory: false)
            let byPath = try DefaultsSuite(file: named + "/settings.json")
            if isWatched { try byPath.context.startWatching() }
            try byPath.set(5, forKey: "a")
            #expect(byPath.value(forKey: "a") == 5)
            let context = SuiteRegistry.context(
                named: "named", at: location, managed: ManagedFile(path: path))
            #expect(context === byPath.context)
            if isWrite {
                #expect(refusal { try byPath.set(6, forKey: "a") }?.code == .locked)
            } else {
                #expect(byPath.value(forKey: "a") == 1)
            }
        }
    }

    /// A handle may be created in the initialiser of a `static let`, where a handler that uses the key would wait for
    /// itself.
    @Test func `a handle that names a file calls no handler where it is created`() throws {
        try folder.write("{\"a\": 1}", to: "managed/managed.json")
        let location = SuiteLocation(
            folder: folder.path + "/named", settings: "settings.json", allowsInsecureDirectory: false)
        let byPath = SuiteRegistry.context(named: "named", at: location)
        let (creator, calls) = (pthread_self(), Recorder<Bool>())
        let observation = byPath.observe([KeyName("a")], sendsInitial: false, delivery: .immediate) { _, _ in
            calls.append(pthread_equal(pthread_self(), creator) != 0)
        }
        let named = SuiteRegistry.context(named: "named", at: location, managed: ManagedFile(path: path))
        #expect(calls.wait(for: 1))
        #expect(calls.all == [false])
        #expect(named.domains.load().isLocked(KeyName("a")))
        observation.invalidate()
    }

    @Test func `setting a locked key throws, and nothing is written`() throws {
        try manage("{\"a\": 1}")
        let locked = DefaultsError(.locked, suite: "settings", key: "a", path: path)
        #expect(refusal { try suite.set(1, forKey: "a") } == locked)
        #expect(refusal { try suite.withTransaction { tx in tx[key: "a"] = nil } } == locked)
        #expect(refusal { try suite.setTransient(2, forKey: "a") } == locked)
        let both = refusal {
            try suite.withTransaction { tx in (tx[key: "b"], tx[key: "a"]) = (2, 2) }
        }
        #expect(both == locked)
        #expect(try suite.storedValues() == [:])
    }

    static let removals: [@Sendable (DefaultsSuite) async throws -> Void] = [
        { try $0.removeAll() },
        { suite in for key in ["a", "b"] { try suite.removeValue(forKey: key) } },
        { suite in for key in ["a", "b"] { try await suite.async.removeValue(forKey: key) } },
        { suite in try suite.withTransaction { tx in for key in ["a", "b"] { tx.removeValue(forKey: key) } }
        },
    ]

    @Test(arguments: removals.indices)
    func `what is stored below a locked value can be removed, and that value stays`(_ index: Int) async throws
    {
        try suite.set(1, forKey: "a")
        try suite.set(1, forKey: "b")
        try manage("{\"a\": 2}")
        try await ManagedFileTests.removals[index](suite)
        #expect(try suite.storedValues() == [:])
        #expect(suite.dictionaryRepresentation() == ["a": 2])
        #expect(failures.all == [])
    }

    @Test func `a key that is managed no more may be written again`() throws {
        try manage("{\"a\": 1}")
        try expect(nil) { try folder.remove("managed/managed.json") }
        try suite.set(2, forKey: "a")
        #expect(suite.value(forKey: "a") == 2)
    }

    @Test(arguments: [true, false])
    func `a change of the file is seen and heard`(byRename: Bool) throws {
        try manage("{\"a\": 1}")
        var isPrompt = true
        try expect(2) {
            if byRename { return try folder.saveByRename("{\"a\": 2}", to: "managed/managed.json") }
            let begin = ContinuousClock.now
            try folder.write("{\"a\": 2}", to: "managed/managed.json")
            // Who reads is patient for 50 ms with a file that is empty, and rightly tells of one that stays so.
            isPrompt = ContinuousClock.now - begin < .milliseconds(25)
        }
        if isPrompt { #expect(failures.all == []) }
    }

    @Test func `a file whose folders are made later is seen when it comes`() throws {
        try suite.setManagedFile(folder.path + "/etc/xdg/player/managed.json")
        #expect(suite.value(forKey: "a") == nil)
        try expect(1) { try folder.write("{\"a\": 1}", to: "etc/xdg/player/managed.json") }
    }

    @Test func `a file that is damaged later leaves its last good values and is reported with the place`()
        throws
    {
        try manage("{\"a\": 1}")
        try folder.saveByRename("{\"a\": 2,\n \"b\" 3}", to: "managed/managed.json")
        #expect(failures.wait(for: 1))
        let error = try #require(failures.all.first)
        #expect((error.code, error.path, error.line, error.column) == (.malformedFile, path, 2, 6))
        #expect(suite.value(forKey: "a") == 1)
        #expect(refusal { try suite.set(2, forKey: "a") }?.code == .locked)
        try expect(4) { try folder.write("{\"a\": 4}", to: "managed/managed.json") }
    }

    @Test func `of a file that is damaged at first what can be read applies`() throws {
        try manage("{\n  \"a\": 1,\n  \"b\" 3\n}\n")
        #expect(failures.codes == [.malformedFile])
        #expect(suite.value(forKey: "a") == 1)
        #expect(refusal { try suite.set(2, forKey: "a") }?.code == .locked)
    }

    @Test(arguments: ["{\n  \"a\": 1,\n  \"b\" 3\n}\n", "[]"])
    func
        `while a file has never been read as a whole no key is set, and afterwards those that it leaves free`(
            text: String
        ) throws
    {
        try manage(text)
        let refused = try #require(refusal { try suite.set(2, forKey: "c") })
        #expect((refused.code, refused.key, refused.path) == (.locked, "c", path))
        #expect("\(refused)".contains("the administrator's file, which may lock the key, cannot be read"))
        #expect(refusal { try suite.setTransient(2, forKey: "c") }?.code == .locked)
        #expect(suite.value(forKey: "c") == nil)
        try folder.saveByRename("{\"a\": 1}", to: "managed/managed.json")
        #expect(eventually { refusal { try suite.set(2, forKey: "c") } == nil })
        #expect(suite.value(forKey: "c") == 2)
        #expect(failures.all.first?.recoverySuggestion.contains("administrator") == true)
    }

    @Test func `a broken file that takes the place of none locks what can be read of it, and all else`()
        throws
    {
        try suite.setManagedFile(path)
        try suite.set(1, forKey: "b")
        try folder.write("{\n  \"a\": 1,\n  \"b\" 3\n}\n", to: "managed/managed.json")
        #expect(eventually { refusal { try suite.set(2, forKey: "b") }?.code == .locked })
        #expect(suite.value(forKey: "a") == 1)
        try folder.remove("managed/managed.json")
        #expect(eventually { refusal { try suite.set(2, forKey: "b") } == nil })
    }

    @Test func `while a file is too large to be read no key is set`() throws {
        try folder.write("{\"a\": 1}", to: "managed/managed.json")
        #expect(truncate(path, 65 << 20) == 0)
        try suite.setManagedFile(path)
        #expect(failures.codes == [.valueTooLarge])
        #expect(refusal { try suite.set(2, forKey: "c") }?.code == .locked)
        try folder.saveByRename("{\"a\": 1}", to: "managed/managed.json")
        #expect(eventually { refusal { try suite.set(2, forKey: "c") } == nil })
        #expect(refusal { try suite.set(2, forKey: "a") }?.code == .locked)
    }

    @Test func `a link to /dev/null in the file's place is as no file, and its drop-ins count`() throws {
        try folder.write("{\"b\": 1}", to: "managed/managed.d/10.json")
        #expect(symlink("/dev/null", path) == 0)
        try suite.setManagedFile(path)
        #expect(failures.all == [])
        try suite.set(2, forKey: "a")
        #expect(suite.value(forKey: "b") == 1)
    }

    @Test func `a file that is mended and damaged again is told again`() throws {
        try manage("{}")
        for number in 1...3 {
            let before = failures.codes.count { $0 == .malformedFile }
            try folder.saveByRename("{ \"a\": \(number)", to: "managed/managed.json")
            // More than once if a background thread still reads the file before.
            #expect(eventually { failures.codes.count { $0 == .malformedFile } > before })
            try expect(DefaultsValue(number)) {
                try folder.saveByRename("{ \"a\": \(number) }", to: "managed/managed.json")
            }
        }
        #expect(eventually { failures.codes.last == .recovered })
        #expect(failures.codes.allSatisfy { [.malformedFile, .recovered].contains($0) })
    }

    @Test func `a file that could not be read for a moment is read soon, and locks its keys`() throws {
        try folder.write("{\"a\": 1}", to: "managed/managed.json")
        let refused = FaultInjection(FaultInjection.Rule("openat", errno: EMFILE))
        try expect(1) { try FaultInjection.$current.withValue(refused) { try suite.setManagedFile(path) } }
        #expect(failures.wait(for: 2))
        #expect(failures.codes == [.ioFailure, .recovered])
        #expect(refusal { try suite.set(2, forKey: "a") }?.code == .locked)
    }

    @Test(arguments: [0o666, 0o620, 0o602])
    func `a file that others can write is refused and reported`(mode: UInt32) throws {
        try folder.write("{\"a\": 1}", to: "managed/managed.json")
        #expect(chmod(path, mode) == 0)
        try suite.setManagedFile(path)
        try expectRefusal(.insecureDirectory)
    }

    @Test(arguments: [0o777, 0o1777, 0o770])
    func `a file in a folder that others can write is refused and reported`(mode: UInt32) throws {
        try folder.write("{\"a\": 1}", to: "managed/managed.json")
        #expect(chmod(folder.path + "/managed", mode) == 0)
        try suite.setManagedFile(path)
        try expectRefusal(.insecureDirectory)
    }

    @Test(arguments: ["real.json", "nowhere.json"])
    func `a link in the file's place is refused and reported, wherever it leads`(target: String) throws {
        try folder.write("{\"a\": 1}", to: "managed/real.json")
        #expect(symlink(target, path) == 0)
        try suite.setManagedFile(path)
        try expectRefusal(.insecureDirectory)
    }

    @Test func `a pipe, a folder and a plain file as folder are refused and reported`() throws {
        try folder.write("", to: "managed/plain")
        #expect(mkfifo(path, 0o600) == 0)
        #expect(mkdir(folder.path + "/managed/folder", 0o700) == 0)
        for place in ["managed.json", "folder", "plain/managed.json"] {
            try suite.setManagedFile(folder.path + "/managed/" + place)
        }
        #expect(failures.codes == [.insecureDirectory, .insecureDirectory, .insecureDirectory])
    }

    @Test(.enabled(if: geteuid() == 0, "needs root, to give a file away"))
    func `another user's file is refused and reported`() throws {
        try folder.write("{\"a\": 1}", to: "managed/managed.json")
        #expect(chown(path, 65_534, 65_534) == 0)
        try suite.setManagedFile(path)
        try expectRefusal(.insecureDirectory)
    }

    @Test func `a file that others are let write later leaves its last good values`() throws {
        try manage("{\"a\": 1}")
        #expect(chmod(path, 0o666) == 0)
        #expect(failures.wait(for: 1))
        try folder.write("{\"a\": 2}", to: "managed/managed.json")
        try EventLoop.shared.drain()
        #expect(failures.codes == [.insecureDirectory])
        #expect(suite.value(forKey: "a") == 1)
    }

    @Test func `a path that names no file is refused, and the file before stays`() throws {
        try manage("{\"a\": 1}")
        #expect(refusal { try suite.setManagedFile(folder.path + "/..") }?.code == .ioFailure)
        #expect(suite.value(forKey: "a") == 1)
        try suite.setManagedFile(nil)
        #expect(suite.value(forKey: "a") == nil)
    }

    @Test func `a key that stands twice is reported with its place, and the last one applies`() throws {
        try manage("{\"a\": 1, \"a\": 2}")
        #expect(suite.value(forKey: "a") == 2)
        let twice = DefaultsError(.duplicateKey, suite: "settings", key: "a", path: path, line: 1, column: 10)
        #expect(failures.all == [twice])
    }

    @Test func `managed values answer where the suite's own folder cannot be used`() throws {
        try manage("{\"a\": 1}")
        try folder.allowEverybody(in: "managed")
        let other = try DefaultsSuite("managed", in: folder.path)
        let heard = FailureRecorder(other)
        try folder.write("{\"a\": 1}", to: "policy/managed.json")
        try other.setManagedFile(folder.path + "/policy/managed.json")
        #expect(other.value(forKey: "a") == 1)
        #expect(heard.codes == [.insecureDirectory])
    }

    private func expectRefusal(_ code: DefaultsError.Code) throws {
        #expect(failures.codes == [code])
        #expect(suite.value(forKey: "a") == nil)
        try suite.set(2, forKey: "a")
        #expect(suite.value(forKey: "a") == 2)
    }
}
