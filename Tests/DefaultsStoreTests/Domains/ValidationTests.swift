/// Validations across keys.
import DefaultsStore
import Libc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread) struct ValidationTests {
    private static let name = "min <= max"
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite
    private let failures: FailureRecorder

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
        failures = FailureRecorder(suite)
    }

    private func addValidation(to suite: DefaultsSuite) {
        suite.addValidation(ValidationTests.name) { values in
            (values.value(forKey: "min")?.int ?? 0) <= (values.value(forKey: "max")?.int ?? 10)
        }
    }

    @Test func `a single write that fails a validation throws with its name, and nothing is written`() throws
    {
        addValidation(to: suite)
        try suite.set(5, forKey: "min")
        let error = refusal { try suite.set(4, forKey: "max") }
        #expect(
            error
                == DefaultsError(
                    .invalidValue, suite: "settings",
                    underlyingDescription: "the validation \"min <= max\" would fail"))
        #expect(try suite.storedValues() == ["min": 5])
        #expect(failures.all == [])
    }

    @Test func `a transaction is asked as a whole`() throws {
        addValidation(to: suite)
        try suite.withTransaction { tx in
            tx[key: "min"] = 20
            tx[key: "max"] = 30
        }
        let error = refusal {
            try suite.withTransaction { tx in
                tx[key: "other"] = 1
                tx[key: "max"] = 19
            }
        }
        #expect(error?.code == .invalidValue)
        #expect(try suite.storedValues() == ["min": 20, "max": 30])
    }

    @Test func `removing a value is asked about too`() throws {
        addValidation(to: suite)
        try suite.withTransaction { tx in (tx[key: "min"], tx[key: "max"]) = (20, 30) }
        #expect(refusal { try suite.removeValue(forKey: "max") }?.code == .invalidValue)
        try suite.removeAll()
        #expect(try suite.storedValues() == [:])
    }

    @Test func `a validation sees what higher domains supply`() throws {
        addValidation(to: suite)
        try suite.setTransient(3, forKey: "max")
        #expect(refusal { try suite.set(4, forKey: "min") }?.code == .invalidValue)
        try suite.set(2, forKey: "max")
        #expect(refusal { try suite.setTransient(11, forKey: "min") }?.code == .invalidValue)
        #expect(suite.value(forKey: "min") == nil)
    }

    @Test func `of two transient values set at once, the later one is asked about with the earlier one`()
        throws
    {
        let hasCome = Locked(false)
        suite.addValidation(ValidationTests.name) { [weak suite] values in
            let (least, greatest) = (
                values.value(forKey: "min")?.int ?? 0, values.value(forKey: "max")?.int ?? 10
            )
            // Another value comes when this one has been looked at, and has not been set.
            let isFirst = hasCome.withLock { hasCome in
                defer { hasCome = hasCome || least == 5 }
                return least == 5 && !hasCome
            }
            if isFirst { #expect(refusal { try suite?.setTransient(3, forKey: "max") } == nil) }
            return least <= greatest
        }
        #expect(refusal { try suite.setTransient(5, forKey: "min") }?.code == .invalidValue)
        #expect(suite.value(forKey: "min") == nil)
        #expect(suite.value(forKey: "max") == 3)
    }

    @Test func `a later validation of a name takes the earlier one's place`() throws {
        addValidation(to: suite)
        suite.addValidation(ValidationTests.name) { _ in true }
        try suite.set(50, forKey: "min")
        #expect(suite.value(forKey: "min") == 50)
    }

    @Test func `an edit of the file that fails a validation is reported once and listed, until it is mended`()
        throws
    {
        addValidation(to: suite)
        // As a whole: a file that is empty first may be told of, too.
        try folder.saveByRename("{\"min\": 11, \"other\": 1}")
        #expect(failures.wait(for: 1))
        let error = try #require(failures.all.first)
        #expect((error.code, error.path) == (.invalidValue, folder.settingsPath()))
        #expect(error.description.contains(ValidationTests.name))
        #expect(suite.problems().map(\.validation) == [ValidationTests.name])

        try suite.set(2, forKey: "other")
        #expect(refusal { try suite.set(12, forKey: "min") }?.code == .invalidValue)
        try suite.set(5, forKey: "min")
        #expect(suite.problems() == [])
        #expect(failures.codes == [.invalidValue])
    }

    @Test func `a file that fails a validation already is reported when the validation is added`() throws {
        try folder.write("{\"min\": 11}", to: "settings/settings.json")
        addValidation(to: suite)
        #expect(failures.codes == [.invalidValue])
        addValidation(to: suite)
        #expect(failures.codes == [.invalidValue])
    }

    @Test func `a domain that fails a validation is reported`() throws {
        addValidation(to: suite)
        suite.register(defaults: ["min": 11])
        #expect(failures.wait(for: 1))
        #expect(failures.codes == [.invalidValue])
    }

    @Test func `handles of one file by two paths keep one another's validations`() throws {
        addValidation(to: suite)
        let twin = try DefaultsSuite(file: folder.settingsPath())
        #expect(twin == suite)
        let link = folder.path + "/link"
        #expect(symlink(folder.path, link) == 0)
        let other = try DefaultsSuite("settings", in: link)
        #expect(other != suite)
        #expect(refusal { try other.set(11, forKey: "min") }?.code == .invalidValue)
    }

    @Test func `of several paths to one file each has its validations kept until it is gone`() throws {
        try suite.set(1, forKey: "min")
        var others: [DefaultsSuite] = []
        for (name, limit) in [("second", 5), ("third", 7)] {
            try #require(symlink(folder.path, "\(folder.path)/\(name)") == 0)
            let other = try DefaultsSuite("settings", in: "\(folder.path)/\(name)")
            other.addValidation(name) { ($0.value(forKey: "min")?.int ?? 0) < limit }
            // It takes part once it has been used.
            #expect(other.value(forKey: "min") == 1)
            others.append(other)
        }
        #expect(refusal { try suite.set(5, forKey: "min") }?.code == .invalidValue)
        others.removeFirst()
        // A thread that sees to the files may hold it a moment longer.
        #expect(eventually { refusal { try suite.set(5, forKey: "min") } == nil })
        #expect(refusal { try suite.set(7, forKey: "min") }?.code == .invalidValue)
        others = []
        #expect(eventually { refusal { try suite.set(7, forKey: "min") } == nil })
    }

    @Test func `a validation runs when its commit does, on the state that would be committed`() throws {
        let asked = Recorder<DefaultsValue?>()
        suite.addValidation("any") { values in
            asked.append(values.value(forKey: "a"))
            return true
        }
        asked.removeAll()
        try suite.withTransaction { tx in
            tx[key: "a"] = 1
            tx[key: "a"] = 2
            #expect(asked.all == [])
        }
        #expect(asked.all.first == 2)
    }
}
