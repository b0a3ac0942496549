/// A program that is linked statically, as for a container with nothing else in it, does all that another one does.
import Foundation
import TestSupport
import Testing
import TypedDefaults

@Suite(
    .enabled(if: hasStaticRuntime, "The toolchain has no Swift runtime to be linked statically."), .ownThread)
struct StaticProgramTests {
    /// All of it, with the C library, or Swift's own libraries alone.
    static let ways = ["-static-executable", "-static-stdlib"]

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: ways)
    func `what it and another program write, each reads at once, by the same page`(_ way: String) throws {
        let peer = try peer(linked: way)
        let other = try Peer.opening(in: folder)
        // As often as it takes until the files are looked at no more.
        for round in 1...200 {
            try peer.expectOK("setint n \(round * 2)")
            #expect(try other.ask("getint n") == "\(round * 2)")
            try other.expectOK("setint n \(round * 2 + 1)")
            #expect(try peer.ask("getint n") == "\(round * 2 + 1)")
        }
        // Foundation takes a file of the kernel's to end where the first piece of it ends.
        let maps = try Tool.run("cat", ["/proc/\(peer.processID)/maps"]).output
        #expect(maps.contains("settings.json.lock"))
        #expect(!maps.contains("libswiftCore.so"))
    }

    @Test(arguments: ways)
    func `it is told of a save by hand, and brings the file up to date`(_ way: String) throws {
        let peer = try peer(linked: way)
        try peer.expectOK("observe n")
        try folder.saveByRename("{\"n\": 3}")
        #expect(try peer.ask("events 1") == #"[[null, 3, "fileEdited"]]"#)
        try peer.expectOK("setint n 4")
        try peer.expectOK("checkpoint")
        let text = try String(contentsOfFile: "\(folder.path)/settings/settings.json", encoding: .utf8)
        #expect(text == "{\"n\": 4}")
    }

    @Test(arguments: ways)
    func `the quick start does without libraries what it does with them`(_ way: String) throws {
        let program = try StaticProgramTests.link(
            "quickstart", in: "Examples/Quickstart", way, to: "\(folder.path)/quickstart")
        let libraries = try Tool.run("ldd", [program])
        #expect(!libraries.output.contains("libswift"), "\(libraries.output)")
        let run = try Tool.run("env", ["XDG_CONFIG_HOME=\(folder.path)/config", program])
        #expect(run.status == 0, "\(run.output)")
        #expect(run.output.contains("heard: quality"), "\(run.output)")
        #expect(run.output.contains(#""theme": "dark""#), "\(run.output)")
    }

    /// A process of the peer, linked in one of the ways, which has opened the suite.
    private func peer(linked way: String) throws -> Peer {
        let peers = try StaticProgramTests.peers.get()
        let program: String = try #require(peers[way])
        let peer = try Peer(program: program)
        try peer.expectOK("open \(folder.path) settings")
        return peer
    }

    /// The peer in each of the ways, linked once for all tests, and one after the other.
    private static let peers = Result {
        try Dictionary(
            uniqueKeysWithValues: ways.map { way in
                let peer = try productFolder().appending(path: "DefaultsPeer\(way)").path
                return (way, try link("DefaultsPeer", in: "Tests/DefaultsPeer", way, to: peer))
            })
    }

    /// Links a target's program from what the build has compiled, and returns its path.
    private static func link(
        _ target: String, in folder: String, _ way: String, to program: String
    ) throws -> String {
        let objects =
            try [
                "TypedDefaultsCompatibility", "TypedDefaultsPropertyLists", "TypedDefaults", "DefaultsStore",
                "CTypedDefaults",
            ].flatMap { try objectFiles(of: $0) }
            + objectFiles(of: "Libc", in: "Tests/Libc") + objectFiles(of: target, in: folder)
        // What the package manager calls the function that every other program calls main.
        let linked = try Tool.run(
            "swiftc", [way, "-Xlinker", "--defsym=main=\(target)_main", "-o", program] + objects)
        try #require(linked.status == 0, "\(linked.output)")
        return program
    }
}

/// Whether the compiler has what `-static-executable` links.
private let hasStaticRuntime: Bool = {
    do {
        let info = try Tool.run("swiftc", ["-print-target-info", "-static-stdlib"])
        let paths = try JSONDecoder().decode(Target.self, from: Data(info.output.utf8)).paths
        return FileManager.default.fileExists(
            atPath: "\(paths.runtimeResourcePath)/linux/static-executable-args.lnk")
    } catch {
        return false
    }
}()

private struct Target: Decodable {
    let paths: Paths

    struct Paths: Decodable {
        let runtimeResourcePath: String
    }
}
