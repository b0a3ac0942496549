/// What the built products load at run time.
import Foundation
import TestSupport
import Testing

@Suite(
    .enabled(
        if: FileManager.default.fileExists(atPath: "/proc/self/exe"), "The products are read as ELF files."),
    .ownThread)
struct LinkageTests {
    @Test(arguments: ["quickstart", "DefaultsPeer"])
    func `a program that imports TypedDefaults loads no Foundation`(_ product: String) throws {
        let names = try librariesLoaded(by: try productFolder().appending(path: product))
        #expect(names.contains("libswiftCore.so"), "the list of libraries could not be read: \(names)")
        #expect(names.filter { $0.contains("Foundation") } == [])
    }

    @Test func `a program that imports DefaultsStore alone loads no Foundation`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "linkage-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }

        let names = try librariesLoaded(by: try programUsingTheEngineAlone(in: folder))
        #expect(names.contains("libswiftCore.so"), "the list of libraries could not be read: \(names)")
        #expect(names.filter { $0.contains("Foundation") } == [])
    }
}

/// Links a program of one error value against the engine's object files and those below it, and nothing else of ours.
private func programUsingTheEngineAlone(in folder: URL) throws -> URL {
    let source = folder.appending(path: "main.swift")
    try Data("import DefaultsStore\nprint(DefaultsError.sourceFailed(\"it is away\"))\n".utf8).write(
        to: source)
    let objects = try ["DefaultsStore", "CTypedDefaults"].flatMap { try objectFiles(of: $0) }
    let program = folder.appending(path: "program")
    let compiler = try Tool.run(
        "swiftc", moduleOptions() + [source.path, "-o", program.path] + objects)
    try #require(compiler.status == 0 && !objects.isEmpty, "\(compiler.output)")
    return program
}

/// The names of all libraries the program loads when it starts, also through other libraries, sorted.
private func librariesLoaded(by program: URL) throws -> [String] {
    let loader = try Tool.run("ldd", [program.path])
    try #require(loader.status == 0, "\(loader.output)")
    try #require(!loader.output.contains("not found"), "\(loader.output)")
    return loader.output.split(separator: "\n")
        .compactMap { $0.split(whereSeparator: \.isWhitespace).first }
        .map(String.init)
        .sorted()
}
