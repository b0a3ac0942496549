/// The order in which settings files in several folders count, and what does not count at all.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.ownThread, .timeLimit(.minutes(60))) struct DropInsTests {
    private let folder: TemporaryFolder
    /// As the specification has them, the highest first.
    private let roots = ["etc", "run", "usr/lib"]

    init() throws { folder = try TemporaryFolder() }

    private var files: DropIns {
        DropIns(folders: roots.map { "\(folder.path)/\($0)/foo" }, name: "bar")
    }

    private func read(after last: DropIns.Contents = DropIns.Contents()) -> DropIns.Contents {
        files.read(after: last)
    }

    /// The files that count, the lowest first, without the test's folder.
    private func order(_ contents: DropIns.Contents) -> [String] {
        contents.files.reversed().map { String($0.path.dropFirst(folder.path.count + 1)) }
    }

    /// A situation that the specification describes: what is there, and what is parsed, in this order.
    struct Example: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var files: [String] = []
        var empty: [String] = []
        var masks: [String] = []
        let parsed: [String]
    }

    @Test(arguments: [
        Example(
            testDescription: "the vendor's file is the default", files: ["usr/lib/foo/bar.json"],
            parsed: ["usr/lib/foo/bar.json"]),
        Example(
            testDescription: "one in run takes precedence",
            files: ["usr/lib/foo/bar.json", "run/foo/bar.json"], parsed: ["run/foo/bar.json"]),
        Example(
            testDescription: "one in etc overrides both",
            files: ["usr/lib/foo/bar.json", "run/foo/bar.json", "etc/foo/bar.json"],
            parsed: ["etc/foo/bar.json"]),
        Example(
            testDescription: "an empty file masks", files: ["usr/lib/foo/bar.json"],
            empty: ["etc/foo/bar.json"], parsed: []),
        Example(
            testDescription: "a link to /dev/null masks", files: ["usr/lib/foo/bar.json"],
            masks: ["etc/foo/bar.json"], parsed: []),
        Example(
            testDescription: "drop-ins in the order of their names, whatever hierarchy they are in",
            files: [
                "usr/lib/foo/bar.json", "etc/foo/bar.json", "usr/lib/foo/bar.d/a.json",
                "etc/foo/bar.d/a.json", "usr/lib/foo/bar.d/b.json",
            ],
            parsed: ["etc/foo/bar.json", "etc/foo/bar.d/a.json", "usr/lib/foo/bar.d/b.json"]),
        Example(
            testDescription: "drop-ins count though the file is masked",
            files: ["usr/lib/foo/bar.json", "usr/lib/foo/bar.d/a.json"], empty: ["etc/foo/bar.json"],
            parsed: ["usr/lib/foo/bar.d/a.json"]),
        Example(
            testDescription: "a drop-in is masked by an empty one",
            files: ["usr/lib/foo/bar.json", "usr/lib/foo/bar.d/a.json"],
            empty: ["etc/foo/bar.json", "etc/foo/bar.d/a.json"], parsed: []),
        Example(
            testDescription: "a drop-in has no drop-ins",
            files: ["etc/foo/bar.d/a.json", "etc/foo/bar.d/a.d/b.json"], parsed: ["etc/foo/bar.d/a.json"]),
        Example(
            testDescription: "drop-ins without a file",
            files: ["usr/lib/foo/bar.d/a.json", "usr/lib/foo/bar.d/b.json", "etc/foo/bar.d/c.json"],
            parsed: ["usr/lib/foo/bar.d/a.json", "usr/lib/foo/bar.d/b.json", "etc/foo/bar.d/c.json"]),
        Example(
            testDescription: "hidden files and those of other suffixes are none",
            files: ["etc/foo/bar.d/.a.json", "etc/foo/bar.d/a.json~", "etc/foo/bar.d/a.json.rpmnew"],
            parsed: []),
        Example(testDescription: "nothing at all", parsed: []),
    ])
    func `the specification's examples`(_ example: Example) throws {
        for name in example.files { try folder.write("{\"a\": 1}", to: name) }
        for name in example.empty { try folder.write("", to: name) }
        for name in example.masks {
            try folder.write("", to: name)
            try folder.remove(name)
            #expect(symlink("/dev/null", "\(folder.path)/\(name)") == 0)
        }
        let contents = read()
        #expect(order(contents) == example.parsed)
        #expect(contents.failures == [])
    }

    @Test func `of files that turn faster than they can be read what was known applies`() throws {
        try folder.write("{\"a\": 1}", to: "etc/foo/bar.d/known.json")
        let known = read()
        try folder.remove("etc/foo/bar.d")
        let names = (0..<60).map { "\($0).json" }
        let turning = try TurningFolder(folder, "etc/foo/bar.d", files: names) { "{\"a\": \($0)}" }
        // As often as it takes: the thread need not run while this one reads.
        var mixed = known
        #expect(
            eventually {
                mixed = read(after: known)
                return mixed.failures.map(\.code) == [.ioFailure]
            })
        #expect(mixed.files.count == 1 && mixed.files.first?.path == known.files.first?.path)
        #expect(eventually { read().unread?.code == .ioFailure })
        try turning.stop(at: 1)
        #expect(read(after: mixed).files.count == 60)
    }

    @Test func `one that is no JSON is named with its place, the others count, and so does what it said`()
        throws
    {
        try folder.write("{\"a\": 1}", to: "etc/foo/bar.d/10.json")
        try folder.write("{\"a\": 2,\n \"b\" 3}", to: "etc/foo/bar.d/20.json")
        let broken = read()
        #expect(order(broken) == ["etc/foo/bar.d/10.json"])
        let error = try #require(broken.failures.first)
        #expect(broken.failures.count == 1)
        #expect((error.code, error.line, error.column) == (.malformedFile, 2, 6))
        #expect(error.path == "\(folder.path)/etc/foo/bar.d/20.json")

        try folder.write("{\"a\": 2}", to: "etc/foo/bar.d/20.json")
        let mended = read(after: broken)
        #expect(order(mended) == ["etc/foo/bar.d/10.json", "etc/foo/bar.d/20.json"])
        try folder.write("{", to: "etc/foo/bar.d/20.json")
        let again = read(after: mended)
        #expect(again.failures.map(\.code) == [.malformedFile])
        #expect(again.files.first?.document.value(forKey: KeyName("a"))?.value == 2)
    }

    @Test func `a link applies where it leads to a file that nobody else can write`() throws {
        try folder.write("{\"a\": 1}", to: "opt/presets/a.json")
        try folder.write("{}", to: "etc/foo/bar.d/z.json")
        let link = "\(folder.path)/etc/foo/bar.d/a.json"
        #expect(symlink("../../../opt/presets/a.json", link) == 0)
        let contents = read()
        #expect(order(contents) == ["etc/foo/bar.d/a.json", "etc/foo/bar.d/z.json"])
        #expect(contents.passed == ["\(folder.path)/etc/foo/bar.d/../../../opt/presets"])
        try folder.allowEverybody(in: "opt/presets")
        let refused = read(after: contents)
        #expect(order(refused) == ["etc/foo/bar.d/z.json"])
        #expect(refused.failures.map(\.code) == [.insecureDirectory])
    }

    @Test
    func `what others can write, pipes, folders and endless links are refused, and the next folder applies`()
        throws
    {
        for name in ["open", "pipe", "folder", "loop", "good"] {
            try folder.write("{\"a\": 1}", to: "usr/lib/foo/bar.d/\(name).json")
        }
        let parts = "\(folder.path)/etc/foo/bar.d"
        try folder.write("{\"a\": 2}", to: "etc/foo/bar.d/open.json")
        #expect(chmod(parts + "/open.json", 0o666) == 0)
        #expect(mkfifo(parts + "/pipe.json", 0o600) == 0)
        #expect(mkdir(parts + "/folder.json", 0o700) == 0)
        #expect(symlink("loop.json", parts + "/loop.json") == 0)
        let contents = read()
        #expect(contents.failures.map(\.code) == Array(repeating: .insecureDirectory, count: 4))
        #expect(
            order(contents)
                == ["folder", "good", "loop", "open", "pipe"].map { "usr/lib/foo/bar.d/\($0).json" })
    }

    @Test func `a folder that others can write says nothing, whatever is in it`() throws {
        try folder.write("{\"a\": 1}", to: "usr/lib/foo/bar.d/a.json")
        try folder.write("{\"a\": 2}", to: "etc/foo/bar.d/a.json")
        try folder.write("", to: "etc/foo/bar.d/b.json")
        try folder.allowEverybody(in: "etc/foo/bar.d")
        let contents = read()
        #expect(order(contents) == ["usr/lib/foo/bar.d/a.json"])
        #expect(contents.failures.map(\.code) == [.insecureDirectory])
    }

    @Test func `more drop-ins than count are a failure, and what was known stays`() throws {
        try folder.write("{\"a\": 1}", to: "etc/foo/bar.d/a.json")
        let known = read()
        for number in 0..<10_000 {
            let path = "\(folder.path)/etc/foo/bar.d/\(number).json"
            #expect(symlink("a.json", path) == 0)
        }
        let contents = read(after: known)
        #expect(contents.failures.map(\.code) == [.valueTooLarge])
        #expect(order(contents) == ["etc/foo/bar.d/a.json"])
    }

    @Test func `a file that is larger than any counts as what it was, and is not read`() throws {
        try folder.write("{\"a\": 1}", to: "etc/foo/bar.d/a.json")
        try folder.write("{\"b\": 1}", to: "etc/foo/bar.d/b.json")
        let known = read()
        let path = "\(folder.path)/etc/foo/bar.d/a.json"
        #expect(truncate(path, 1 << 40) == 0)
        let contents = read(after: known)
        #expect(contents.failures.map(\.code) == [.valueTooLarge])
        #expect(order(contents) == ["etc/foo/bar.d/a.json", "etc/foo/bar.d/b.json"])
    }

    @Test(arguments: [EMFILE, EIO, EACCES])
    func `a folder that cannot be listed counts as what it was, masks too, and the others as they are`(
        _ errno: Int32
    ) throws {
        try folder.write("{\"a\": 1}", to: "etc/foo/bar.d/a.json")
        try folder.write("", to: "etc/foo/bar.d/m.json")
        try folder.write("{\"a\": 1}", to: "run/foo/bar.d/m.json")
        let known = read()
        #expect(order(known) == ["etc/foo/bar.d/a.json"])
        try folder.write("{\"a\": 1}", to: "run/foo/bar.d/z.json")
        let rule = FaultInjection.Rule("fdopendir", errno: errno)
        let contents = FaultInjection.$current.withValue(FaultInjection(rule)) { read(after: known) }
        #expect(order(contents) == ["etc/foo/bar.d/a.json", "run/foo/bar.d/z.json"])
        #expect(contents.failures.map(\.systemError) == [SystemError(call: "fdopendir", errno: errno)])
        // And for as long as that lasts.
        let again = FaultInjection.$current.withValue(FaultInjection(rule)) { read(after: contents) }
        #expect(order(again) == order(contents))
        try folder.remove("etc/foo/bar.d/m.json")
        let listed = read(after: again)
        #expect(listed.failures == [])
        #expect(
            order(listed) == ["etc/foo/bar.d/a.json", "run/foo/bar.d/m.json", "run/foo/bar.d/z.json"])
    }

    @Test func `what is in a folder in which others could exchange the drop-ins' folder does not count`()
        throws
    {
        try folder.write("{\"a\": 1}", to: "usr/lib/foo/bar.d/a.json")
        try folder.write("{\"a\": 2}", to: "etc/foo/bar.d/a.json")
        try folder.allowEverybody(in: "etc/foo")
        let contents = read()
        #expect(order(contents) == ["usr/lib/foo/bar.d/a.json"])
        // Of the whole file, and of the parts.
        #expect(contents.failures.map(\.code) == [.insecureDirectory, .insecureDirectory])
        #expect(contents.failures.allSatisfy { $0.path == "\(folder.path)/etc/foo" })
    }

    @Test(.enabled(if: geteuid() == 0, "only root may give files away"), arguments: [false, true])
    func `a link in the drop-ins' place counts only if it and its way are not another user's (F21)`(
        _ isLinkOthers: Bool
    ) throws {
        try folder.write("{\"a\": 1}", to: "opt/presets/bar.d/a.json")
        try folder.write("{\"a\": 1}", to: "usr/lib/foo/bar.d/b.json")
        try folder.write("", to: "etc/foo/hidden")
        let link = "\(folder.path)/etc/foo/bar.d"
        #expect(symlink("../../opt/presets/bar.d", link) == 0)
        let trusted = read()
        #expect(order(trusted) == ["etc/foo/bar.d/a.json", "usr/lib/foo/bar.d/b.json"])
        #expect(lchown(isLinkOthers ? link : "\(folder.path)/opt", 1_000, 1_000) == 0)
        let contents = read(after: trusted)
        #expect(order(contents) == ["usr/lib/foo/bar.d/b.json"])
        #expect(contents.failures.map(\.code) == [.insecureDirectory])
    }
}
