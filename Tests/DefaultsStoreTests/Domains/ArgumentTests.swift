/// The command line as a domain, to keys nobody has declared.
import DefaultsStore
import TestSupport
import Testing

@Suite(.ownThread) struct ArgumentTests {
    /// A command line and what it says.
    struct Line: Sendable, CustomTestStringConvertible {
        let words: [String]
        let values: [String: DefaultsValue]

        init(_ words: String..., gives values: [String: DefaultsValue]) {
            (self.words, self.values) = (words, values)
        }

        var testDescription: String { words.joined(separator: " ") }
    }

    private static let lines = [
        Line("--quality", "0.5", gives: ["quality": 0.5]),
        Line("--quality=0.5", gives: ["quality": 0.5]),
        Line("-quality", "0.5", gives: ["quality": 0.5]),
        Line("-quality=0.5", gives: ["quality": 0.5]),
        Line("program", "--a", "1", "word", "--b", "2", gives: ["a": 1, "b": 2]),
        Line("--server.maxRetries", "5", gives: ["server.maxRetries": 5]),
        Line("--name", "bare word", gives: ["name": "bare word"]),
        Line("--name=a=b", gives: ["name": "a=b"]),
        Line("--name=", gives: ["name": ""]),
        Line("--list", "[1, 2]", gives: ["list": [1, 2]]),
        Line("--flag", gives: ["flag": true]),
        Line("--flag", "--a", "1", gives: ["flag": true, "a": 1]),
        Line("--offset", "-5", gives: ["offset": -5]),
        Line("--offset", "-.5", gives: ["offset": "-.5"]),
        Line("--file", "-", gives: ["file": "-"]),
        Line("--a", "1", "--a", "2", gives: ["a": 2]),
        Line("--a", "1", "--", "--b", "2", gives: ["a": 1]),
        Line("--a", "--", "1", gives: ["a": true]),
        Line("--", "--a", "1", gives: [:]),
        Line("--=5", "-", "5", "-5", "word", gives: [:]),
        Line("--größe", "3", gives: ["größe": 3]),
        Line("---a", "1", gives: ["-a": 1]),
        Line(gives: [:]),
    ]

    private let suite = DefaultsSuite.inMemory()

    @Test func `a sign with a mark behind it is a sign`() {
        let suite = DefaultsSuite.inMemory()
        suite.addArguments(["--greeting=\u{301}x", "--\u{301}name", "1"])
        #expect(suite.value(forKey: "greeting") == "\u{301}x")
        #expect(suite.value(forKey: "\u{301}name") == 1)
    }

    @Test(arguments: lines)
    func `a command line answers for the keys its flags name`(_ line: Line) {
        suite.addArguments(line.words)
        #expect(suite.dictionaryRepresentation() == line.values)
    }

    @Test func `a later command line's flags count and the others stay`() {
        suite.addArguments(["--a", "1", "--b", "1"])
        suite.addArguments(["--b", "2"])
        #expect(suite.dictionaryRepresentation() == ["a": 1, "b": 2])
    }

    @Test func `a flag with a name of its own answers for a key, and is shown as it was written`() {
        suite.addArguments(["--api-token", "a", "--apiUser", "b"], names: ["api-token": "apiToken"])
        #expect(suite.dictionaryRepresentation() == ["apiToken": "a", "apiUser": "b"])
        #expect(
            suite.explain(forKey: "apiToken").map(\.description) == [
                "arguments: a (argument 0, --api-token): applies"
            ])
    }

    @Test func `arguments belong to one suite and are never stored`() throws {
        suite.addArguments(["--a", "1"])
        #expect(DefaultsSuite.inMemory().value(forKey: "a") == nil)
        #expect(try suite.storedValues() == [:])
    }

    @Test func `without a list the process's own command line is read`() {
        suite.addArguments()
        #expect(suite.string(forKey: "testing-library") == "swift-testing")
    }
}

@Suite(.ownThread) struct EnvironmentTests {
    private let suite = DefaultsSuite.inMemory()

    @Test(arguments: [
        "APP_SERVER_MAX_RETRIES", "APP_SERVERMAXRETRIES", "APP_server.maxRetries", "APP_server_max_retries",
    ])
    func `dots, underscores and case are folded`(_ variable: String) {
        suite.addEnvironment(prefix: "APP_", in: [variable: "5"])
        #expect(suite.value(forKey: "server.maxRetries") == 5)
        #expect(suite.domain(forKey: "server.maxRetries") == .environment)
    }

    @Test func `a variable without the prefix, or with nothing behind it, answers for nothing`() {
        suite.addEnvironment(prefix: "APP_", in: ["A": "1", "app_A": "1", "APP_": "1", "APP__": "1"])
        #expect(suite.value(forKey: "a") == nil)
        #expect(suite.value(forKey: "") == nil)
    }

    private static let texts: [(String, DefaultsValue)] = [
        ("0.5", 0.5), ("word", "word"), ("", ""), ("[1]", [1]), ("true", true),
    ]

    @Test(arguments: texts)
    func `a text is JSON where it is JSON and else a word`(_ text: String, _ value: DefaultsValue) {
        suite.addEnvironment(prefix: "", in: ["A": text])
        #expect(suite.value(forKey: "a") == value)
    }

    @Test func `of several variables for a key the one in capitals with humps parted applies`() {
        suite.addEnvironment(
            prefix: "APP_", in: ["APP_MAXSIZE": "1", "APP_MAX_SIZE": "2", "APP_maxSize": "3"])
        #expect(suite.value(forKey: "maxSize") == 2)
    }

    @Test func `of several unusual variables for a key the first in the order of bytes applies`() {
        suite.addEnvironment(prefix: "APP_", in: ["APP_maxsize": "1", "APP_M_AXSIZE": "2"])
        suite.addEnvironment(prefix: "APP_", in: ["APP_MAXsize": "3"])
        #expect(suite.value(forKey: "maxSize") == 3)
    }

    @Test func `letters beyond ASCII are not folded`() {
        suite.addEnvironment(prefix: "APP_", in: ["APP_GRÖSSE": "1"])
        #expect(suite.value(forKey: "grÖsse") == 1)
        #expect(suite.value(forKey: "größe") == nil)
        #expect(suite.value(forKey: "grösse") == nil)
    }

    @Test func `without a list the process's own environment is read`() {
        suite.addEnvironment(prefix: "PAT")
        #expect(suite.value(forKey: "h") != nil)
    }
}

@Suite(.ownThread) struct TransientTests {
    private let suite = DefaultsSuite.inMemory()

    @Test func `a transient value hides the stored one until it is taken away, and is never stored`() throws {
        try suite.set(1, forKey: "a")
        try suite.setTransient(2, forKey: "a")
        #expect(suite.value(forKey: "a") == 2)
        #expect(try suite.storedValues() == ["a": 1])
        try suite.removeTransient(forKey: "a")
        #expect(suite.value(forKey: "a") == 1)
    }

    @Test func `taking away what is not there is no failure and no event`() throws {
        let events = Recorder<DefaultsChange>()
        let observation = suite.observe(forKey: "a", options: []) { events.append($0) }
        try suite.removeTransient(forKey: "a")
        #expect(events.all == [])
        observation.invalidate()
    }

    @Test func `a key that cannot be stored is refused here too`() {
        #expect(refusal { try suite.setTransient(1, forKey: "") }?.code == .invalidKey)
    }

    @Test func `a transient value set in a transaction that is rolled back stays`() throws {
        struct Change: Error {}
        #expect(throws: Change.self) {
            try suite.withTransaction { _ in
                try suite.setTransient(1, forKey: "a")
                throw Change()
            }
        }
        #expect(suite.value(forKey: "a") == 1)
    }
}
