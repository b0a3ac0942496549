/// A settings file that cannot be used: an error, never an empty suite, and its bytes are never destroyed.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct DamagedFileTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
    }

    private static let useless: [(String, [UInt8])] = [
        ("an array", Array("[1]".utf8)), ("a number", Array("1".utf8)),
        ("UTF-16", Array("{\"a\": 1}".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })),
        ("100,000 brackets", Array(String(repeating: "[", count: 100_000).utf8)),
        ("an object of 100,000 brackets", Array(("{\"a\": " + String(repeating: "[", count: 100_000)).utf8)),
        ("zeros", [UInt8](repeating: 0, count: 4096)),
        ("bad UTF-8", Array("{\"".utf8) + [0xFF] + Array("\": 1}".utf8)),
        ("cut in a value", Array("{\"a\": tr".utf8)), ("two objects", Array("{} {}".utf8)),
    ]

    @Test(arguments: useless.map { ($0, Abridged($1)) })
    func `a file that is no object is an error with its place, and a person replaces it, no write does (F3)`(
        _ name: String, abridged: Abridged<[UInt8]>
    ) throws {
        let bytes = abridged.content
        try folder.write(bytes, to: "settings/settings.json")
        let failures = FailureRecorder(suite)
        let error = refusal { _ = try suite.storedValues() }
        #expect(error?.code == .malformedFile)
        #expect(error?.path == suite.path)
        #expect(error?.line != nil && error?.column != nil)
        #expect(suite.value(forKey: "x") == nil)
        #expect(failures.codes == [.malformedFile])
        // Once more, because the first attempt has made the lock file beside it.
        for _ in 0..<2 { #expect(refusal { try suite.set(2, forKey: "x") }?.code == .malformedFile) }
        #expect(refusal { try suite.removeAll() }?.code == .malformedFile)
        #expect(refusal { try suite.checkpoint() }?.code == .malformedFile)
        #expect(try folder.bytes() == bytes)
        #expect(try folder.damagedCopies() == [])
        let kept = try #require(try suite.repairFiles().first { $0.category == "damagedCopy" })
        #expect(kept.path == folder.settingsPath() + ".damaged-1" && kept.reason.hasSuffix("0 keys"))
        #expect(try folder.bytes(of: "settings/settings.json.damaged-1") == bytes)
        try suite.set(2, forKey: "x")
        #expect(try suite.storedValues() == ["x": 2])
    }

    @Test(arguments: ["", " \n", "\u{FEFF}"])
    func `an empty file is an empty suite, and the first write makes it one object`(text: String) throws {
        try folder.write(text, to: "settings/settings.json")
        let failures = FailureRecorder(suite)
        #expect(try suite.storedValues() == [:])
        #expect(suite.inspectFiles().filter { $0.severity > .note } == [])
        try suite.set(1, forKey: "a")
        try suite.checkpoint()
        #expect(try folder.read("settings/settings.json") == "{\n  \"a\": 1\n}\n")
        #expect(failures.all == [])
        #expect(try folder.damagedCopies() == [])
    }

    @Test func `a file that is emptied has nothing stored, which observers hear`() throws {
        try suite.set(1, forKey: "a")
        let failures = FailureRecorder(suite)
        let events = Recorder<DefaultsValue?>()
        let observation = suite.observe(forKey: "a", options: [.new]) { events.append($0.newValue) }
        try folder.write("", to: "settings/settings.json")
        #expect(events.wait(for: 1))
        #expect(events.all == [nil])
        #expect(try suite.storedValues() == [:])
        #expect(failures.all == [])
        observation.invalidate()
    }

    private static let broken = "{\n  \"a\": 1,\n  \"b\": oops,\n  \"c\": 3\n}\n"

    @Test func `what can be read of a damaged file is served at the first opening, what cannot throws`()
        throws
    {
        try folder.write(Self.broken, to: "settings/settings.json")
        let failures = FailureRecorder(suite)
        #expect(suite.value(forKey: "a") == 1)
        #expect(suite.value(forKey: "c") == 3)
        #expect(suite.value(forKey: "b") == nil)
        let error = refusal { _ = try suite.storedValues() }
        #expect(error == failures.all.first)
        #expect(failures.all.count == 1)
        #expect([error?.line, error?.column] == [3, 8])
    }

    @Test func `a transaction that reads behind the damage fails and writes nothing`() throws {
        try folder.write(Self.broken, to: "settings/settings.json")
        suite.onFailure = { _ in }
        let error = refusal { try suite.withTransaction { tx in tx[key: "n"] = tx[key: "b"] ?? 0 } }
        #expect(error?.code == .malformedFile)
        #expect(try folder.read("settings/settings.json") == Self.broken)
    }

    @Test
    func `a write waits in the journal, and a repair keeps what can be read and the exact bad bytes (F3)`()
        throws
    {
        try folder.write(Self.broken, to: "settings/settings.json")
        suite.onFailure = { _ in }
        try suite.set(4, forKey: "d")
        try suite.synchronize()
        #expect(suite.value(forKey: "d") == 4)
        #expect(try Peer.opening(in: folder).ask("get d") == "4")
        #expect(refusal { try suite.checkpoint() }?.code == .malformedFile)
        #expect(try folder.read("settings/settings.json") == Self.broken)
        #expect(try folder.damagedCopies() == [])
        let kept = try suite.repairFiles().filter { $0.category == "damagedCopy" }
        #expect(kept.map(\.path) == [folder.settingsPath() + ".damaged-1"])
        #expect(kept.map(\.reason) == ["the settings file that could not be read; the new one has 3 keys"])
        #expect(try folder.read("settings/settings.json.damaged-1") == Self.broken)
        #expect(try folder.foreignReading() == ["a": 1, "c": 3, "d": 4])
        #expect(try suite.repairFiles().filter { $0.reason.contains("the new one has") } == [])
    }

    @Test(arguments: ["renameat2", "linkat"])
    func `a damaged file that cannot be replaced is not kept once more by each attempt (F3)`(call: String)
        throws
    {
        try folder.write(Self.broken, to: "settings/settings.json")
        suite.onFailure = { _ in }
        try suite.set(4, forKey: "d")
        // The second link of a checkpoint is one to the new file.
        let plan = FaultInjection(
            FaultInjection.Rule(call, at: call == "linkat" ? 2 : 1, errno: EIO, lasts: true))
        for _ in 0..<3 {
            let error = FaultInjection.$current.withValue(plan) { refusal { _ = try suite.repairFiles() } }
            #expect(error != nil)
        }
        #expect(try folder.read("settings/settings.json") == Self.broken)
        #expect(try folder.damagedCopies() == [])
        _ = try suite.repairFiles()
        #expect(try folder.damagedCopies().count == 1)
        #expect(try folder.read("settings/settings.json.damaged-1") == Self.broken)
        #expect(try folder.foreignReading() == ["a": 1, "c": 3, "d": 4])
    }

    @Test func `damage stays damage when readers end what a dead writer began (F3)`() throws {
        // It had raised the generation and not come to its record.
        let raised: [UInt8] = [5] + [UInt8](repeating: 0, count: 4_095)
        try folder.write(raised, to: "settings/.settings.json.lock")
        try folder.write(Self.broken, to: "settings/settings.json")
        suite.onFailure = { _ in }
        for _ in 0..<4 { #expect(suite.value(forKey: "a") == 1) }
        #expect(refusal { _ = try suite.storedValues() }?.code == .malformedFile)
        try suite.set(4, forKey: "d")
        #expect(try folder.read("settings/settings.json") == Self.broken)
        _ = try suite.repairFiles()
        #expect(try folder.read("settings/settings.json.damaged-1") == Self.broken)
        #expect(try folder.foreignReading() == ["a": 1, "c": 3, "d": 4])
    }

    @Test func `each damaged file is kept under a number of its own`() throws {
        suite.onFailure = { _ in }
        for text in ["{1", "{2"] {
            try folder.saveByRename(text)
            try EventLoop.shared.drain()
            _ = try suite.repairFiles()
            try suite.set(DefaultsValue(stringLiteral: text), forKey: "a")
        }
        #expect(try folder.read("settings/settings.json.damaged-1") == "{1")
        #expect(try folder.read("settings/settings.json.damaged-2") == "{2")
    }

    @Test func `a syntax error by hand leaves the last good values, is told once, and heals when mended`()
        throws
    {
        try suite.set(1, forKey: "a")
        let failures = FailureRecorder(suite)
        let events = Recorder<DefaultsValue?>()
        let observation = suite.observe(forKey: "a", options: [.new]) { events.append($0.newValue) }
        try folder.saveByRename("{\n\"a\": 2\n\"b\": 3}")
        #expect(failures.wait(for: 1))
        for _ in 0..<20 { #expect(suite.value(forKey: "a") == 1) }
        try folder.saveByRename("{\"a\": 3}")
        #expect(events.wait(for: 1))
        #expect(events.all == [3])
        let path = folder.settingsPath()
        #expect(failures.wait(for: 2))
        #expect(failures.all.map(\.code) == [.malformedFile, .recovered])
        #expect(failures.all.map(\.path) == [path, path])
        #expect(failures.all.map(\.line) == [3, nil])
        #expect(failures.all[0].recoverySuggestion.hasSuffix("until then the last good values are served."))
        #expect(try folder.names().filter { $0.contains("damaged") } == [])
        observation.invalidate()
    }

    @Test func `of a damaged file that is saved again with its mistake, what can be read now applies`() throws
    {
        try folder.write("{\"a\": 1, \"c\": \n}", to: "settings/settings.json")
        suite.onFailure = { _ in }
        #expect(suite.value(forKey: "a") == 1)
        try folder.saveByRename("{\"a\": 2, \"d\": 2, \"c\": \n}")
        #expect(eventually { suite.value(forKey: "a") == 2 })
        #expect(suite.value(forKey: "d") == 2)
        // As a process reads it that has known nothing else.
        let peer = try Peer.opening(in: folder)
        #expect(try [peer.ask("get a"), peer.ask("get d")] == ["2", "2"])
        try suite.set(5, forKey: "z")
        _ = try suite.repairFiles()
        #expect(try folder.foreignReading() == ["a": 2, "d": 2, "z": 5])
        #expect(try folder.read("settings/settings.json.damaged-1") == "{\"a\": 2, \"d\": 2, \"c\": \n}")
    }

    @Test func `damage that comes back after it was mended is told again`() throws {
        try suite.set(1, forKey: "a")
        let failures = FailureRecorder(suite)
        let events = Recorder<DefaultsValue?>()
        let observation = suite.observe(forKey: "a", options: [.new]) { events.append($0.newValue) }
        try folder.saveByRename("{\"a\": ")
        #expect(failures.wait(for: 1))
        try folder.saveByRename("{\"a\": 3}")
        #expect(events.wait(for: 1))
        try folder.saveByRename("{\"a\": ")
        #expect(failures.wait(for: 2))
        observation.invalidate()
    }

    @Test func `what is written beside a damaged file stands over what a person makes of it`() throws {
        try suite.set(1, forKey: "a")
        suite.onFailure = { _ in }
        try folder.saveByRename("{\"a\": 5, oops")
        try suite.set(2, forKey: "b")
        #expect(suite.value(forKey: "a") == 1)
        #expect(try folder.read("settings/settings.json") == "{\"a\": 5, oops")
        try folder.saveByRename("{\"a\": 5, \"b\": 6} // mended\n")
        #expect(try eventually { try folder.foreignText() == "{\"a\": 5, \"b\": 2} // mended\n" })
        #expect(try suite.storedValues() == ["a": 5, "b": 2])
        #expect(try folder.damagedCopies() == [])
    }

    @Test(arguments: [true, false])
    func `what a writer has left that died beside a damaged file, whoever sees it mended brings in`(
        isWatched: Bool
    ) throws {
        try suite.set(1, forKey: "a")
        try suite.checkpoint()
        suite.onFailure = { _ in }
        let observation = isWatched ? suite.observe(forKey: "a", options: []) { _ in } : nil
        try folder.saveByRename("{\"a\": 5, oops")
        let writer = try Peer.opening(in: folder)
        #expect(try writer.ask("set b 2") == "ok")
        writer.kill()
        try folder.saveByRename("{\"a\": 5}")
        #expect(
            try eventually {
                if !isWatched { _ = suite.value(forKey: "a") }
                return try folder.foreignText() == "{\"a\": 5,\n  \"b\": 2\n}"
            })
        observation?.invalidate()
    }

    @Test func `what does nothing now is written all the same, since nobody knows what the file will say`()
        throws
    {
        try folder.write(Self.broken, to: "settings/settings.json")
        suite.onFailure = { _ in }
        try suite.set(1, forKey: "a")
        try suite.removeValue(forKey: "b")
        try folder.saveByRename("{\"a\": 7, \"b\": 2, \"c\": 3}")
        #expect(try eventually { try folder.foreignText() == "{\"a\": 1, \"c\": 3}" })
        #expect(try suite.storedValues() == ["a": 1, "c": 3])
    }

    @Test func `a write that is refused leaves no record beside a damaged file`() throws {
        try suite.set(1, forKey: "a")
        suite.onFailure = { _ in }
        suite.addValidation("a is not 9") { $0.value(forKey: "a") != 9 }
        try folder.saveByRename("{\"a\": 2, oops")
        try EventLoop.shared.drain()
        #expect(refusal { try suite.set(9, forKey: "a") }?.code == .invalidValue)
        try suite.set(3, forKey: "a")
        #expect(try folder.read("settings/settings.json") == "{\"a\": 2, oops")
        _ = try suite.repairFiles()
        #expect(try folder.foreignReading() == ["a": 3])
        #expect(try folder.damagedCopies() == ["settings.json.damaged-1"])
    }

    @Test(arguments: [EPERM, EOPNOTSUPP])
    func `a damaged file that cannot have a second name is kept as a copy (F3)`(errno: Int32) throws {
        try suite.set(1, forKey: "a")
        suite.onFailure = { _ in }
        for number in 1...2 {
            try folder.saveByRename("{\(number), oops")
            try EventLoop.shared.drain()
            try suite.set(DefaultsValue(number), forKey: "b")
            try FaultInjection.$current.withValue(FaultInjection(.init("linkat", errno: errno, lasts: true)))
            {
                _ = try suite.repairFiles()
            }
            #expect(try folder.foreignReading() == ["a": 1, "b": number] as NSDictionary)
            #expect(try folder.read("settings/settings.json.damaged-\(number)") == "{\(number), oops")
        }
        #expect(!(try folder.names().contains(".settings.json.tmp")))
    }

    @Test
    func `removeAll beside a damaged file removes what is known, and throws where that is not everything`()
        throws
    {
        try suite.set(1, forKey: "a")
        suite.onFailure = { _ in }
        try folder.saveByRename("{\"a\": 1, oops")
        try suite.removeAll()
        #expect(suite.value(forKey: "a") == nil)
        try folder.saveByRename("{\"a\": 1}")
        #expect(try suite.storedValues() == [:])
        try suite.checkpoint()
        try folder.write(Self.broken, to: "other/settings.json")
        let other = try folder.suite("other")
        other.onFailure = { _ in }
        #expect(refusal { try other.removeAll() }?.code == .malformedFile)
        #expect(other.value(forKey: "a") == 1)
        _ = try other.repairFiles()
        try other.removeAll()
        #expect(try other.storedValues() == [:])
    }

    @Test func `beside a damaged file too, writes end before the journal is too long`() throws {
        try suite.set(1, forKey: "a")
        try suite.checkpoint()
        suite.onFailure = { _ in }
        try folder.saveByRename("{\"a\": 5, oops")
        let long = String(repeating: "x", count: 1 << 20)
        var count = 0
        let error = refusal {
            while count < 100 {
                try suite.set(.string("\(long)\(count)"), forKey: "b")
                count += 1
            }
        }
        #expect(error?.code == .malformedFile)
        #expect((16...17).contains(count))
        #expect(suite.value(forKey: "b") == .string("\(long)\(count - 1)"))
        _ = try suite.repairFiles()
        try suite.set(2, forKey: "b")
        #expect(try suite.storedValues() == ["a": 1, "b": 2])
    }

    @Test(arguments: ["alias ll='ls -l'\n", "{\n  \"a\": 1,\n  alias\n}\n"])
    func `what a link leads to is written only where it can be read`(text: String) throws {
        try folder.write(text, to: "home/rc")
        try folder.write("", to: "settings/other")
        try FileManager.default.createSymbolicLink(
            atPath: folder.settingsPath(), withDestinationPath: folder.path + "/home/rc")
        suite.onFailure = { _ in }
        #expect(refusal { try suite.set(1, forKey: "b") }?.code == .malformedFile)
        #expect(refusal { try suite.checkpoint() }?.code == .malformedFile)
        #expect(try folder.read("home/rc") == text)
        #expect(try !folder.names(in: "home").contains { $0.contains("damaged") })
        // A good state that is known is one to write on.
        try folder.write("{}", to: "home/rc")
        #expect(eventually { refusal { try suite.set(1, forKey: "b") } == nil })
        try suite.checkpoint()
        try folder.write(text, to: "home/rc")
        try suite.set(2, forKey: "b")
        #expect(try folder.read("home/rc") == text)
    }

    @Test func `a key that stands twice is told with its place and the last one applies`() throws {
        try folder.write("{\n  \"a\": 1,\n  \"a\": 2\n}", to: "settings/settings.json")
        let failures = FailureRecorder(suite)
        #expect(try suite.storedValues() == ["a": 2])
        #expect(failures.all.map(\.code) == [.duplicateKey])
        #expect(failures.all.map(\.line) == [3])
    }
}
