/// Defaults in the files of a folder, as Kubernetes mounts them and systemd hands out credentials.
import Foundation
import TestSupport
import Testing
import TypedDefaults

@Suite(.ownThread, .timeLimit(.minutes(60))) struct FilesSourceTests {
    private let folder: TemporaryFolder
    private let suite = DefaultsSuite.inMemory()
    private let failures: FailureRecorder
    private let heard = Recorder<DefaultsChange>()
    private let observation: DefaultsObservation

    init() throws {
        folder = try TemporaryFolder()
        failures = FailureRecorder(suite)
        observation = suite.observe(forKey: "a", options: [.new]) { [heard] in heard.append($0) }
        try folder.write("1", to: "config/a")
    }

    private var path: String { folder.path + "/config" }

    private func waitFor(_ value: DefaultsValue?) -> Bool {
        heard.wait { $0.last.map { $0.newValue == value } ?? false }
    }

    @Test func `a key's type says what a text means, and a line end at the end does not count`() async throws
    {
        let pin = Defaults.Key<String>("pin", default: "", suite: suite)
        let late = Defaults.Key<[Int]>("late", default: [], suite: suite)
        try folder.write("0123\n", to: "config/pin")
        try folder.write("[1, 2]\r\n", to: "config/late")
        try folder.write("two\nlines\n\n", to: "config/plain")
        try folder.write("x", to: "config/.hidden")
        try await suite.read(sources: FilesDefaultValueSource(folder: path))
        #expect(suite[pin] == "0123")
        #expect(suite[late] == [1, 2])
        #expect(suite.value(forKey: "a") == 1)
        #expect(suite.value(forKey: "plain") == "two\nlines\n")
        #expect(suite.value(forKey: ".hidden") == nil)
        // A key that is declared later gives its text a type then.
        let number = Defaults.Key<String>("a", default: "", suite: suite)
        #expect(suite[number] == "1")
        #expect(suite.explain(forKey: "pin").first?.description.contains("\(path)/pin") == true)
        #expect(failures.all == [])
    }

    @Test func `a text that is no value of its key is reported, and the next layer answers`() async throws {
        let volume = Defaults.Key<Int>("volume", default: 7, suite: suite)
        try folder.write("loud", to: "config/volume")
        try await suite.read(sources: FilesDefaultValueSource(folder: path))
        #expect(suite[volume] == 7)
        #expect(failures.codes == [.typeMismatch])
        #expect(failures.all.first?.description.contains("\(path)/volume") == true)
        #expect(failures.all.first?.description.contains("loud") == false)
    }

    @Test func `a swap of links is one change of all keys`() throws {
        // As the kubelet does it: all names are links behind one link, which is turned in one step.
        let mount = folder.path + "/mount"
        func lay(_ number: Int) throws {
            try folder.write("\(number)", to: "mount/..\(number)/a")
            try folder.write("\(number)", to: "mount/..\(number)/b")
            #expect(symlink("..\(number)", mount + "/..data_tmp") == 0)
            #expect(rename(mount + "/..data_tmp", mount + "/..data") == 0)
        }
        try lay(1)
        for name in ["a", "b"] { #expect(symlink("..data/\(name)", "\(mount)/\(name)") == 0) }
        let pairs = Recorder<[DefaultsValue?]>()
        let all = suite.observeAll(options: []) { [suite] in
            let now = suite.snapshot()
            pairs.append([now.value(forKey: "a"), now.value(forKey: "b")])
        }
        let following = suite.follow(FilesDefaultValueSource(folder: mount))
        for number in 1...20 {
            if number > 1 { try lay(number) }
            #expect(waitFor(DefaultsValue(number)))
        }
        following.invalidate()
        all.invalidate()
        #expect(pairs.all.allSatisfy { $0[0] == $0[1] })
        #expect(heard.all.map(\.newValue) == (1...20).map { DefaultsValue($0) })
        #expect(failures.all == [])
    }

    @Test func `of links that turn faster than they can be read what was known counts, and never a mixture`()
        throws
    {
        let names = ["a"] + (0..<60).map { "k\($0)" }
        let turning = try TurningFolder(folder, "turning", files: names) { "\($0)" }
        let mixtures = Recorder<Bool>()
        let all = suite.observeAll(options: []) { [suite] in
            let now = suite.snapshot()
            mixtures.append(names.contains { now.value(forKey: $0) != now.value(forKey: "a") })
        }
        let following = suite.follow(FilesDefaultValueSource(folder: folder.path + "/turning"))
        #expect(failures.wait(for: 1))
        #expect(failures.all.first?.description.contains("keep changing while they are read") == true)
        try turning.stop(at: 1)
        #expect(waitFor(1))
        #expect(mixtures.all.allSatisfy { !$0 })
        following.invalidate()
        all.invalidate()
    }

    @Test func `a folder that another container fills applies where that is allowed`() async throws {
        try folder.write("\u{FEFF}hunter2\r\n", to: "config/token")
        #expect(chmod(path, 0o777) == 0 && chmod(path + "/token", 0o666) == 0)
        if geteuid() == 0 { #expect(chown(path + "/token", 65_534, 65_534) == 0) }
        #expect(symlink("token", path + "/linked") == 0)
        if geteuid() == 0 { #expect(lchown(path + "/linked", 65_534, 65_534) == 0) }
        #expect(mkfifo(path + "/pipe", 0o600) == 0)
        await #expect(throws: DefaultsError.self) {
            try await suite.read(sources: FilesDefaultValueSource(folder: path))
        }
        try await suite.read(sources: FilesDefaultValueSource(folder: path, allowsInsecureDirectory: true))
        #expect(suite.value(forKey: "token") == "hunter2")
        #expect(suite.value(forKey: "pipe") == nil)
        #expect(suite.value(forKey: "linked") == (geteuid() == 0 ? nil : "hunter2"))
    }

    @Test func `a change in place, a file that comes and one that goes are heard`() throws {
        let following = suite.follow(FilesDefaultValueSource(folder: path))
        #expect(waitFor(1))
        try folder.write("2", to: "config/a")
        #expect(waitFor(2))
        try folder.saveByRename("3", to: "config/a")
        #expect(waitFor(3))
        try folder.remove("config/a")
        #expect(waitFor(nil))
        try folder.write("4", to: "config/a")
        #expect(waitFor(4))
        following.invalidate()
        #expect(failures.all == [])
    }

    @Test func `a file that is not UTF-8 is named, what it said stays, and the others count`() throws {
        let following = suite.follow(FilesDefaultValueSource(folder: path))
        #expect(waitFor(1))
        try Data([0xFF, 0xFE]).write(to: URL(filePath: path + "/a"))
        #expect(failures.wait(for: 1))
        try folder.write("1", to: "config/b")
        #expect(eventually { suite.value(forKey: "b") == 1 })
        #expect(failures.codes == [.sourceFailed])
        #expect(failures.all.first?.path == path + "/a")
        #expect(suite.value(forKey: "a") == 1)
        following.invalidate()
    }

    @Test func `a folder that is missing is a failure until it is there`() throws {
        let following = suite.follow(FilesDefaultValueSource(folder: folder.path + "/late"))
        #expect(failures.wait(for: 1))
        #expect(failures.codes == [.sourceFailed])
        try folder.write("5", to: "late/a")
        #expect(waitFor(5))
        following.invalidate()
    }

    @Test func `pipes, files that others can write, huge ones and links to elsewhere do no harm`()
        async throws
    {
        #expect(mkfifo(path + "/pipe", 0o600) == 0)
        try folder.write("1", to: "config/open")
        #expect(chmod(path + "/open", 0o666) == 0)
        try folder.write("1", to: "config/huge")
        #expect(truncate(path + "/huge", 1 << 40) == 0)
        try folder.write("1", to: "elsewhere/file")
        try folder.allowEverybody(in: "elsewhere")
        #expect(symlink("../elsewhere/file", path + "/link") == 0)
        #expect(symlink("/dev/zero", path + "/zero") == 0)
        #expect(symlink("nowhere", path + "/dangling") == 0)
        #expect(mkdir(path + "/folder", 0o700) == 0)
        try await suite.read(sources: FilesDefaultValueSource(folder: path))
        #expect(suite.value(forKey: "a") == 1)
        for key in ["pipe", "open", "huge", "link", "zero", "dangling", "folder"] {
            #expect(suite.value(forKey: key) == nil)
        }
        #expect(
            Set(failures.all.compactMap(\.path).map { $0.split(separator: "/").last }) == [
                "huge", "open", "pipe", "zero", "elsewhere",
            ])
        #expect(failures.codes.allSatisfy { $0 == .sourceFailed })
    }

    @Test func `a folder that others can write is refused, and the last layer stays`() async throws {
        let source = FilesDefaultValueSource(folder: path)
        try await suite.read(sources: source)
        try folder.allowEverybody(in: "config")
        await #expect(throws: DefaultsError.self) { try await suite.read(sources: source) }
        #expect(suite.value(forKey: "a") == 1)
    }

    @Test func `what is secret is shown nowhere, though no key says so`() async throws {
        let changes = Recorder<String>()
        let observation = suite.observe(forKey: "token", options: [.new]) { changes.append("\($0)") }
        let port = Defaults.Key<Int>("port", default: 1, suite: suite)
        try folder.write("hunter2\n", to: "config/token")
        try folder.write("hunter2\n", to: "config/port")
        try folder.write("\n", to: "config/empty")
        try await suite.read(sources: FilesDefaultValueSource(folder: path, isSecret: true))
        #expect(suite.value(forKey: "token") == "hunter2")
        #expect(suite[port] == 1)
        #expect(suite.value(forKey: "empty") == nil)
        #expect(suite.isSecret(forKey: "token"))
        #expect(!suite.isSecret(forKey: "other"))
        #expect(changes.wait(for: 1))
        let shown =
            changes.all + suite.explain(forKey: "token").map(\.description)
            + suite.explain(forKey: "port").map(\.description) + failures.all.map(\.description)
        #expect(failures.codes == [.typeMismatch])
        #expect(shown.allSatisfy { !$0.contains("hunter2") })
        observation.invalidate()
    }

    @Test func `without systemd there are no credentials, and that is no failure`() async throws {
        try await suite.read(sources: FilesDefaultValueSource.credentials())
        #expect(suite.value(forKey: "token") == nil)
        #expect(failures.all == [])
    }

    @Test(arguments: ["", "a\0b"]) func `a path that names no folder is a failure, and nothing is read`(
        _ path: String
    ) async throws {
        let source = FilesDefaultValueSource(folder: path, name: "none")
        #expect(await suite.readingError(source)?.code == .sourceFailed)
        let following = suite.follow(source)
        #expect(failures.wait(for: 1))
        #expect(failures.all.first?.underlyingDescription == "\"none\": the path names no folder")
        #expect(suite.dictionaryRepresentation() == [:])
        following.invalidate()
    }

    #if compiler(>=6.2)
        // Each in a process of its own, because they are about what a process has but once.
        @Test func `an empty variable hands out no credentials, and not what is in the working folder`() async
        {
            await #expect(processExitsWith: .success) {
                let folder = try TemporaryFolder()
                try folder.write("hunter2", to: "token")
                try #require(chdir(folder.path) == 0 && setenv("CREDENTIALS_DIRECTORY", "", 1) == 0)
                let suite = DefaultsSuite.inMemory()
                let failures = FailureRecorder(suite)
                try await suite.read(sources: FilesDefaultValueSource.credentials())
                try #require(suite.dictionaryRepresentation() == [:] && failures.all == [])
                try #require(setenv("CREDENTIALS_DIRECTORY", folder.path, 1) == 0)
                try await suite.read(sources: FilesDefaultValueSource.credentials())
                try #require(suite.value(forKey: "token") == "hunter2")
                // Systemd's is never relative.
                try #require(setenv("CREDENTIALS_DIRECTORY", ".", 1) == 0)
                let other = DefaultsSuite.inMemory()
                let error = await other.readingError(FilesDefaultValueSource.credentials())
                try #require(error?.code == .sourceFailed && other.dictionaryRepresentation() == [:])
            }
        }

        @Test func `a relative path is read and watched where it led when the source was made`() async {
            await #expect(processExitsWith: .success) {
                let folder = try TemporaryFolder()
                try folder.write("1", to: "here/config/a")
                try folder.write("1", to: "there/config/a")
                try #require(chdir(folder.path + "/here") == 0)
                let source = FilesDefaultValueSource(folder: "config")
                try #require(chdir(folder.path + "/there") == 0)
                let suite = DefaultsSuite.inMemory()
                let heard = Recorder<DefaultsValue?>()
                let observation = suite.observe(forKey: "a", options: [.new]) { heard.append($0.newValue) }
                let following = suite.follow(source)
                try #require(await heard.wait(for: 1))
                try folder.write("2", to: "here/config/a")
                try #require(await heard.wait { $0.last == 2 })
                withExtendedLifetime((following, observation)) {}
            }
        }
    #endif
}
