import Foundation
import TestSupport
import Testing
import TypedDefaults

/// The README is true: its code, and that of the tour, is compiled as it stands and run.
@Suite(.ownThread, .timeLimit(.minutes(10))) struct ReadmeTests {
    private static let readme = "README.md"
    private static let tour = "Sources/TypedDefaults/TypedDefaults.docc/Tour.md"
    private static let promises = "Sources/TypedDefaults/TypedDefaults.docc/WhatSurvivesWhat.md"
    /// The first block of the README runs until it is killed.
    private static let loop = "for await volume"

    static var tourPrograms: [String] { blocks(of: tour, "swift") }

    @Test(arguments: tourPrograms)
    func `a code block of the tour compiles and runs`(_ text: String) throws {
        let program = try Program(text)
        let run = try program.run()
        #expect(run.status == 0, "\(run.output)")
    }

    @Test func `the README's first program prints what a person saves, and kill -9 undoes nothing`() throws {
        let program = try Program(try #require(ReadmeTests.blocks(of: ReadmeTests.readme, "swift").first))
        let settings = program.settings
        let running = try program.start()
        defer { running.kill() }
        #expect(running.line() == "0.9")
        try #require(eventually { FileManager.default.fileExists(atPath: settings.path) })
        try Data("{\n  // mine\n  \"volume\": 0.3\n}\n".utf8).write(to: settings, options: .atomic)
        #expect(running.line() == "0.3")
        running.kill()
        // Killed as soon as it has written, before the file follows.
        let next = try program.start()
        defer { next.kill() }
        #expect(next.line() == "0.9")
        next.kill()
        let suite = try DefaultsSuite(file: settings.path)
        #expect(suite.double(forKey: "volume") == 0.9)
        try suite.checkpoint()
        let text = try String(contentsOf: settings, encoding: .utf8)
        #expect(text == "{\n  // mine\n  \"volume\": 0.9\n}\n")
    }

    @Test func `the README's other blocks, one after the other, print what stands beside them`() throws {
        let blocks = ReadmeTests.blocks(of: ReadmeTests.readme, "swift")
        let keys = try #require(blocks.first).components(separatedBy: ReadmeTests.loop)[0]
        let program = try Program(keys + blocks.dropFirst().joined(separator: "\n"))
        let run = try program.run()
        #expect(run.status == 0)
        let output = run.output.replacing(program.configuration.path, with: "~/.config")
        let beside = ReadmeTests.text(of: ReadmeTests.readme).components(separatedBy: "## Use it")[1]
        let told = beside.matches(of: /(?m)^ *print\(.*\)  \/\/ (.+)$|^```text\n((?:.|\n)*?)\n```$/).map {
            String($0.output.1 ?? $0.output.2 ?? "")
        }
        #expect(output == told.joined(separator: "\n") + "\n")
    }

    @Test func `each promise of the README is one of the guide's, which have tests`() throws {
        let section = ReadmeTests.text(of: ReadmeTests.readme).components(separatedBy: "\n## ")
            .first { $0.hasPrefix("What you can rely on") }
        let promised = try #require(section).matches(of: /(?m)^- \*\*(.+?\.)\*\*/).map { String($0.output.1) }
        let guide = ReadmeTests.text(of: ReadmeTests.promises)
        #expect(!promised.isEmpty)
        #expect(promised.filter { !guide.contains("\n- **\($0)**") } == [])
    }

    private static func text(of page: String) -> String {
        do { return try String(contentsOf: packageRoot.appending(path: page), encoding: .utf8) } catch {
            return "\(page) cannot be read: \(error)"
        }
    }

    private static func blocks(of page: String, _ language: String) -> [String] {
        text(of: page).matches(of: /(?m)^```([a-z ]+)\n((?:.|\n)*?)^```$/)
            .filter { $0.output.1 == language }.map { String($0.output.2) }
    }
}

/// A program of a page, compiled in a folder of its own, where it keeps its settings too.
private struct Program {
    private let folder: TemporaryFolder
    /// It is called `player`, as on the page.
    private var executable: URL { URL(filePath: folder.path).appending(path: "player") }
    var configuration: URL { URL(filePath: folder.path).appending(path: "config") }
    var settings: URL { configuration.appending(path: "player/settings.json") }

    init(_ text: String) throws {
        folder = try TemporaryFolder()
        try folder.write(text, to: "main.swift")
        let objects = try ["TypedDefaults", "DefaultsStore", "CTypedDefaults"].flatMap {
            try objectFiles(of: $0)
        }
        let compiled = try Tool.run(
            "swiftc",
            moduleOptions() + ["-swift-version", "6", "\(folder.path)/main.swift", "-o", executable.path]
                + objects)
        try #require(compiled.status == 0, "\(compiled.output)")
    }

    func run() throws -> Tool {
        try Tool.run("env", ["-C", folder.path, "XDG_CONFIG_HOME=\(configuration.path)", executable.path])
    }

    func start() throws -> RunningProgram {
        try RunningProgram(executable, environment: ["XDG_CONFIG_HOME": configuration.path])
    }
}

/// A program that goes on until it is killed.
private final class RunningProgram {
    private let process = Process()
    private let output = Pipe()
    private var rest = Data()

    init(_ executable: URL, environment: [String: String]) throws {
        // A terminal gets each line at once, and so does this pipe.
        process.executableURL = URL(filePath: "/usr/bin/stdbuf")
        process.arguments = ["-oL", executable.path]
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = output
        try Tool.startingAlone { try process.run() }
    }

    /// The next line that it prints; nil at the end.
    func line() -> String? {
        while !rest.contains(UInt8(ascii: "\n")) {
            let bytes = output.fileHandleForReading.availableData
            if bytes.isEmpty { return nil }
            rest += bytes
        }
        let line = rest.prefix { $0 != UInt8(ascii: "\n") }
        rest = rest.dropFirst(line.count + 1)
        return String(decoding: line, as: UTF8.self)
    }

    func kill() {
        guard process.isRunning else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
