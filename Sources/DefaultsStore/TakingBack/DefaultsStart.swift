/// A start of a program, which is known to have worked only once the program says so:
/// ``DefaultsSuite/beginStart(safeAfter:)``.
public struct DefaultsStart: Sendable {
    private let suite: DefaultsSuite
    /// Nil in memory.
    private let files: StartFiles?
    private let limit: Int
    /// Whether the start began with the values of the last healthy one in place of what is stored.
    ///
    /// It stays so after ``acceptStored()``.
    public let isSafe: Bool

    init(of suite: DefaultsSuite, safeAfter limit: Int, files: StartFiles? = nil, isSafe: Bool = false) {
        (self.suite, self.limit, self.files, self.isSafe) = (suite, limit, files, isSafe)
    }

    /// What is withheld at present, by the names of the keys: `old` is the value that is served, `new` the stored one.
    ///
    /// Of a secret key, neither is there. A failure to read is reported to ``DefaultsSuite/failures``.
    public var withheld: [DefaultsDraft.Change] {
        let context = suite.ownContext
        let snapshot = suite.snapshot()
        guard let withheld = snapshot.domains.contents.withheld else { return [] }
        return withheld.pairs.sorted(byName: \.key).compactMap { key, pair in
            guard withheld.withholds(snapshot.stored(key), of: key) else { return nil }
            let isSecret = context.isSecret(key)
            return DefaultsDraft.Change(
                key: key.string, old: isSecret ? nil : pair.good?.value,
                new: isSecret ? nil : pair.stored?.value, isSecret: isSecret)
        }
    }

    /// Keeps what is stored now as the values that work, and forgets the failed starts.
    ///
    /// What is still withheld is not among them: in its place the value that is served stays the good one, and the next
    /// start tries the stored one again. If that start fails, the one after it is safe.
    ///
    /// Call it when the program has done with these values what a bad one would have prevented, such as a few seconds after
    /// the start.
    ///
    /// The values are kept as a settings file that only the user can read, `good.json` in `.settings.json.history`. It has
    /// those of secret keys, too.
    ///
    /// - Throws: `.malformedFile` while the settings file cannot be read; `.insecureDirectory`, `.readOnly`, `.diskFull`,
    ///   `.ioFailure`. The good values of before are still there then, or the failed starts count still.
    /// - Cost: reads the good values; if they are others, it waits for the disk.
    public func markHealthy() throws(DefaultsError) {
        guard let files else { return }
        do throws(DefaultsError) {
            let view = try suite.ownContext.view()
            if let fault = view.snapshot.fault { throw fault }
            var values = view.snapshot.values
            var withheld: [KeyName: StoredValue?] = [:]
            for (key, pair) in view.domains.contents.withheld?.pairs ?? [:]
            where pair.stored.isSame(as: values.value(forKey: key)) {
                withheld.updateValue(pair.stored, forKey: key)
                values.apply(StoredChange(pair.good, forKey: key))
            }
            try files.setGood(values.written.bytes)
            let isTriedAgain = !withheld.isEmpty
            try files.setFailedStarts(
                isTriedAgain ? FailedStarts(count: limit - 1, trying: withheld) : FailedStarts())
        } catch {
            throw error.inSuite(suite.name)
        }
    }

    /// Serves what is stored after all, and forgets the failed starts.
    ///
    /// Observers are called for the values that change by that. The good values stay until ``markHealthy()``.
    ///
    /// - Throws: `.insecureDirectory`, `.readOnly`, `.ioFailure`; nothing has changed then.
    public func acceptStored() throws(DefaultsError) {
        do { try files?.setFailedStarts(FailedStarts()) } catch { throw error.inSuite(suite.name) }
        suite.ownContext.withhold(nil)
    }
}
