/// Something else stands where one of the suite's files should be: refused or replaced, never followed, never waited for.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct HostilePlaceTests {
    /// The files of a suite that something can stand in place of.
    enum Name: String, CaseIterable, Sendable {
        case settings = "settings.json"
        case journal = ".settings.json.journal"
        case lock = ".settings.json.lock"
        case temporary = ".settings.json.tmp"
    }

    /// What can stand there and holds nobody's data.
    enum Obstacle: CaseIterable, Sendable { case folder, pipe, linkLoop, socket }

    private let folder: TemporaryFolder
    private let suite: DefaultsSuite
    private static let victim = "root:x:0:0:root:/root:/bin/sh\n"

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
        suite.onFailure = { _ in }
        try folder.write(Self.victim, to: "victim")
        try folder.write("", to: "settings/any")
    }

    private func put(_ obstacle: Obstacle, at name: Name, byRename: Bool = false) throws {
        let place = "\(folder.path)/settings/\(name.rawValue)"
        let path = byRename ? "\(folder.path)/settings/obstacle" : place
        switch obstacle {
        case .folder:
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        case .pipe: try #require(mkfifo(path, 0o600) == 0)
        case .linkLoop: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: place)
        case .socket: try #require(mknod(path, S_IFSOCK | 0o600, 0) == 0)
        }
        if byRename { try #require(rename(path, place) == 0) }
    }

    @Test(arguments: [Name.settings, .journal, .lock], Obstacle.allCases)
    func `an obstacle before the first use is refused for reading and writing`(name: Name, obstacle: Obstacle)
        throws
    {
        try put(obstacle, at: name)
        #expect(refusal { _ = try suite.storedValues() }?.code == .insecureDirectory)
        #expect(refusal { try suite.set(1, forKey: "a") }?.code == .insecureDirectory)
        #expect(suite.value(forKey: "a") == nil)
        // Nothing is put beside what is no suite.
        if name == .settings { #expect(try !folder.names().contains(Name.lock.rawValue)) }
    }

    @Test(arguments: Obstacle.allCases)
    func `an obstacle that takes the settings' place is refused and the last good values are served`(
        _ obstacle: Obstacle
    ) throws {
        try suite.set(1, forKey: "a")
        try folder.remove()
        try put(obstacle, at: .settings)
        try EventLoop.shared.drain()
        #expect(suite.value(forKey: "a") == 1)
        #expect(refusal { try suite.set(2, forKey: "a") }?.code == .insecureDirectory)
    }

    @Test(arguments: [Obstacle.pipe, .linkLoop, .socket])
    func `an obstacle in the settings' place is told once, to observers and readers`(_ obstacle: Obstacle)
        throws
    {
        try suite.set(1, forKey: "a")
        try suite.checkpoint()
        let failures = FailureRecorder(suite)
        let observation = suite.observe(forKey: "a", options: []) { _ in }
        try suite.awaitOld()
        try EventLoop.shared.drain()
        // In one step: a look at a folder without the file would find nothing wrong, and end the failure when it is done.
        try put(obstacle, at: .settings, byRename: true)
        #expect(failures.wait(for: 1), "The observers' load tells it.")
        #expect(suite.value(forKey: "a") == 1)
        let other = suite.observe(forKey: "a") { _ in }
        #expect(failures.codes == [.insecureDirectory])
        [observation, other].forEach { $0.invalidate() }
    }

    @Test(arguments: Obstacle.allCases)
    func `an obstacle before the first use is told once, to observers and readers`(_ obstacle: Obstacle)
        throws
    {
        try put(obstacle, at: .lock)
        let failures = FailureRecorder(suite)
        let observations = (1...2).map { _ in suite.observe(forKey: "a") { _ in } }
        #expect(suite.value(forKey: "a") == nil)
        #expect(failures.codes == [.insecureDirectory])
        observations.forEach { $0.invalidate() }
    }

    @Test(arguments: Obstacle.allCases)
    func `an obstacle that takes the journal's place costs no acknowledged value`(_ obstacle: Obstacle) throws
    {
        try suite.set(1, forKey: "a")
        try folder.remove("settings/" + Name.journal.rawValue)
        try put(obstacle, at: .journal)
        let isStored = refusal { try suite.set(2, forKey: "a") } == nil
        try folder.remove("settings/" + Name.journal.rawValue)
        #expect(try suite.storedValues() == ["a": isStored ? 2 : 1])
        try suite.set(3, forKey: "a")
        #expect(try folder.foreignReading() == ["a": 3])
    }

    @Test(arguments: [Obstacle.pipe, .linkLoop, .socket])
    func `an obstacle in place of the next settings file is replaced`(_ obstacle: Obstacle) throws {
        try put(obstacle, at: .temporary)
        try suite.set(1, forKey: "a")
        #expect(try folder.foreignReading() == ["a": 1])
        #expect(try !folder.names().contains(Name.temporary.rawValue))
    }

    @Test func `a folder in place of the next settings file is refused and what was written stays`() throws {
        try suite.set(1, forKey: "a")
        try suite.checkpoint()
        try put(.folder, at: .temporary)
        try suite.set(2, forKey: "a")
        #expect(refusal { try suite.checkpoint() }?.code == .insecureDirectory)
        #expect(try suite.storedValues() == ["a": 2])
        try folder.remove("settings/" + Name.temporary.rawValue)
        try suite.checkpoint()
        #expect(try folder.foreignReading() == ["a": 2])
    }

    @Test(arguments: [Name.journal, .lock, .temporary])
    func `a link to another file is never written through`(_ name: Name) throws {
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/settings/\(name.rawValue)", withDestinationPath: folder.path + "/victim")
        let error = refusal { try suite.set(1, forKey: "a") }
        #expect(error?.code == (name == .temporary ? nil : .insecureDirectory))
        if error == nil { try suite.checkpoint() }
        #expect(try folder.read("victim") == Self.victim)
    }

    @Test(arguments: Name.allCases)
    func `a file that has another name elsewhere keeps its bytes there`(_ name: Name) throws {
        try FileManager.default.linkItem(
            atPath: folder.path + "/victim", toPath: "\(folder.path)/settings/\(name.rawValue)")
        let error = refusal { try suite.set(1, forKey: "a") }
        let codes: [Name: DefaultsError.Code] = [
            .settings: .malformedFile, .lock: .insecureDirectory, .journal: .insecureDirectory,
        ]
        #expect(error?.code == codes[name])
        if error == nil { try suite.checkpoint() }
        #expect(try folder.read("victim") == Self.victim)
    }

    @Test func `a link to the settings in another folder stays a link and its target gets the change`() throws
    {
        try folder.write("{\"a\": 1}", to: "dotfiles/app.json")
        try FileManager.default.createSymbolicLink(
            atPath: folder.settingsPath(), withDestinationPath: "../dotfiles/app.json")
        try suite.set(2, forKey: "a")
        try suite.checkpoint()
        #expect(try folder.foreignReading(of: "dotfiles/app.json") == ["a": 2])
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: folder.settingsPath())
                == "../dotfiles/app.json")
    }

    @Test func `a link put in place of the file of a running program is refused with its reason`() throws {
        try suite.set(1, forKey: "a")
        try suite.checkpoint()
        #expect(suite.value(forKey: "a") == 1)
        try folder.write("{\"a\": 1}", to: "dotfiles/app.json")
        try folder.remove("settings/settings.json")
        try FileManager.default.createSymbolicLink(
            atPath: folder.settingsPath(), withDestinationPath: "../dotfiles/app.json")
        let error = refusal { try suite.set(2, forKey: "a") }
        #expect(error?.code == .insecureDirectory)
        #expect(error?.underlyingDescription?.contains("it is a link") == true)
        #expect(suite.value(forKey: "a") == 1)
        #expect(try folder.foreignReading(of: "dotfiles/app.json") == ["a": 1])
    }

    @Test(.enabled(if: geteuid() == 0, "needs root, to make another user's file"))
    func `a link to another user's file is refused and nothing is made beside it`() throws {
        try folder.write("{\"a\": 1}", to: "theirs/app.json")
        try #require(chown(folder.path + "/theirs/app.json", 65_534, 65_534) == 0)
        try FileManager.default.createSymbolicLink(
            atPath: folder.settingsPath(), withDestinationPath: folder.path + "/theirs/app.json")
        #expect(refusal { _ = try suite.storedValues() }?.code == .insecureDirectory)
        #expect(refusal { try suite.set(2, forKey: "a") }?.code == .insecureDirectory)
        #expect(try folder.read("theirs/app.json") == "{\"a\": 1}")
    }

    @Test(.enabled(if: geteuid() == 0, "needs root, to make a device"))
    func `a device in place of the settings is refused`() throws {
        try #require(mknod(folder.settingsPath(), S_IFCHR | 0o600, 1 << 8 | 5) == 0)
        #expect(refusal { _ = try suite.storedValues() }?.code == .insecureDirectory)
        #expect(refusal { try suite.set(2, forKey: "a") }?.code == .insecureDirectory)
    }
}
