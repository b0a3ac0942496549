import ArgumentParser
import DefaultsStore
import Synchronization

/// `wait`: until a key has a value.
struct Wait: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Wait until a key has a value, whoever sets it.",
        usage: "defaultsctl wait <key>[=<value>] [--timeout <seconds>] (--suite <name> | --file <path>)",
        discussion: """
            With key=value it waits for that value, which is JSON, or a bare word, which is a text, and prints nothing. \
            With a key alone it waits until there is any, and prints it. The value is the effective one, as with read; \
            where it is there already, the wait is over at once. A suite that is not there yet is waited for, too.

            Exit status 75: it did not come in time.
            """)

    @Argument(
        help: ArgumentHelp("The key, and behind the first = the value.", valueName: "key[=value]"),
        completion: .custom(Completion.keys))
    var condition: String

    @Option(name: [.short, .long], help: "What the value is; \(ValueType.names).")
    var type: ValueType?

    @Option(
        help: ArgumentHelp(
            "How long to wait at most; without it, for as long as it takes.", valueName: "seconds"))
    var timeout: Double?

    @OptionGroup var place: PlaceOptions
    @OptionGroup var domains: DomainOptions
    @OptionGroup var secrets: RevealOptions
    @OptionGroup var output: OutputOptions

    private var key: String { String(condition.prefix { $0 != "=" }) }

    /// Behind the first `=`; nil where any value will do.
    private var word: String? {
        condition.firstIndex(of: "=").map { String(condition[condition.index(after: $0)...]) }
    }

    func validate() throws {
        if key.isEmpty { throw ValidationError("Say which key: <key> or <key>=<value>.") }
        if type != nil, word == nil { throw ValidationError("--type goes with a value: <key>=<value>.") }
        // Ten years are for as long as it takes.
        if let timeout, !(0...315_576_000).contains(timeout) {
            throw ValidationError("--timeout is a number of seconds, such as 5 or 0.5.")
        }
    }

    func run() throws {
        let wanted = try word.map { try ValueType.value($0, as: type) }
        let end = timeout.map { ContinuousClock.now + .seconds($0) }
        Warnings.holdNoLonger()
        guard try place.waitUntilThere(until: end) != .isNotThere else {
            throw Failure(.notInTime, "the suite did not come in time")
        }
        let suite = try place.existing()
        // As with "watch": a broken file may be mended meanwhile.
        do { _ = try suite.storedObject() } catch {
            guard error.code == .malformedFile else { throw error }
        }
        try domains.add(to: suite)
        let found = Mutex<DefaultsValue?>(nil)
        let bell = try Bell()
        let observation = suite.observe(forKey: key, options: [.initial, .new]) { change in
            guard let value = change.newValue, wanted == nil || value == wanted else { return }
            found.withLock { $0 = $0 ?? value }
            bell.ring()
        }
        defer { observation.invalidate() }
        switch bell.wait(until: end) {
        case .rung: try print(found.withLock { $0 }, in: suite)
        case .unread: try System.endWithoutReader()
        case .timedOut: throw late(wanted, suite)
        }
    }

    private func print(_ value: DefaultsValue?, in suite: DefaultsSuite) throws {
        guard word == nil, let value else { return }
        let hidden = secrets.hidden(in: suite)
        guard !hidden.hides(key) else { return hidden.note([key]) }
        if output.json { return try Output.json(value) }
        try Output.line(Shown.plain(value))
    }

    private func late(_ wanted: DefaultsValue?, _ suite: DefaultsSuite) -> Failure {
        let name = SafeText.name(key)
        guard let present = suite.value(forKey: key) else {
            return Failure(.notInTime, "\(name) got no value in time")
        }
        guard !secrets.hidden(in: suite).hides(key) else {
            return Failure(.notInTime, "\(name) did not get that value in time")
        }
        return Failure(
            .notInTime,
            "\(name) did not become \(Shown.inLine(wanted)) in time; it is \(Shown.inLine(present))")
    }
}
