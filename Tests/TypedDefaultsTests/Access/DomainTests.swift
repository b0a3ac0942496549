import Synchronization
import TestSupport
import Testing
import TypedDefaults

/// Typed keys and the domains above and below what is stored.
@Suite(.timeLimit(.minutes(60)), .ownThread) struct DomainTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite
    private let failures: FailureRecorder
    private let size: Defaults.Key<Int>

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
        failures = FailureRecorder(suite)
        size = Defaults.Key<Int>("size", default: 1, suite: suite, validation: .range(0...10))
    }

    private func manage(_ text: String) throws {
        try folder.write(text, to: "managed/managed.json")
        try suite.setManagedFile(folder.path + "/managed/managed.json")
    }

    @Test func `a locked key keeps its value and the failure is reported`() throws {
        try manage(#"{"size": 5}"#)
        Defaults[size] = 6
        Defaults[size] += 1
        Defaults.modify(size) { $0 = 8 }
        #expect(Defaults[size] == 5)
        #expect(failures.codes == [.locked, .locked, .locked])
        #expect(refusal { try suite.set(size, to: 6) }?.code == .locked)
        #expect(refusal { try suite.modify(size) { $0 += 1 } }?.code == .locked)
        #expect(refusal { try suite.setTransient(size, to: 6) }?.code == .locked)
        #expect(!Defaults.isSet(size))
    }

    @Test func `a reset of several keys removes what is stored of a locked one too`() async throws {
        let other = Defaults.OptionalKey<Int>("other", suite: suite)
        for reset in [
            { Defaults.reset(size, other) }, { try suite.reset(size, other) },
            { try suite.withTransaction { $0.reset(size, other) } },
            {
                try suite.withTransaction { tx in
                    for key in [size, other] as [Defaults.AnyKey] { tx.reset(key) }
                }
            },
        ] as [() throws -> Void] {
            (Defaults[size], Defaults[other]) = (2, 3)
            try manage(#"{"size": 5}"#)
            try reset()
            #expect(try suite.storedValues() == [:] && Defaults[size] == 5)
            try manage("{}")
        }
        (Defaults[size], Defaults[other]) = (2, 3)
        try manage(#"{"size": 5, "other": 6}"#)
        Defaults[other] = nil
        #expect(failures.codes == [.locked])
        try await suite.async.reset(size, other)
        #expect(try suite.storedValues() == [:] && Defaults[other] == 6)
    }

    @Test func `an access in place that changes nothing of a locked key is no failure`() throws {
        try manage(#"{"size": 5}"#)
        Defaults[size] += 0
        #expect(failures.all == [])
    }

    @Test
    func `a managed value that does not fit is passed over, reported and listed with its place`()
        throws
    {
        Defaults[size] = 2
        try manage("{\n  \"size\": 11\n}")
        #expect(Defaults[size] == 2)
        let path = folder.path + "/managed/managed.json"
        let error = DefaultsError(
            .invalidValue, suite: "settings", key: "size", path: path, line: 2, column: 11,
            underlyingDescription: "it is outside 0...10")
        #expect(failures.all == [error])
        try #expect(suite.value(size) == 2)
        #expect(suite.problems().map(\.domain) == [.managed])
        #expect(suite.problems().map(\.line) == [2])
    }

    @Test func `what to do about a value that does not fit is told by the domain that has it`() throws {
        func recoverySuggestion() -> String? { refusal { _ = try suite.value(size) }?.recoverySuggestion }
        suite.register(defaults: ["size": 11])
        #expect(recoverySuggestion() == "Correct what the program registers as the default.")
        suite.context.setLayer("shipped", values: ["size": 11], location: "/usr/share/size.json")
        #expect(recoverySuggestion() == "Correct it in the source /usr/share/size.json.")
        try suite.setUnchecked(11, forKey: "size")
        #expect(recoverySuggestion() == "Use a value that the key's validation accepts.")
        try suite.context.setTransient([(KeyName("size"), StoredValue(.number(DefaultsNumber(11))))])
        #expect(recoverySuggestion() == "Set or remove the transient value.")
        try manage(#"{"size": 11}"#)
        #expect(recoverySuggestion() == "Have it corrected in the administrator's file.")
        failures.recorder.removeAll()
        suite.addArguments(["--size", "big"])
        suite.addEnvironment(prefix: "APP_", in: ["APP_SIZE": "12"])
        _ = Defaults[size]
        let texts = failures.all.filter { $0.underlyingDescription?.contains("cannot be used") == true }
        #expect(
            texts.map(\.recoverySuggestion) == [
                "Change or leave out the argument --size; --size=1 would be taken.",
                "Change or unset the variable APP_SIZE; APP_SIZE=1 would be taken.",
            ])
        #expect(texts.allSatisfy { $0.description.hasSuffix($0.recoverySuggestion) })
    }

    @Test func `a problem prints as a sentence, with its domain and without the value`() throws {
        let suite = DefaultsSuite.inMemory()
        let port = Defaults.Key<Int>("port", default: 80, suite: suite, validation: .range(1...100))
        try suite.setUnchecked(828, forKey: port.name)
        suite.addEnvironment(prefix: "", in: ["PORT": "271"])
        #expect(
            suite.problems().map(\.description) == [
                "The value of \"port\" (stored) is refused: it is outside 1...100.",
                "The value of \"port\" (environment) is refused: the variable PORT cannot be used: it is outside 1...100.",
            ])
    }

    @Test func `what to do about a value that was given, and is nowhere yet, is to give another`() {
        let given = [
            refusal { try suite.set("big", forKey: "size") },
            refusal { try suite.setTransient("big", forKey: "size") },
            refusal { try suite.withTransaction { try $0.set("big", forKey: "size") } },
        ]
        let texts = [
            refusal { try suite.set(text: "big", forKey: "size") },
            refusal { _ = try size.value(from: "big") },
        ]
        #expect((given + texts).map { $0?.code } == Array(repeating: .typeMismatch, count: 5))
        #expect(
            given.allSatisfy {
                $0?.recoverySuggestion == "Give a value of the key's type; nothing has changed."
            })
        #expect(
            texts.allSatisfy {
                $0?.recoverySuggestion == "Give another text, such as 1; nothing has changed."
            })
    }

    @Test func `a typed transient value is checked, and nil takes it away`() throws {
        let name = Defaults.OptionalKey<String>("name", suite: suite)
        #expect(refusal { try suite.setTransient(size, to: 11) }?.code == .invalidValue)
        try suite.setTransient(size, to: 3)
        try suite.setTransient(name, to: "Ada")
        #expect((Defaults[size], Defaults[name]) == (3, "Ada"))
        #expect(!Defaults.isSet(size))
        try suite.setTransient(name, to: nil)
        try suite.removeTransient(size)
        #expect((Defaults[size], Defaults[name]) == (1, nil))
    }

    @Test func `a write below a higher domain is stored and shows when that is gone`() throws {
        try suite.setTransient(size, to: 3)
        Defaults[size] = 4
        #expect(Defaults[size] == 3)
        #expect(Defaults.isSet(size))
        try suite.removeTransient(size)
        #expect(Defaults[size] == 4)
    }

    @Test func `a transient value set without propagation is not heard, and the chain holds`() throws {
        let heard = Recorder<Change>()
        let observation = Defaults.observe(size, options: []) { heard.append(Change($0)) }
        try Defaults.withoutPropagation { try suite.setTransient(size, to: 3) }
        #expect((Defaults[size], heard.all) == (3, []))
        try suite.setTransient(size, to: 4)
        #expect(heard.all == [Change(old: 1, new: 4)])
        observation.invalidate()
    }

    @Test func `a typed observer hears each domain's change once`() throws {
        let heard = Recorder<Change>()
        let observation = Defaults.observe(size, options: []) { heard.append(Change($0)) }
        suite.register(defaults: ["size": 2])
        Defaults[size] = 3
        try suite.setTransient(size, to: 4)
        suite.addArguments(["--size", "5"])
        suite.addArguments(["--size", "5.0"])
        try manage(#"{"size": 6}"#)
        #expect(heard.all.map(\.new) == [2, 3, 4, 5, 6])
        #expect(heard.all.isChain)
        observation.invalidate()
    }

    @Test func `typed reads through all domains make no system call while nothing changes`() throws {
        try suite.holdBackCheckpoints()
        suite.register(defaults: ["size": 2])
        Defaults[size] = 3
        try suite.setTransient(size, to: 4)
        suite.addArguments(["--size", "5"])
        suite.addEnvironment(prefix: "", in: ["SIZE": "6"])
        try suite.context.startWatching()
        try suite.settle()
        #expect(Defaults[size] == 5)
        let plan = FaultInjection()
        FaultInjection.$current.withValue(plan) {
            #expect((0..<1_000).allSatisfy { _ in Defaults[size] == 5 })
        }
        #expect(plan.calls == [])
    }

    @Test func `a secret value is in no explanation, description, problem or failure`() throws {
        let token = Defaults.Key<Int>("token", default: 271_828, suite: suite, secret: true)
        try manage(#"{"token": "hunter271828"}"#)
        suite.addArguments(["--token", "hunter271828"])
        suite.addEnvironment(prefix: "", in: ["TOKEN": "271828"])
        suite.context.setLayer("source", values: ["token": 271_828], location: nil)
        suite.register(defaults: ["token": 271_828])
        _ = Defaults[token]
        let all = suite.explain(forKey: "token")
        #expect(
            all.map(\.domain) == [.managed, .arguments, .environment, .registered, .registered, .registered])
        #expect(all.allSatisfy { $0.text == nil && $0.isSecret })
        let texts = ["\(all)", "\(suite.problems())", "\(failures.all)", "\(suite.declaredKeys)"]
        #expect(texts.allSatisfy { !$0.contains("271828") })
        #expect(failures.codes.allSatisfy { $0 == .typeMismatch })
        #expect(failures.codes.count == 2)
    }

    @Test func `a secret of another suite's key is kept here too`() throws {
        let other = DefaultsSuite.inMemory()
        let token = Defaults.Key<Int>("token", default: 0, suite: suite, secret: true)
        try other.set(271_828, forKey: "token")
        #expect(other[token] == 271_828)
        #expect(other.explain(forKey: "token").map(\.text) == [nil, nil])
    }

    @Test func `the explanation names what was refused and why, and what applies instead`() throws {
        suite.addArguments(["--size", "big"])
        try suite.setUnchecked(11, forKey: "size")
        try suite.checkpoint()
        suite.register(defaults: ["size": 2])
        #expect(
            suite.explain(forKey: "size").map(\.description) == [
                "arguments: big (argument 0, --size): refused: "
                    + "the argument --size cannot be used: expected Int, found a string",
                "stored: 11 (\(folder.settingsPath()):2:11): refused: it is outside 0...10",
                "registered: 2 (register(defaults:)): applies",
                "registered: 1 (the key's own default): masked by registered",
            ])
        #expect(Defaults[size] == 2)
        failures.recorder.removeAll()
    }

    @Test func `the explanation of a key that combines names every part`() throws {
        let tags = Defaults.Key<[Int]>("tags", default: [1], suite: suite, merge: .append)
        Defaults[tags] = [2]
        #expect(suite.explain(forKey: "tags").map(\.outcome) == [.combined, .combined])
        #expect(suite.explain(forKey: "tags").map(\.text) == ["[2]", "[1]"])
    }

    @Test func `the key's own default is explained as what applies where nothing else answers`() {
        #expect(
            suite.explain(forKey: "size").map(\.description) == [
                "registered: 1 (the key's own default): applies"
            ])
        suite.register(defaults: ["size": 3])
        #expect(suite.explain(forKey: "size").map(\.outcome) == [.applies, .masked(by: .registered)])
    }
}

/// Validations across typed keys.
@Suite(.timeLimit(.minutes(60)), .ownThread) struct TypedRuleTests {
    @Test(arguments: Place.allCases)
    func `a validation over typed keys is kept by every way of writing`(_ place: Place) throws {
        try place.withFailingSuite { suite, failures in
            let low = Defaults.Key<Int>("min", default: 0, suite: suite)
            let high = Defaults.Key<Int>("max", default: 10, suite: suite)
            suite.addValidation("min <= max") { $0[low] <= $0[high] }
            Defaults[low] = 11
            Defaults[low] += 11
            Defaults.modify(high) { $0 = -1 }
            #expect(failures.codes == [.invalidValue, .invalidValue, .invalidValue])
            #expect(refusal { try suite.set(low, to: 11) }?.code == .invalidValue)
            #expect(refusal { try suite.setTransient(high, to: -1) }?.code == .invalidValue)
            try suite.withTransaction { tx in
                tx[low] = 20
                tx[high] = 30
            }
            #expect(refusal { try suite.reset(high) }?.code == .invalidValue)
            #expect((Defaults[low], Defaults[high]) == (20, 30))
        }
    }

    @Test func `a validation is written with the names of static keys`() throws {
        let suite = Defaults.Keys.least.suite
        suite.addValidation("least <= most") { $0[.least] <= $0[.most] }
        #expect(refusal { try suite.set(.least, to: 11) }?.code == .invalidValue)
        #expect(Defaults[.least] == 0)
    }

    @Test func `a suite with validations goes with its last reference`() throws {
        weak var context: SuiteContext?
        do {
            let suite = DefaultsSuite.inMemory()
            suite.addValidation("any") { $0.value(forKey: "a") != 1 }
            try suite.set(2, forKey: "a")
            context = suite.context
            #expect(context != nil)
        }
        // The background thread may still be looking whether the validation passes.
        #expect(eventually { context == nil })
    }
}

/// Domains and validations on several threads at once; ThreadSanitizer runs these.
@Suite(.timeLimit(.minutes(60)), .ownThread) struct DomainAccessConcurrencyTests {
    @Test func `a validation is kept by two threads that write against it`() throws {
        let folder = try TemporaryFolder()
        let suite = try folder.suite()
        let low = Defaults.Key<Int>("min", default: 0, suite: suite)
        let high = Defaults.Key<Int>("max", default: 100, suite: suite)
        suite.addValidation("min <= max") { $0[low] <= $0[high] }
        let refused = Recorder<DefaultsError.Code>()
        withThreads(2) { number in
            for step in 1...30 {
                let error =
                    number == 0
                    ? refusal { try suite.set(low, to: step * 3) }
                    : refusal { try suite.set(high, to: 100 - step * 3) }
                if let error { refused.append(error.code) }
                let snapshot = suite.snapshot()
                #expect(snapshot[low] <= snapshot[high])
            }
        }
        #expect(refused.all.allSatisfy { $0 == .invalidValue })
        #expect(!refused.all.isEmpty)
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: Place.allCases)
    func `a thread that reads while another counts a domain up never sees a step back`(_ place: Place) throws
    {
        try place.withSuite { suite in
            let count = Defaults.Key<Int>("count", default: 0, suite: suite)
            let heard = Recorder<Change>()
            let behind = Recorder<Int>()
            let isOver = Atomic<Bool>(false)
            let observation = Defaults.observe(count, options: []) { change in
                heard.append(Change(change))
                if Defaults[count] < change.newValue { behind.append(change.newValue) }
            }
            withThreads(3) { number in
                switch number {
                case 0:
                    for step in 1...50 {
                        suite.context.setLayer(
                            "l", values: ["count": .number(DefaultsNumber(step))], location: nil)
                    }
                    isOver.store(true, ordering: .releasing)
                case 1: for step in 1...50 { suite.addArguments(["--other\(step)"]) }
                default:
                    var last = 0
                    while last < 50 {
                        let isLast = isOver.load(ordering: .acquiring)
                        let next = Defaults[count]
                        if next < last || (isLast && next < 50) { break }
                        last = next
                    }
                    #expect(last == 50)
                }
            }
            #expect(heard.wait { $0.last?.new == 50 })
            #expect(heard.all.isChain)
            #expect(behind.all == [])
            observation.invalidate()
        }
    }
}

extension Defaults.Keys {
    private static let bounds = DefaultsSuite.inMemory()
    fileprivate static let least = Key<Int>("least", default: 0, suite: bounds)
    fileprivate static let most = Key<Int>("most", default: 10, suite: bounds)
}
