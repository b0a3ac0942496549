/// Starting with what worked: after starts that failed, the values of the last healthy one are served.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.ownThread) struct StartTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite
    private let failures: FailureRecorder

    private static let history = "settings/.settings.json.history"
    private static let good = history + "/good.json"
    private static let failed = history + "/start.json"

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
        failures = FailureRecorder(suite)
        try suite.set(0.5, forKey: "volume")
        try suite.set("x", forKey: "name")
    }

    private func begin() throws -> DefaultsStart { try suite.beginStart(safeAfter: 3) }

    /// Each call counts as a process that began a start and crashed.
    private func fail(_ count: Int = 3) throws {
        for _ in 0..<count { #expect(try !begin().isSafe) }
    }

    /// A start that works, after which one value is changed, one added and one removed.
    private func change() throws {
        try begin().markHealthy()
        try suite.set(0.9, forKey: "volume")
        try suite.set("dark", forKey: "theme")
        try suite.removeValue(forKey: "name")
    }

    private let stored: [String: DefaultsValue] = ["volume": 0.9, "theme": "dark"]
    private let served: [String: DefaultsValue] = ["volume": 0.5, "name": "x"]

    private func effective() -> [String: DefaultsValue] { suite.snapshot().dictionaryRepresentation() }

    @Test func `after three failed starts with changes the values of the last healthy start are served`()
        throws
    {
        try change()
        try fail()
        let file = try folder.read("settings/settings.json")
        let start = try begin()
        #expect(start.isSafe)
        #expect(effective() == served)
        #expect(suite.value(forKey: "volume") == 0.5 && suite.value(forKey: "theme") == nil)
        #expect(suite.value(forKey: "name") == "x")
        #expect(
            start.withheld.map(\.description) == [
                "name: \"x\" -> not stored", "theme: not stored -> \"dark\"", "volume: 0.5 -> 0.9",
            ])
        #expect(try suite.storedValues() == stored)
        #expect(try folder.read("settings/settings.json") == file)
        let report = try #require(failures.all.first)
        #expect(failures.codes == [.withheld])
        #expect(report.path == folder.settingsPath())
        #expect(
            report.description.contains("3 starts have failed, the keys are \"name\", \"theme\", \"volume\""))
        #expect(report.recoverySuggestion.contains("acceptStored()"))
    }

    @Test func `a registered value counts where the last healthy start had nothing stored`() throws {
        try change()
        suite.register(defaults: ["theme": "light"])
        try fail()
        _ = try begin()
        #expect(suite.value(forKey: "theme") == "light")
    }

    @Test func `without a change no number of failed starts makes one safe`() throws {
        try begin().markHealthy()
        try fail(8)
        #expect(effective() == served)
        #expect(failures.codes == [])
    }

    @Test func `failed starts before a change do not count`() throws {
        try begin().markHealthy()
        try fail(5)
        try suite.set(0.9, forKey: "volume")
        try fail(3)
        #expect(try begin().isSafe)
    }

    @Test func `a start with the values of the last healthy one begins the count again`() throws {
        try change()
        try fail(2)
        for (key, value) in served { try suite.set(value, forKey: key) }
        try suite.removeValue(forKey: "theme")
        try fail(1)
        try suite.set(0.9, forKey: "volume")
        try fail(3)
    }

    @Test func `without a healthy start none is safe`() throws {
        try fail(2)
        try suite.set(0.9, forKey: "volume")
        try fail(5)
        #expect(suite.value(forKey: "volume") == 0.9)
    }

    @Test func `a change that no failed start has had is served, and withheld once it has failed`() throws {
        try change()
        try fail()
        try suite.set(0.7, forKey: "volume")
        let start = try begin()
        #expect(start.isSafe)
        #expect(start.withheld.map(\.key) == ["name", "theme"])
        #expect(suite.value(forKey: "volume") == 0.7)
        #expect(try begin().withheld.map(\.key) == ["name", "theme", "volume"])
    }

    @Test func `a mend of all that has changed is served at once`() throws {
        try begin().markHealthy()
        try suite.set(0.9, forKey: "volume")
        try fail(4 - 1)
        try suite.set(0.6, forKey: "volume")
        #expect(try !begin().isSafe)
        #expect(suite.value(forKey: "volume") == 0.6)
    }

    @Test func `what is stored meanwhile is served, also where it is what was withheld`() throws {
        try change()
        try fail()
        let start = try begin()
        try suite.set(0.7, forKey: "volume")
        try suite.set("dark", forKey: "theme")
        #expect(suite.value(forKey: "volume") == 0.7)
        #expect(suite.value(forKey: "theme") == "dark")
        #expect(start.withheld.map(\.key) == ["name"])
        try suite.removeValue(forKey: "name")
        #expect(suite.value(forKey: "name") == nil)
        #expect(start.withheld == [])
        #expect(effective() == ["volume": 0.7, "theme": "dark"])
    }

    @Test
    func `a draft that sets what is withheld has it served, and one that sets what is served stores it`()
        throws
    {
        try change()
        try fail()
        _ = try begin()
        var draft = suite.draft()
        draft.set("dark", forKey: "theme")
        draft.set(0.5, forKey: "volume")
        #expect(draft.changes.map(\.description) == ["theme: \"dark\" -> \"dark\"", "volume: 0.9 -> 0.5"])
        try draft.apply()
        #expect(effective() == ["volume": 0.5, "theme": "dark", "name": "x"])
        #expect(try suite.storedValues() == ["volume": 0.5, "theme": "dark"])
    }

    @Test func `a transaction begins with what is served, and stores what it sets`() throws {
        try change()
        try fail()
        _ = try begin()
        try suite.withTransaction { tx in
            #expect(tx[key: "volume"] == 0.5 && tx[key: "theme"] == nil)
            tx[key: "volume"] = 0.75
            tx[key: "theme"] = "dark"
        }
        #expect(try suite.storedValues() == ["volume": 0.75, "theme": "dark"])
        #expect(effective() == ["volume": 0.75, "theme": "dark", "name": "x"])
    }

    @Test func `a transaction that is rolled back ends nothing`() throws {
        struct Refused: Error {}
        try change()
        try fail()
        _ = try begin()
        #expect(throws: Refused.self) {
            try suite.withTransaction { tx in
                tx[key: "volume"] = 0.9
                throw Refused()
            }
        }
        #expect(effective() == served)
    }

    @Test func `a set that a validation refuses ends nothing`() throws {
        try change()
        try fail()
        _ = try begin()
        suite.addValidation("quiet") { ($0.value(forKey: "volume")?.double ?? 0) < 0.6 }
        #expect(refusal { try suite.set("dark", forKey: "theme") } == nil)
        for loud in [0.7, 0.9] {
            #expect(refusal { try suite.set(loud, forKey: "volume") }?.code == .invalidValue)
        }
        #expect(effective() == ["volume": 0.5, "name": "x", "theme": "dark"])
    }

    @Test func `an edit by a person or another process is served where it differs`() throws {
        try change()
        try fail()
        _ = try begin()
        try folder.saveByRename("{\"volume\": 0.8, \"theme\": \"dark\"}")
        try suite.context.store().raiseEpoch()
        #expect(effective() == ["volume": 0.8, "name": "x"])
        #expect(try suite.storedValues() == ["volume": 0.8, "theme": "dark"])
    }

    @Test func `a value that is only laid out in another way stays withheld`() throws {
        try suite.set(["a": 1, "b": 2], forKey: "object")
        try begin().markHealthy()
        try suite.set(["a": 1, "b": 3], forKey: "object")
        try fail()
        _ = try begin()
        try folder.saveByRename("{\"object\": {\"b\" :3,\n \"a\": 1}}")
        try suite.context.store().raiseEpoch()
        #expect(suite.value(forKey: "object") == ["a": 1, "b": 2])
    }

    @Test func `observers get the served values, and the stored ones once they are accepted`() throws {
        try change()
        try fail()
        let (heard, all) = (Recorder<String>(), Recorder<Int>())
        let observation = suite.observe(forKey: "volume", options: [.old, .new]) {
            heard.append("\($0.oldValue ?? .null) \($0.newValue ?? .null) \($0.cause)")
        }
        let whole = suite.observeAll(options: []) { all.append(1) }
        let start = try begin()
        #expect(heard.all == ["0.9 0.5 this process"])
        try start.acceptStored()
        #expect(heard.all.last == "0.5 0.9 this process" && heard.all.count == 2)
        #expect(all.all.count == 2)
        try suite.set(0.9, forKey: "volume")
        #expect(heard.all.count == 2)
        observation.invalidate()
        whole.invalidate()
    }

    @Test func `a set of what is withheld is a change for observers, once`() throws {
        try change()
        try fail()
        _ = try begin()
        let heard = Recorder<DefaultsValue?>()
        let observation = suite.observe(forKey: "volume", options: [.new]) { heard.append($0.newValue) }
        try suite.set(0.9, forKey: "volume")
        #expect(heard.all == [0.9])
        observation.invalidate()
    }

    @Test func `accepted values are served, are not withheld at the next start, and the good ones stay`()
        throws
    {
        try change()
        try fail()
        let start = try begin()
        try start.acceptStored()
        #expect(effective() == stored)
        #expect(start.withheld == [] && start.isSafe)
        try fail(3)
        #expect(try begin().withheld.map(\.key) == ["name", "theme", "volume"])
    }

    @Test
    func `a healthy start makes what is stored the good values, and what is served of what is withheld`()
        throws
    {
        try change()
        try fail()
        let start = try begin()
        try suite.set(true, forKey: "own")
        try suite.set("light", forKey: "theme")
        try start.markHealthy()
        #expect(try suite.storedValues() == ["volume": 0.9, "theme": "light", "own": true])
        // The next start tries again what is withheld; that it fails once is enough.
        try fail(1)
        let again = try begin()
        #expect(again.withheld.map(\.key) == ["name", "volume"])
        #expect(effective() == ["volume": 0.5, "name": "x", "theme": "light", "own": true])
    }

    @Test func `a healthy start with changed values makes these the good ones`() throws {
        try change()
        try fail(2)
        try begin().markHealthy()
        try fail(4)
        #expect(effective() == stored)
    }

    @Test func `explain says that a value is withheld, after how many starts, and which one is served`()
        throws
    {
        try change()
        try fail(4 - 1)
        _ = try begin()
        try folder.awaitCheckpoint()
        #expect(
            suite.explain(forKey: "volume").map(\.description) == [
                "stored: 0.5 (\(folder.path)/\(StartTests.good):2:13): applies",
                "stored: 0.9 (\(folder.settingsPath()):2:13): withheld after 3 failed starts",
            ])
        #expect(
            suite.explain(forKey: "theme").map(\.description) == [
                "stored: \"dark\" (\(folder.settingsPath()):3:12): withheld after 3 failed starts"
            ])
        #expect(suite.domain(forKey: "theme") == nil)
        #expect(suite.explain(forKey: "name").map(\.outcome) == [.applies, .withheld(failedStarts: 3)])
        try suite.setTransient(0.1, forKey: "volume")
        #expect(
            suite.explain(forKey: "volume").map(\.outcome) == [
                .applies, .masked(by: .transient), .withheld(failedStarts: 3),
            ])
    }

    @Test func `the good values are a settings file for the user alone, with its comments`() throws {
        try folder.saveByRename("{\n  // loud\n  \"volume\": 0.5,\n  \"$schema\": \"s\"\n}\n")
        try suite.context.store().raiseEpoch()
        try begin().markHealthy()
        #expect(try folder.read(StartTests.good) == folder.read("settings/settings.json"))
        #expect(try folder.permissions(of: StartTests.good) == 0o600)
        #expect(try folder.permissions(of: StartTests.history) == 0o700)
        try suite.set(0.9, forKey: "volume")
        try fail(1)
        #expect(try folder.permissions(of: StartTests.failed) == 0o600)
        #expect(try folder.names(in: StartTests.history) == ["good.json", "start.json"])
    }

    @Test func `what a failed start began with is not kept a second time`() throws {
        try begin().markHealthy()
        try suite.set("s3cret", forKey: "name")
        try fail(1)
        #expect(try !folder.read(StartTests.failed).contains("s3cret"))
    }

    @Test func `a healthy start that changes nothing writes nothing`() throws {
        try begin().markHealthy()
        let before = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(StartTests.good)")
        try begin().markHealthy()
        let after = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(StartTests.good)")
        #expect(before[.systemFileNumber] as? Int == after[.systemFileNumber] as? Int)
    }

    @Test func `members that are no settings are not withheld`() throws {
        try begin().markHealthy()
        try suite.set("s", forKey: "$schema")
        try fail(4)
        try suite.set(0.9, forKey: "volume")
        try fail(3)
        #expect(try begin().withheld.map(\.key) == ["volume"])
        #expect(suite.value(forKey: "$schema") == "s")
    }

    @Test func `nothing is withheld where the settings have been migrated since the last healthy start`()
        throws
    {
        try change()
        try suite.migrate([DefaultsMigration("step") { $0[key: "volume"] = 9 }])
        try fail(5)
        #expect(suite.value(forKey: "volume") == 9)
        try begin().markHealthy()
        try suite.set(0.9, forKey: "volume")
        try fail(3)
        #expect(try begin().withheld.map(\.key) == ["volume"])
    }

    @Test func `in memory no start is safe and nothing is kept`() throws {
        let suite = DefaultsSuite.inMemory()
        for value in 0..<5 {
            try suite.set(value, forKey: "a")
            let start = try suite.beginStart(safeAfter: 1)
            #expect(!start.isSafe && start.withheld == [])
            if value == 0 { try start.markHealthy() }
            if value == 4 { try start.acceptStored() }
        }
        #expect(suite.integer(forKey: "a") == 4)
    }

    @Test func `a start is refused in a suite that can only be read, and after less than one failed start`()
        throws
    {
        let reading = try DefaultsSuite("settings", in: folder.path, readOnly: true)
        #expect(refusal { _ = try reading.beginStart(safeAfter: 3) }?.code == .readOnly)
        #expect(refusal { _ = try suite.beginStart(safeAfter: 0) }?.code == .invalidValue)
    }

    @Test func `to end the history leaves the good values`() throws {
        try suite.keepHistory(.versions(4))
        try change()
        try fail(2)
        try suite.keepHistory(.off)
        try fail(1)
        #expect(try begin().isSafe)
    }
}

/// Starts beside files that are damaged, or that cannot be read or written.
@Suite(.ownThread) struct StartFaultTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite
    private let failures: FailureRecorder

    private static let good = "settings/.settings.json.history/good.json"
    private static let failed = "settings/.settings.json.history/start.json"

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
        failures = FailureRecorder(suite)
        try suite.set(0.5, forKey: "volume")
        try suite.set("x", forKey: "name")
        try suite.beginStart(safeAfter: 3).markHealthy()
        try suite.set(0.9, forKey: "volume")
        for _ in 0..<3 { #expect(try !suite.beginStart(safeAfter: 3).isSafe) }
    }

    @Test(arguments: ["", "{\"volume\": 0.5", "[]"])
    func
        `good values that cannot be read are reported, what is stored is served, and a healthy start mends them`(
            text: String
        ) throws
    {
        try folder.write(text, to: StartFaultTests.good)
        let start = try suite.beginStart(safeAfter: 3)
        // An empty file is a settings file with nothing in it.
        #expect(start.isSafe == text.isEmpty)
        #expect(failures.all.first?.code == (text.isEmpty ? .withheld : .malformedFile))
        if text.isEmpty { return }
        #expect(failures.all.first?.path == "\(folder.path)/\(StartFaultTests.good)")
        #expect(suite.value(forKey: "volume") == 0.9)
        try start.markHealthy()
        #expect(try folder.read(StartFaultTests.good).contains("0.9"))
        #expect(try !suite.beginStart(safeAfter: 1).isSafe)
        #expect(failures.all.count == 1)
    }

    @Test(arguments: [
        "", "{", "{\"failed\": -1, \"changed\": {}}", "{\"failed\": \"3\", \"changed\": {}}",
        "{\"failed\": 3}",
    ])
    func `a count that cannot be read is reported, and begins again`(text: String) throws {
        try folder.write(text, to: StartFaultTests.failed)
        for _ in 0..<3 { #expect(try !suite.beginStart(safeAfter: 3).isSafe) }
        #expect(failures.codes == [.malformedFile])
        #expect(failures.all.first?.path == "\(folder.path)/\(StartFaultTests.failed)")
        #expect(try suite.beginStart(safeAfter: 3).isSafe)
    }

    @Test(arguments: ["{\"failed\": 3, \"changed\": {\"volume\": -1, \"name\": \"x\", \"\": 1e400}}"])
    func `a count of other values than the stored ones withholds nothing`(text: String) throws {
        try folder.write(text, to: StartFaultTests.failed)
        #expect(try !suite.beginStart(safeAfter: 3).isSafe)
        #expect(failures.codes == [])
    }

    @Test(arguments: [good, failed])
    func `a link in a file's place is refused, and replaced where the file is written`(name: String) throws {
        try folder.write("{\"failed\": 9, \"changed\": {}, \"volume\": 0.1}", to: "elsewhere")
        let path = "\(folder.path)/\(name)"
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(
            atPath: path, withDestinationPath: folder.path + "/elsewhere")
        let start = try suite.beginStart(safeAfter: 3)
        #expect(!start.isSafe)
        #expect(failures.codes == [.insecureDirectory])
        try start.markHealthy()
        #expect(try folder.read("elsewhere").contains("0.1"))
        #expect(try !suite.beginStart(safeAfter: 3).isSafe)
        #expect(failures.codes == [.insecureDirectory])
    }

    @Test func `a folder in the good file's place is told, and the count stays`() throws {
        try folder.remove(StartFaultTests.good)
        try folder.write("", to: StartFaultTests.good + "/in it")
        let start = try suite.beginStart(safeAfter: 3)
        #expect(failures.codes == [.insecureDirectory])
        #expect(refusal { try start.markHealthy() }?.path == "\(folder.path)/\(StartFaultTests.good)")
        try folder.remove(StartFaultTests.good)
        try folder.write("{\"volume\": 0.5, \"name\": \"x\"}", to: StartFaultTests.good)
        #expect(try suite.beginStart(safeAfter: 3).isSafe)
    }

    @Test(arguments: [ENOSPC, EIO, EROFS])
    func `a count that cannot be written is reported, and a start that is due to be safe is`(number: Int32)
        throws
    {
        let plan = FaultInjection(FaultInjection.Rule("renameat", errno: number, lasts: true))
        let start = try FaultInjection.$current.withValue(plan) { try suite.beginStart(safeAfter: 3) }
        #expect(start.isSafe)
        #expect(failures.all.count == 2)
        #expect(failures.all.first?.path == "\(folder.path)/\(StartFaultTests.failed)")
        #expect(suite.value(forKey: "volume") == 0.5)
    }

    @Test func `good values that cannot be written are not good, and the start is still a failed one`() throws
    {
        let start = try suite.beginStart(safeAfter: 9)
        let plan = FaultInjection(FaultInjection.Rule("renameat", errno: ENOSPC, lasts: true))
        let error = FaultInjection.$current.withValue(plan) { refusal { try start.markHealthy() } }
        #expect(error?.code == .diskFull)
        #expect(error?.suite == "settings")
        #expect(try folder.read(StartFaultTests.good).contains("0.5"))
        #expect(try suite.beginStart(safeAfter: 3).isSafe)
    }

    @Test func `values that cannot be accepted are still withheld`() throws {
        let start = try suite.beginStart(safeAfter: 3)
        let plan = FaultInjection(FaultInjection.Rule("unlinkat", errno: EIO, lasts: true))
        #expect(
            FaultInjection.$current.withValue(plan) { refusal { try start.acceptStored() } }?.code
                == .ioFailure)
        #expect(suite.value(forKey: "volume") == 0.5)
        try start.acceptStored()
        #expect(suite.value(forKey: "volume") == 0.9)
    }

    @Test func `where the settings file is damaged the good values take the place of what cannot be read`()
        throws
    {
        // In a folder of its own, where no process has a last good state.
        let folder = try TemporaryFolder()
        try folder.write("{\n  \"volume\": 0.9,\n  \"name\" }\n", to: "settings/settings.json")
        try folder.write("{\"volume\": 0.5, \"name\": \"x\"}", to: StartFaultTests.good)
        let fresh = try folder.suite()
        fresh.onFailure = { _ in }
        #expect(try !fresh.beginStart(safeAfter: 1).isSafe)
        #expect(fresh.value(forKey: "volume") == 0.9 && fresh.value(forKey: "name") == nil)
        let start = try fresh.beginStart(safeAfter: 1)
        #expect(start.isSafe)
        #expect(fresh.value(forKey: "volume") == 0.5 && fresh.value(forKey: "name") == "x")
        #expect(fresh.snapshot().dictionaryRepresentation() == ["volume": 0.5, "name": "x"])
        #expect(refusal { try start.markHealthy() }?.code == .malformedFile)
        try folder.saveByRename("{\"volume\": 0.9, \"name\": \"mended\"}")
        try fresh.context.store().raiseEpoch()
        #expect(fresh.value(forKey: "name") == "mended")
        #expect(fresh.value(forKey: "volume") == 0.5)
    }

    @Test func `what is withheld of a secret key is not told`() throws {
        let key = KeyName("volume")
        suite.context.hideAsSecret(key)
        let start = try suite.beginStart(safeAfter: 3)
        let change = try #require(start.withheld.first)
        #expect(change.isSecret && change.old == nil && change.new == nil)
        #expect(suite.explain(forKey: "volume").allSatisfy { $0.isSecret && $0.text == nil })
        #expect(suite.value(forKey: "volume") == 0.5)
    }
}

extension SuiteContext {
    /// Has a key be one whose values are not printed, as a declaration does.
    fileprivate func hideAsSecret(_ key: KeyName) {
        setLayer(
            "secrets", values: [key.string: 0.1], isSecret: true, location: nil)
    }
}
