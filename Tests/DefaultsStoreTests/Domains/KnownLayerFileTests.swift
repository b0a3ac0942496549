/// What is kept on disk of a source's last layer.
@testable import DefaultsStore
import Foundation
import Libc
import TestSupport
import Testing

@Suite(.ownThread) struct KnownLayerFileTests {
    private let folder: TemporaryFolder
    private let file: KnownLayerFile
    private let place: SuiteLocation

    init() throws {
        folder = try TemporaryFolder()
        place = SuiteLocation(folder: folder.path, allowsInsecureDirectory: false)
        file = KnownLayerFile(of: "fleet", beside: place)
    }

    private func layer(_ values: LayerValues, age: Duration = .zero) -> KnownLayer {
        KnownLayer(values: values, locked: [:], location: nil, age: age)
    }

    private func bytes() throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: file.path))) }

    private func put(_ bytes: some Collection<UInt8>) throws {
        try Data(bytes).write(to: URL(filePath: file.path))
    }

    private func reason() -> String? { refusal { _ = try file.read() }?.underlyingDescription }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path + "/.settings.json.known")
    }

    @Test func `before anything is kept there is no layer, and nothing is made`() throws {
        #expect(try file.read() == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test func `a layer comes back to the byte, however its names and values are written`() throws {
        let deep = (0..<127).reduce(DefaultsValue.array([1])) { value, _ in .array([value]) }
        let text = "\n\u{1}\"é\u{301}\u{2028}"
        let written = KnownLayer(
            values: [
                "a": 1, text: .string(text), "\u{e9}": 1, "e\u{301}": 2, "deep": deep, "$migrations": ["x"],
                "exact": .number(try #require(DefaultsNumber("1.000000000000000000001e3"))), "none": nil,
            ],
            locked: ["b": ["c": [true, nil]]], location: "https://example.com/d", age: .seconds(90))
        try file.write(written)
        let read = try #require(try file.read())
        #expect(read.values.keys.count == 8)
        for key in written.values.keys { #expect(read.values[key] == written.values[key]) }
        #expect(read.locked == written.locked)
        #expect(read.location == "https://example.com/d")
        #expect(read.age >= .seconds(90) && read.age < .seconds(600))
    }

    /// In a process of its own, because the umask is the whole process's.
    @Test func `the file and its folder are for the user alone, whatever the umask`() async {
        await #expect(processExitsWith: .success) {
            let tests = try KnownLayerFileTests()
            umask(0)
            try tests.file.write(tests.layer(["a": 1]))
            for (path, mode) in [
                (tests.file.path, 0o600), (tests.folder.path + "/.settings.json.known", 0o700),
            ] {
                let attributes = try FileManager.default.attributesOfItem(atPath: path)
                #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == mode)
            }
        }
    }

    @Test func `a file that was cut at any byte, or in which one was changed, does not count (F23)`() throws {
        try file.write(layer(["a": 1, "b": "text"]))
        let whole = try bytes()
        let damage = DefaultsError(
            .malformedFile, path: file.path, underlyingDescription: "it is not as it was written")
        for length in 0..<whole.count {
            try put(whole.prefix(length))
            #expect(throws: damage) { try file.read() }
        }
        for place in whole.indices {
            var changed = whole
            changed[place] ^= 1
            try put(changed)
            #expect(throws: damage) { try file.read() }
        }
        try put(whole + [UInt8(ascii: "\n")])
        #expect(throws: damage) { try file.read() }
        try put(whole)
        #expect(try file.read() != nil)
    }

    @Test func `a file whose sum is right but that no layer was written to does not count`() throws {
        for text in ["", "\n\n\n", "{}\n{}\n{}\n", "{\"source\":\"fleet\"}\n{}\n{}\n", "[\n[\n[\n"] {
            try file.write(layer(["a": 1]))
            let sum = Hexadecimal.digits(UInt64(Checksum.crc32c(Array(text.utf8))), 8)
            try put(Array("TDK1 ".utf8) + sum + Array("\n\(text)".utf8))
            #expect(reason() == "it is not as it was written")
        }
    }

    @Test func `another source's file under this one's name does not count`() throws {
        let other = KnownLayerFile(of: "other", beside: place)
        try other.write(layer(["a": 1]))
        #expect(other.path != file.path)
        try FileManager.default.moveItem(atPath: other.path, toPath: file.path)
        #expect(reason() == "it is not as it was written")
    }

    @Test func `sources whose names are one text in other bytes have files of their own`() throws {
        let (composed, decomposed) = ("\u{e9}", "e\u{301}")
        try KnownLayerFile(of: composed, beside: place).write(layer(["a": 1]))
        #expect(try KnownLayerFile(of: decomposed, beside: place).read() == nil)
    }

    @Test(arguments: ["link", "pipe", "folder", "group", "others", "user"])
    func `what others can have put there is refused, and all but a folder replaced`(kind: String) throws {
        if kind == "user", geteuid() != 0 { return }
        try file.write(layer(["a": 1]))
        let elsewhere = folder.path + "/elsewhere"
        try FileManager.default.moveItem(atPath: file.path, toPath: elsewhere)
        switch kind {
        case "link": try #require(symlink(elsewhere, file.path) == 0)
        case "pipe": try #require(mkfifo(file.path, 0o600) == 0)
        case "folder": try #require(mkdir(file.path, 0o700) == 0)
        default:
            try FileManager.default.copyItem(atPath: elsewhere, toPath: file.path)
            if kind == "group" { try #require(chmod(file.path, 0o660) == 0) }
            if kind == "others" { try #require(chmod(file.path, 0o602) == 0) }
            if kind == "user" { try #require(chown(file.path, 65_534, 65_534) == 0) }
        }
        #expect(refusal { _ = try file.read() }?.code == .insecureDirectory)
        let before = try Data(contentsOf: URL(filePath: elsewhere))
        if kind == "folder" {
            #expect(refusal { try file.write(layer(["a": 2])) }?.path == file.path)
        } else {
            try file.write(layer(["a": 2]))
            #expect(try file.read()?.values == ["a": 2])
        }
        #expect(try Data(contentsOf: URL(filePath: elsewhere)) == before)
    }

    @Test func `in a folder that everybody can write nothing is read or written`() throws {
        try file.write(layer(["a": 1]))
        try folder.allowEverybody(in: ".settings.json.known")
        #expect(reason() == "everybody can write in it")
        let before = try bytes()
        #expect(refusal { try file.write(layer(["a": 2])) }?.code == .insecureDirectory)
        #expect(try bytes() == before)
    }

    @Test(arguments: ["pwrite", "fsync", "renameat"])
    func `a refused call leaves what was kept, and no other file`(call: String) throws {
        try file.write(layer(["a": 1]))
        let rule = FaultInjection.Rule(call, errno: ENOSPC, lasts: true)
        let error = FaultInjection.$current.withValue(FaultInjection(rule)) {
            refusal { try file.write(layer(["a": 2])) }
        }
        #expect(error?.code == .diskFull)
        #expect(try file.read()?.values == ["a": 1])
        #expect(try names().count == 1)
    }

    @Test func `a layer that was known earlier does not replace a later one (F23)`() throws {
        try file.write(layer(["a": 2], age: .seconds(10)))
        try file.write(layer(["a": 1], age: .seconds(60)))
        #expect(try file.read()?.values == ["a": 2])
        try file.write(layer(["a": 3]))
        #expect(try file.read()?.values == ["a": 3])
    }

    @Test func `a time to come, as of a clock that was set back, is now, and is replaced`() throws {
        try file.write(
            KnownLayer(values: ["a": 1], locked: [:], location: nil, time: KnownLayer.now + 3_600_000))
        #expect(try file.read()?.age == .zero)
        try file.write(layer(["a": 2]))
        #expect(try file.read()?.values == ["a": 2])
    }

    @Test(arguments: [Int64.min, .max]) func `no time is too far away`(time: Int64) throws {
        try file.write(KnownLayer(values: ["a": 1], locked: [:], location: nil, time: time))
        #expect(try file.read()?.age ?? .seconds(-1) >= .zero)
    }

    @Test func `the longest name of a settings file leaves room`() throws {
        let name = String(repeating: "n", count: SuiteLocation.longestName)
        let beside = SuiteLocation(folder: folder.path, settings: name, allowsInsecureDirectory: false)
        let long = KnownLayerFile(of: "fleet", beside: beside)
        try long.write(layer(["a": 1]))
        #expect(try long.read()?.values == ["a": 1])
    }

    @Test(arguments: [false, true])
    func `what killed writers left is removed when it is older than a minute (F23)`(_ isRemoval: Bool) throws
    {
        try file.write(layer(["a": 1]))
        let name = try #require(try names().first)
        let other = KnownLayerFile(of: "other", beside: place)
        try other.write(layer(["b": 1]))
        let otherName = try #require(try names().first { $0 != name })
        let known = folder.path + "/.settings.json.known/"
        // The last is an editor's.
        for left in [".\(name).1", ".\(name).2", ".\(otherName).1", ".\(name).swp"] {
            try Data("TDK1".utf8).write(to: URL(filePath: known + left))
            let age: TimeInterval = left.hasSuffix(".2") ? 0 : -120
            try FileManager.default.setAttributes(
                [.modificationDate: Date.now + age], ofItemAtPath: known + left)
        }
        if isRemoval { try file.remove() } else { try file.write(layer(["a": 2])) }
        let kept = isRemoval ? [] : [name]
        #expect(try Set(names()) == Set(kept + [otherName, ".\(name).2", ".\(otherName).1", ".\(name).swp"]))
        #expect(try file.read()?.values[KeyName("a")]?.value == (isRemoval ? nil : 2))
        #expect(try other.read()?.values[KeyName("b")]?.value == 1)
    }
}
