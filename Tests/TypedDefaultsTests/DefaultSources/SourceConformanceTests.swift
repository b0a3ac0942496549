/// The conformance kit: every shipped source keeps the rules, and each rule's breach is found.
import DefaultValueSourceConformance
import Foundation
import TestSupport
import Testing
import TypedDefaults
import TypedDefaultsCompatibility

@Suite(.ownThread, .timeLimit(.minutes(60))) struct SourceConformanceTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(#"{"a": 1, "b": [true]}"#, to: "d.json")
        try folder.write("<plist><dict><key>a</key><integer>1</integer></dict></plist>", to: "d.plist")
        let pane =
            "<plist><dict><key>PreferenceSpecifiers</key><array><dict><key>Key</key><string>a</string>"
            + "<key>DefaultValue</key><integer>1</integer></dict></array></dict></plist>"
        try folder.write(pane, to: "Settings.bundle/Root.plist")
        try folder.write("1", to: "config/a")
    }

    /// The shipped sources over the test's files.
    enum Shipped: String, CaseIterable, Sendable {
        case dictionary, json, plist, bundle, closure, files

        func source(_ folder: String) -> any DefaultValueSource {
            switch self {
            case .dictionary: DictionaryDefaultValueSource(["a": 1])
            case .json: JSONDefaultValueSource(path: folder + "/d.json")
            case .plist: PropertyListDefaultValueSource(path: folder + "/d.plist")
            case .bundle: SettingsBundleDefaultValueSource(path: folder + "/Settings.bundle")
            case .closure: JSONDefaultValueSource(name: "closure", text: { Array("{}".utf8) })
            case .files: FilesDefaultValueSource(folder: folder + "/config")
            }
        }

        /// The file to change, where the source has one.
        var file: String? {
            switch self {
            case .json: "d.json"
            case .plist: "d.plist"
            case .bundle: "Settings.bundle/Root.plist"
            case .files: "config/a"
            case .dictionary, .closure: nil
            }
        }
    }

    @Test(arguments: Shipped.allCases) func `a shipped source keeps the rules`(shipped: Shipped) async throws
    {
        let path = folder.path
        try await SourceConformance { shipped.source(path) }.check()
    }

    @Test(arguments: Shipped.allCases.filter { $0.file != nil })
    func `a shipped source of a file tells of changes by the rules`(shipped: Shipped) async throws {
        let file = try #require(shipped.file)
        let folder = folder
        let text = try folder.read(file)
        try await SourceConformance { shipped.source(folder.path) }.checkChanges {
            // In place where the file's new name would be a value for a moment.
            let text = text.replacing("1", with: "2")
            try shipped == .files ? folder.write(text, to: file) : folder.saveByRename(text, to: file)
        }
    }

    @Test(arguments: Shipped.allCases.filter { $0.file != nil && $0 != .bundle })
    func `a shipped source of a file that is missing throws each time`(shipped: Shipped) async throws {
        let path = folder.path + "/nowhere"
        try await SourceConformance { shipped.source(path) }.checkFailure()
    }

    /// Runs a check that has to find a breach, and gives the rule.
    ///
    /// - Parameter limit: short only where nothing comes, which takes as long; a busy machine may hold up an answer.
    private func rule(
        within limit: Duration = .seconds(60), _ source: @escaping @Sendable () -> any DefaultValueSource,
        _ check: (SourceConformance) async throws -> Void
    ) async -> SourceViolation.Rule? {
        do {
            try await check(SourceConformance(within: limit, source))
            return nil
        } catch {
            return (error as? SourceViolation)?.rule
        }
    }

    @Test func `answers that differ are found`() async {
        let source = Odd { ["a": .number(DefaultsNumber($0))] }
        #expect(await rule({ source }) { try await $0.checkAnswers() } == .repeatable)
        #expect(await rule({ source }) { try await $0.checkSharing() } == .sharing)
    }

    @Test func `names and values that no file could hold are found`() async {
        let deep = (0..<129).reduce(DefaultsValue.null) { value, _ in .array([value]) }
        #expect(await rule({ Odd { _ in ["": 1] } }) { try await $0.check() } == .names)
        #expect(await rule({ Odd { _ in ["a": deep] } }) { try await $0.check() } == .depth)
        #expect(await rule({ Odd(name: "") { _ in [:] } }) { try await $0.check() } == .name)
    }

    @Test func `a source that throws, and one that never answers, are found`() async {
        let gate = Gate()
        defer { gate.open() }
        #expect(await rule({ Odd { _ in throw ChangeOfMind() } }) { try await $0.check() } == .answers)
        let stuck = JSONDefaultValueSource(
            name: "stuck",
            text: {
                await gate.wait()
                return []
            })
        let limit = Duration.milliseconds(500)
        #expect(await rule(within: limit, { stuck }) { try await $0.checkAnswers() } == .answers)
        #expect(await rule(within: limit, { stuck }) { try await $0.checkCancellation() } == .cancellation)
    }

    @Test func `a source that answers although it cannot be read is found`() async {
        #expect(await rule({ Odd { _ in [:] } }) { try await $0.checkFailure() } == .failure)
    }

    @Test func `a source without changes, with late, equal or partial ones is found`() async {
        #expect(await rule({ Odd { _ in [:] } }) { try await $0.checkChanges {} } == .wholeLayers)
        let silent = ScriptedSource("silent", ["a": 1], hasChanges: true)
        // Its answers have to come within the limit too.
        let missed = await rule(within: .seconds(2), { silent }) {
            try await $0.checkChanges { silent.answer(["a": 2]) }
        }
        #expect(missed == .wholeLayers)
        let ending = ScriptedSource("ending", ["a": 1], hasChanges: true)
        #expect(await rule({ ending }) { try await $0.checkChanges { ending.finish() } } == .wholeLayers)
        let stammering = ScriptedSource("stammering", ["a": 1], hasChanges: true)
        let found = await rule({ stammering }) {
            try await $0.checkChanges {
                stammering.answer(["a": 2])
                stammering.send(["a": 1])
                stammering.send(["a": 1])
                stammering.send(["a": 2])
            }
        }
        #expect(found == .difference)
    }
}

/// A source whose answers a closure makes from how often it was asked.
private final class Odd: DefaultValueSource {
    let name: String
    private let count = Recorder<Int>()
    private let make: @Sendable (Int) throws -> [String: DefaultsValue]

    init(name: String = "odd", _ make: @escaping @Sendable (Int) throws -> [String: DefaultsValue]) {
        self.name = name
        self.make = make
    }

    func defaultValues() async throws -> [String: DefaultsValue] {
        count.append(1)
        return try make(count.all.count)
    }
}
