import TypedDefaults

/// One key, and everything that can say what its value is, one after the other.
struct Story {
    private let folder: WorkFolder
    private let suite: DefaultsSuite
    private let volume: Defaults.Key<Double>

    init(folder: WorkFolder) throws {
        self.folder = folder
        suite = try DefaultsSuite("player", in: folder.path)
        volume = Defaults.Key<Double>("volume", default: 0.1, suite: suite)
    }

    func tell() async throws {
        // Changes as they come; a step is explained once its own one has.
        var changes = suite.changes(volume).makeAsyncIterator()
        explain("1. There is nothing but the key's own default.")

        try await suite.read(sources: DictionaryDefaultValueSource(["volume": 0.2], name: "shipped"))
        await hear(0.2, in: &changes)
        explain("2. A table in code supplies a default.")

        try folder.write(#"{ "volume": 0.3 } // for this machine"#, to: "machine.json")
        let machine = JSONDefaultValueSource(path: folder.path + "/machine.json")
        try await suite.read(sources: machine)
        await hear(0.3, in: &changes)
        explain("3. A file is read after it, so it answers first.")

        let following = suite.follow(machine)
        try folder.write(#"{ "volume": 0.4 } // edited"#, to: "machine.json")
        await hear(0.4, in: &changes)
        explain("4. The file is followed, and somebody edits it.")

        try suite.set(volume, to: 0.5)
        await hear(0.5, in: &changes)
        explain("5. The user chooses a value, which is stored.")

        try suite.setTransient(0.6, forKey: "volume")
        await hear(0.6, in: &changes)
        explain("6. A transient value goes above it and ends with the process.")

        suite.addEnvironment(prefix: "PLAYER_", in: ["PLAYER_VOLUME": "0.7"])
        await hear(0.7, in: &changes)
        explain("7. The environment is above that,")

        suite.addArguments(["player", "--volume", "0.8"])
        await hear(0.8, in: &changes)
        explain("8. and the command line above the environment.")

        try folder.write(#"{ "volume": 0.9 }"#, to: "managed.json")
        try suite.setManagedFile(folder.path + "/managed.json")
        await hear(0.9, in: &changes)
        explain("9. An administrator's file is above all, and locks its keys.")
        setWhatIsLocked()

        await readWhatIsBroken(machine)
        following.invalidate()
    }

    /// Waits for the change to a value, whichever thread it comes from.
    private func hear(
        _ value: Double, in changes: inout AsyncStream<Defaults.KeyChange<Double>>.Iterator
    ) async {
        while let change = await changes.next() {
            print("   heard: \(change.oldValue) -> \(change.newValue), \(change.cause)")
            if change.newValue == value { return }
        }
    }

    private func setWhatIsLocked() {
        do { try suite.set(volume, to: 0.1) } catch { print("   \(error)") }
    }

    private func readWhatIsBroken(_ machine: JSONDefaultValueSource) async {
        do throws(DefaultsError) {
            let missing = JSONDefaultValueSource(path: folder.path + "/missing.json")
            try await suite.read(sources: missing, machine)
        } catch {
            explain("10. A source that fails is named, and the others are read all the same.\n   \(error)")
        }
    }

    private func explain(_ step: String) {
        print("\(step)\n   The volume is \(suite[volume]):")
        for line in suite.explain(forKey: "volume") { print("   - \(line)") }
    }
}
