// The everyday interface, as a program uses it: a name in here changes on purpose, or not at all.
import TypedDefaults

nonisolated extension Defaults.Keys {
    static let volume = Key<Double>(
        "volume", default: 0.5, validation: .range(0...1), description: "How loud")
    static let title = OptionalKey<String>("title", validation: .where { $0 != "" })
    static let theme = Key<String>("theme", default: "light", validation: .oneOf("light", "dark"))
    static let token = OptionalKey<String>("token", secret: true)
    static let folders = Key<[String]>("folders", default: [], merge: .append)
}

func readAndWrite() {
    Defaults[.volume] += 0.1
    Defaults[.title]?.append("!")
    Defaults.modify(.folders) { $0.append("music") }
    Defaults.reset(.volume, .title)
    print(Defaults.isSet(.theme), Defaults.isDefaultValue(.theme))
}

func readAndWriteWithErrors(in suite: DefaultsSuite) async throws {
    let volume: Double = try suite.value(.volume)
    try suite.set(.volume, to: volume / 2)
    try suite.set(text: "0.25", forKey: "volume")
    try suite.modify(.folders) { $0.removeAll() }
    try suite.reset(.volume)
    try suite.removeValue(forKey: "title")
    try suite.withTransaction { tx in
        tx[.volume] = 1
        tx[key: "title"] = "Main"
        tx.reset(.theme, .folders)
        tx.removeValue(forKey: "title")
    }
    try await suite.async.set(.volume, to: 0.75)
    let snapshot = suite.snapshot()
    print(snapshot[.volume], snapshot[.theme], try suite.storedValues())
}

func takeBack(in suite: DefaultsSuite) async throws {
    var draft: DefaultsDraft = suite.draft()
    draft[.volume] = 0.3
    draft[.folders].append("music")
    draft.reset(.theme, .title)
    draft.set("Main", forKey: "title")
    draft.removeValue(forKey: "old")
    for change: DefaultsDraft.Change in draft.changes {
        print(change.key, change.old ?? .null, change.new ?? .null, change.isSecret)
    }
    if draft.problems.isEmpty, draft.conflicts.isEmpty { try draft.apply() }
    try draft.rebase()
    try suite.draft(loading: ["volume": 0.5], removingOthers: true).apply(overridingConflicts: true)
    try suite.keepHistory(.versions(50, maximumBytes: 4 << 20), includingSecrets: true)
    let versions: [DefaultsVersion] = try suite.history()
    for version in versions { print(version.id, version.secondsSince1970, version.path, version.size) }
    let entries: [DefaultsHistoryEntry] = try suite.history(of: .volume) + suite.history(forKey: "title")
    for entry in entries { print(entry.version, entry.value ?? .null, entry.isSet) }
    if try suite.undo(.volume), try suite.redo(.volume) { print(try suite.undo(forKey: "title")) }
    if let version = versions.last { try suite.draft(restoring: version).apply() }
    try suite.keepHistory(.off)
    print(try await suite.wait(for: .volume, timeout: .seconds(5)) { $0 > 0.25 })
}

func observe(_ suite: DefaultsSuite) async {
    let observations = [
        Defaults.observe(.volume) { print($0.oldValue, $0.newValue) },
        Defaults.observe(.volume, .theme, options: []) { print("one of them") },
        Defaults.observe([.volume, .theme], options: []) { print("one of a list") },
        suite.observe(forKey: "volume") { print($0.newValue ?? .null, $0.cause) },
        suite.observeAll { print("something") },
        suite.observeAll { changes in print(changes.map(\.key)) },
    ]
    observations.forEach { $0.invalidate() }
    for await volume in Defaults.updates(.volume) { print(volume) }
    for await change in Defaults.changes(.title) { print(change.newValue ?? "none") }
}

func domains(of suite: DefaultsSuite) throws {
    suite.addArguments()
    suite.addEnvironment(prefix: "PLAYER_")
    try suite.setTransient(.volume, to: 0.1)
    suite.addValidation("quiet at night") { $0[.theme] != "dark" || $0[.volume] < 0.5 }
    let domain: DefaultsDomain? = suite.domain(forKey: "volume")
    for line: DefaultsExplanation in suite.explain(forKey: "volume") {
        print(line.domain == domain, line.text ?? "", line.location, line.outcome == .applies)
    }
    let volume = Defaults.Keys.volume
    print(volume.allowedRange.map { ($0.lowerBound, $0.upperBound) } ?? ("", ""), volume.allowedValues ?? [])
    print(suite.isSecret(forKey: "token"), try volume.value(from: "0.5"))
}

func diagnose(_ suite: DefaultsSuite) throws {
    suite.checkpointDelay = .seconds(5)
    for problem in suite.problems() where problem.domain == .stored {
        print(problem.validation ?? problem.key ?? "", problem.line ?? 0, problem.reason)
    }
    for finding in suite.inspectFiles() where finding.severity > .note {
        print(finding.category, finding.path, finding.recoverySuggestion ?? "")
    }
    _ = try suite.repairFiles()
    do { try suite.validate() } catch { print(error.problems.count, error.findings.count) }
    do { try suite.synchronize() } catch { print(error.code, error.path ?? "", error.recoverySuggestion) }
}

func isForLater(_ error: DefaultsError) -> Bool {
    switch error.code {
    case .ioFailure, .diskFull, .lockTimeout, .conflict, .timedOut: true
    case .unsupportedFormat, .accessNotStored, .accessAcrossAwait, .wouldStoreSecret: false
    case .ambiguousDate, .selfReplacement, .feedbackLoop: false
    default: false
    }
}

struct Announcements: LiveDefaultValueSource {
    let name = "announcements"
    func layerUpdates() -> AsyncStream<DefaultsLayerUpdate> {
        AsyncStream { continuation in
            let layer = DefaultsLayer(["theme": "dark"], locked: ["volume": 0.5], location: "shelf 3")
            continuation.yield(DefaultsLayerUpdate(layer: layer))
            continuation.yield(DefaultsLayerUpdate(failures: [.sourceFailed("the shelf is empty")]))
        }
    }
}

func follow(in suite: DefaultsSuite) async throws {
    let subscription: DefaultValueSourceSubscription = suite.follow(Announcements())
    _ = await subscription.ready(within: .seconds(1))
    subscription.invalidate()
}

func show(_ value: DefaultsValue) -> String {
    switch value {
    case .null, .bool, .number, .string, .array, .object: value.description
    case .rawJSON(let text): text.description
    }
}
