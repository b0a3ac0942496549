import DefaultsStore
import Foundation
import TestSupport
import Testing
import TypedDefaults

/// What a write that cannot throw does when it fails, and who hears of it.
@Suite(.ownThread) struct FailureTests {
    /// What makes a write fail.
    private func failing(_ call: String, _ errno: Int32, _ body: () -> Void) {
        FaultInjection.$current.withValue(
            FaultInjection(.init(call, errno: errno, lasts: true)), operation: body)
    }

    @Test func `a write that fails on the disk leaves the old value and is reported`() throws {
        try withSettingsFile(#"{"size": 1}"#) { suite, failures, folder in
            let size = Defaults.Key<Int>("size", default: 0, suite: suite)
            failing("pwrite", 5) { Defaults[size] = 2 }
            #expect(Defaults[size] == 1)
            try #expect(folder.settings() == #"{"size": 1}"#)
            #expect(failures.codes == [.ioFailure])
            #expect(failures.all.first?.systemError == SystemError(call: "pwrite", errno: 5))
        }
    }

    @Test func `a full disk is reported by its own code`() throws {
        try withSettingsFile(#"{"size": 1}"#) { suite, failures, _ in
            let size = Defaults.Key<Int>("size", default: 0, suite: suite)
            failing("pwrite", 28) { Defaults[size] = 2 }
            #expect(failures.codes == [.diskFull])
        }
    }

    @Test func `the throwing face throws what the other one reports`() throws {
        try withSettingsFile(#"{"size": 1}"#) { suite, failures, _ in
            let size = Defaults.Key<Int>("size", default: 0, suite: suite)
            let thrown = FaultInjection.$current.withValue(
                FaultInjection(.init("pwrite", errno: 5, lasts: true))
            ) {
                refusal { try suite.set(size, to: 2) }
            }
            #expect(failures.all == [])
            failing("pwrite", 5) { Defaults[size] = 2 }
            #expect(failures.all == [thrown])
        }
    }

    @Test func `a reset that fails on the disk leaves the old value and is reported`() throws {
        try withSettingsFile(#"{"size": 1}"#) { suite, failures, _ in
            let size = Defaults.Key<Int>("size", default: 0, suite: suite)
            failing("pwrite", 5) { Defaults.reset(size) }
            #expect(Defaults[size] == 1)
            #expect(failures.codes == [.ioFailure])
        }
    }

    @Test func `a removal of everything that fails on the disk leaves the old values and is reported`() throws
    {
        try withSettingsFile(#"{"size": 1}"#) { suite, failures, _ in
            failing("pwrite", 5) { Defaults.removeAll(suite: suite) }
            try #expect(suite.storedValues() == ["size": 1])
            #expect(failures.codes == [.ioFailure])
        }
    }

    @Test func `a suite whose folder is a file is written with an error and read as its defaults`() throws {
        let folder = try TemporaryFolder()
        try folder.write("a file", to: "settings")
        let suite = try folder.suite()
        let failures = FailureRecorder(suite)
        let size = Defaults.Key<Int>("size", default: 7, suite: suite)
        Defaults[size] = 2
        #expect(Defaults[size] == 7)
        #expect(!failures.all.isEmpty)
        #expect(throws: DefaultsError.self) { try suite.value(size) }
        try #expect(folder.read("settings") == "a file")
    }

    @Test func `a value that cannot be encoded leaves the old one and says why`() throws {
        try withSettingsFile(#"{"odd": 1}"#) { suite, failures, folder in
            let odd = Defaults.Key<Unwritable>("odd", default: Unwritable(number: 0), suite: suite)
            Defaults[odd] = Unwritable(number: 2)
            #expect(Defaults[odd] == Unwritable(number: 1))
            #expect(
                failures.all.map(\.description) == [
                    """
                    The value could not be written as JSON (key "odd", suite "settings"): refused by the type itself. \
                    Correct the type's encoding; the old value is still stored.
                    """
                ])
            try #expect(folder.settings() == #"{"odd": 1}"#)
        }
    }

    @Test func `a key that no file can hold is refused whole`() {
        let suite = DefaultsSuite.inMemory()
        let nameless = Defaults.Key<Int>("", default: 0, suite: suite)
        let error = refusal { try suite.set(nameless, to: 1) }
        #expect(error?.code == .invalidKey)
        #expect(
            error?.description.hasSuffix("Use a key that is not empty and at most 64 KiB long.") == true)
    }

    @Test func `each caller of failures hears every failure`() async {
        let suite = DefaultsSuite.inMemory()
        let size = Defaults.Key<Int>("size", default: 1, suite: suite, validation: .range(0...10))
        let streams = [suite.failures, suite.failures]
        for number in 11..<14 { Defaults[size] = number }
        let expected = DefaultsError(
            .invalidValue, suite: "in memory", key: "size", underlyingDescription: "it is outside 0...10")
        for stream in streams {
            var heard: [DefaultsError] = []
            for await failure in stream.prefix(3) { heard.append(failure) }
            #expect(heard == [expected, expected, expected])
        }
    }

    @Test func `onFailure is called on the thread that failed, before the write returns`() {
        let suite = DefaultsSuite.inMemory()
        let (codes, threads) = (Recorder<DefaultsError.Code>(), Recorder<ObjectIdentifier>())
        suite.onFailure = { failure in
            codes.append(failure.code)
            threads.append(ObjectIdentifier(Thread.current))
        }
        let size = Defaults.Key<Int>("size", default: 1, suite: suite, validation: .oneOf(1, 2))
        Defaults[size] = 3
        #expect(codes.all == [.invalidValue])
        #expect(threads.all == [ObjectIdentifier(Thread.current)])
    }

    @Test func `an access in place computes nothing from the default when the value could not be read`()
        throws
    {
        let folder = try TemporaryFolder()
        let text = "{\"first\": 1, \"oops\": tru, \"counter\": 41}"
        try folder.write(text, to: "settings/settings.json")
        let suite = try folder.suite()
        let failures = FailureRecorder(suite)
        let counter = Defaults.Key<Int>("counter", default: 0, suite: suite)
        Defaults[counter] += 1
        #expect(failures.codes.contains(.accessNotStored))
        #expect(try folder.read("settings/settings.json") == text)
        #expect(refusal { try suite.withTransaction { $0[counter] += 1 } }?.code == .malformedFile)
        #expect(try folder.read("settings/settings.json") == text)
    }

    @Test func `keys that differ in their Unicode form alone are two failures`() throws {
        try withSettingsFile("{\"\u{E9}\": \"no\", \"e\u{301}\": \"no\"}") { suite, failures, _ in
            for name in ["\u{E9}", "e\u{301}"] {
                let key = Defaults.Key<Int>(name, default: 0, suite: suite)
                for _ in 0..<3 { #expect(Defaults[key] == 0) }
            }
            #expect(failures.codes == [.typeMismatch, .typeMismatch])
        }
    }
}
