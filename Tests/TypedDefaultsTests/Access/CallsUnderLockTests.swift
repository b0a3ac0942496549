@_spi(TypedDefaults) @testable import DefaultsStore
import Foundation
import TestSupport
import Testing
import TypedDefaults

/// No call waits for the lock that the caller has: from each closure of a person's that runs under it, each call returns
/// or is refused at once.
@Suite(.timeLimit(.minutes(60)), .ownThread) struct CallsUnderLockTests {
    /// A closure of a person's that runs under the lock.
    enum Place: CaseIterable {
        case transaction, validation, migration, modify, accessInPlace, decoding, observerOfAnotherSuite
    }

    private static let key = KeyName("seen")
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite
    private let number: Defaults.Key<Int>
    private let calls = Recorder<String>()
    private let slow = Recorder<String>()

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
        number = Defaults.Key("number", default: 0, suite: suite)
        try suite.set(1, forKey: "number")
        try suite.set(1, forKey: "other")
        try suite.checkpoint()
        try folder.write("{\"managed\": 1}", to: "managed.json")
        #expect(symlink(folder.path, folder.path + "/link") == 0)
    }

    /// Makes all calls, and notes those that took so long that they must have waited.
    private func makeAllCalls() {
        func call(_ name: String, _ body: () throws -> Void) {
            let begin = ContinuousClock.now
            // A refusal is as good as a success.
            _ = Result { try body() }
            if ContinuousClock.now - begin > .milliseconds(900) { slow.append(name) }
            calls.append(name)
        }
        let (suite, folder, number) = (suite, folder, number)
        call("set") { try suite.set(2, forKey: "other") }
        call("typed set") { try suite.set(number, to: 2) }
        call("subscript") { suite[number] = 3 }
        call("access in place") { suite[number] += 1 }
        call("modify") { try suite.modify(number) { $0 += 1 } }
        call("set(text:)") { try suite.set(text: "4", forKey: "number") }
        call("setUnchecked") { try suite.setUnchecked(2, forKey: "other") }
        call("set of an object") { try suite.set(["a": 1], forKey: "object") }
        call("removeValue") { try suite.removeValue(forKey: "other") }
        call("reset") { try suite.reset(number) }
        call("removeAll") { try suite.removeAll() }
        call("withTransaction") { try suite.withTransaction { $0[key: "other"] = 1 } }
        call("migrate") { _ = try suite.migrate([.remove("step", keys: "gone")]) }
        call("checkpoint") { try suite.checkpoint() }
        call("synchronize") { try suite.synchronize() }
        call("inspect") { _ = suite.inspectFiles() }
        call("repair") { _ = try suite.repairFiles() }
        call("replaceFile") { _ = try suite.replaceFile(with: Array("{}".utf8), editedFrom: nil) }
        call("value") { _ = suite.value(forKey: "other") }
        call("typed value") { _ = try suite.value(number) }
        call("snapshot") { _ = suite.snapshot().value(forKey: "other") }
        call("storedValues") { _ = try suite.storedValues() }
        call("storedObject") { _ = try suite.storedObject() }
        call("dictionaryRepresentation") { _ = suite.dictionaryRepresentation() }
        call("explain") { _ = suite.explain(forKey: "other") }
        call("domain") { _ = suite.domain(forKey: "other") }
        call("problems") { _ = suite.problems() }
        call("register") { suite.register(defaults: ["registered": 1]) }
        call("setTransient") { try suite.setTransient(1, forKey: "transient") }
        call("removeTransient") { try suite.removeTransient(forKey: "transient") }
        call("addArguments") { suite.addArguments(["--argument", "1"]) }
        call("addEnvironment") { suite.addEnvironment(prefix: "P_", in: ["P_OTHER": "1"]) }
        call("setManagedFile") { try suite.setManagedFile(folder.path + "/managed.json") }
        call("addValidation") { suite.addValidation("another") { _ in true } }
        call("observe") { suite.observe(forKey: "other") { _ in }.invalidate() }
        call("observe everything") { suite.observeAll { _ in }.invalidate() }
        call("write by another path") {
            try DefaultsSuite("settings", in: folder.path + "/link").set(1, forKey: "x")
        }
        call("write to another suite") { try folder.suite("another").set(1, forKey: "x") }
        call("declare") { Defaults.declare(Defaults.Key<Int>("declared", default: 0, suite: suite)) }
    }

    @Test(arguments: Place.allCases)
    func `none waits for the lock that its caller has`(place: Place) throws {
        @Sendable func once() {
            guard calls.all.isEmpty else { return }
            calls.append("begun")
            makeAllCalls()
        }
        var kept: DefaultsObservation?
        switch place {
        case .transaction: try suite.withTransaction { _ in once() }
        case .validation:
            let me = SystemCalls.threadID
            suite.addValidation("validation") { _ in
                // In the background it is asked with no lock held.
                if SystemCalls.threadID == me { once() }
                return true
            }
            // It was asked when it was added, too.
            calls.removeAll()
            try suite.set(9, forKey: "number")
        case .migration: _ = try suite.migrate([DefaultsMigration("all") { _ in once() }])
        case .modify: try suite.modify(number) { _ in once() }
        case .accessInPlace:
            func inside(_ value: inout Int) { once() }
            inside(&suite[number])
        case .decoding:
            Calling.$call.withValue({ once() }) {
                let key = Defaults.Key<Calling>("calling", default: Calling(), suite: suite)
                suite[key].number += 1
            }
        case .observerOfAnotherSuite:
            let another = try folder.suite("observed")
            kept = another.observe(forKey: "n", options: []) { _ in once() }
            try suite.withTransaction { _ in try another.set(1, forKey: "n") }
        }
        #expect(calls.all.last == "declare")
        #expect(slow.all == [])
        kept?.invalidate()
        // The lock is free again.
        try suite.set(10, forKey: "number")
    }
}

/// A value whose coding calls what a test wants.
private struct Calling: Codable, Sendable, Equatable {
    @TaskLocal static var call: @Sendable () -> Void = {}
    var number = 0

    init() {}
    init(from decoder: any Decoder) throws {
        number = try decoder.singleValueContainer().decode(Int.self)
        Calling.call()
    }

    func encode(to encoder: any Encoder) throws {
        Calling.call()
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }
}
