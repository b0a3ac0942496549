import TestSupport
import Testing
import TypedDefaults

/// Texts of the command line and the environment for keys whose domains' values combine.
@Suite(.ownThread) struct MergedTextTests {
    /// Members that have to be in order, which only the whole can tell.
    private struct Span: Codable, Hashable, Sendable {
        var low: Int
        var high: Int

        init(_ low: Int, _ high: Int) { (self.low, self.high) = (low, high) }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            low = try members.decode(Int.self, forKey: .low)
            high = try members.decode(Int.self, forKey: .high)
            guard low > high else { return }
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "in no order"))
        }
    }

    /// Two elements or more.
    private struct Line: Codable, Hashable, Sendable {
        var points: [Int]

        init(_ points: [Int]) { self.points = points }

        init(from decoder: any Decoder) throws {
            points = try [Int](from: decoder)
            guard points.count < 2 else { return }
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "too short"))
        }

        func encode(to encoder: any Encoder) throws { try points.encode(to: encoder) }
    }

    private let suite = DefaultsSuite.inMemory()
    private let failures: FailureRecorder

    init() { failures = FailureRecorder(suite) }

    private func reason(_ place: String, _ reason: String) -> String { "\(place) cannot be used: \(reason)" }

    @Test(arguments: [DefaultsMerge.append, .union])
    func `where an element does not fit, the text is reported and the next domain answers`(
        _ merge: DefaultsMerge
    )
        throws
    {
        let plugins = Defaults.Key<[String]>("plugins", default: ["core"], suite: suite, merge: merge)
        try suite.set(plugins, to: ["equalizer"])
        suite.addEnvironment(prefix: "", in: ["PLUGINS": #"["reverb", null]"#])
        suite.addArguments(["--plugins", "[1]"])
        #expect(failures.codes == [.typeMismatch, .typeMismatch])
        #expect(
            failures.all.map(\.underlyingDescription) == [
                reason("the variable PLUGINS", "[1]: expected String, found null"),
                reason("the argument --plugins", "[0]: expected String, found a number"),
            ])
        #expect(try suite.value(plugins) == ["core", "equalizer"])
        #expect(suite.problems().map(\.domain) == [.arguments, .environment])
    }

    @Test func `where a member does not fit, the text is reported and the next domain answers`() throws {
        let window = Defaults.Key<Window>("window", default: Window(), suite: suite, merge: .deepMerge)
        let sizes = Defaults.OptionalKey<[String: Int]>("sizes", suite: suite, merge: .deepMerge)
        try suite.set(["width": 5], forKey: "window")
        try suite.set(["a": 1], forKey: "sizes")
        suite.addArguments(["--window", #"{"height": "no"}"#, "--sizes", #"{"a": "no", "b": 2}"#])
        let mismatch = "expected Int, found a string"
        #expect(
            Set(failures.all.map(\.underlyingDescription)) == [
                reason("the argument --window", "height: \(mismatch)"),
                reason("the argument --sizes", "a: \(mismatch)"),
            ])
        #expect(try suite.value(window) == Window(width: 5, height: 600))
        #expect(try suite.value(sizes) == ["a": 1])
    }

    @Test func `a word that is no case is refused, also deep inside`() throws {
        let moods = Defaults.Key<[String: [String: Mood]]>(
            "moods", default: ["a": ["b": .calm]], suite: suite, merge: .deepMerge)
        suite.addArguments(["--moods", #"{"a": {"c": "mery"}}"#])
        #expect(failures.codes == [.typeMismatch])
        #expect(try suite.value(moods) == ["a": ["b": .calm]])
    }

    @Test func `what a text leaves out may come from another domain`() throws {
        let windows = Defaults.Key<[String: Window]>("windows", default: [:], suite: suite, merge: .deepMerge)
        let window = Defaults.OptionalKey<Window>("window", suite: suite, merge: .deepMerge)
        try suite.set(["main": ["height": 6]], forKey: "windows")
        try suite.set(["height": 6], forKey: "window")
        suite.addArguments(["--windows", #"{"main": {"width": 5}}"#, "--window", #"{"width": 5}"#])
        #expect(try suite.value(windows) == ["main": Window(width: 5, height: 6)])
        #expect(try suite.value(window) == Window(width: 5, height: 6))
        #expect(failures.all == [])
    }

    @Test func `what an element leaves out comes from nowhere`() throws {
        let windows = Defaults.Key<[String: [Window]]>(
            "windows", default: [:], suite: suite, merge: .deepMerge)
        try suite.set(["main": [["width": 1, "height": 6]]], forKey: "windows")
        suite.addArguments(["--windows", #"{"main": [{"width": 5}]}"#])
        #expect(try suite.value(windows) == ["main": [Window(width: 1, height: 6)]])
        #expect(failures.codes == [.typeMismatch])
    }

    @Test func `what only the whole has to be, no part has to be`() throws {
        let span = Defaults.Key<Span>("span", default: Span(0, 1), suite: suite, merge: .deepMerge)
        let line = Defaults.Key<Line>("line", default: Line([0, 1]), suite: suite, merge: .append)
        let sum = Defaults.Key<[Int]>(
            "sum", default: [1], suite: suite, validation: .where { $0.count > 1 }, merge: .append)
        try suite.set(["high": 10], forKey: "span")
        suite.addArguments(["--span", #"{"low": 5}"#, "--line", "[2]", "--sum", "[2]"])
        #expect(try suite.value(span) == Span(5, 10))
        #expect(try suite.value(line) == Line([0, 1, 2]))
        #expect(try suite.value(sum) == [1, 2])
        #expect(failures.all == [])
    }

    @Test func `a list that its own codec refuses without a place is refused`() throws {
        let codec = DefaultsCodec<[Int]>(
            encode: { try DefaultsCodec<[Int]>.codable.encode($0) },
            decode: { text in
                guard !text.contains(UInt8(ascii: "-")) else { throw NotAnAngle() }
                return try DefaultsCodec<[Int]>.codable.decode(text)
            })
        let angles = Defaults.Key<[Int]>("angles", default: [1], suite: suite, codec: codec, merge: .append)
        suite.addArguments(["--angles", "[-5]"])
        #expect(
            failures.all.map(\.underlyingDescription) == [
                reason("the argument --angles", "not a whole number of degrees")
            ])
        #expect(try suite.value(angles) == [1])
    }

    @Test func `nothing inside a secret key's text is told`() {
        _ = Defaults.Key<[String: Int]>("tokens", default: [:], suite: suite, secret: true, merge: .deepMerge)
        suite.addArguments(["--tokens", #"{"alice": "x"}"#])
        #expect(failures.codes == [.typeMismatch])
        #expect(!failures.all.description.contains("alice"))
    }
}
