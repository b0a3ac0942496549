/// A start of a program, which is known to have worked only once the program says so:
/// ``DefaultsSuite/beginStart(safeAfter:)``.
public struct DefaultsStart: Sendable {
    private let suite: DefaultsSuite
    /// Nil in memory.
    private let files: StartFiles?
    /// Whether the start began with the values of the last healthy one in place of what is stored.
    ///
    /// It stays so after ``acceptStored()``.
    public let isSafe: Bool

    init(of suite: DefaultsSuite, files: StartFiles? = nil, isSafe: Bool = false) {
        (self.suite, self.files, self.isSafe) = (suite, files, isSafe)
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
    /// start tries the stored one again. Call it when the program has done with these values what a bad one would have
    /// prevented, such as a few seconds after the start.
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
            let withheld = view.domains.contents.withheld
            for (key, pair) in withheld?.pairs ?? [:]
            where pair.stored.isSame(as: values.value(forKey: key)) {
                values.apply(StoredChange(pair.good, forKey: key))
            }
            try files.setGood(values.written.bytes)
            try files.setFailedStarts(FailedStarts())
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

/// Starting with what worked.
extension DefaultsSuite {
    /// Begins a start of the program: after some that failed with changed settings, with the settings that worked.
    ///
    /// Call it once in each process, early: each call counts as a start that failed, until ``DefaultsStart/markHealthy()``
    /// says that it did not. The count is on disk before this returns, so a crash right after it counts.
    ///
    /// ```swift
    /// func run(_ suite: DefaultsSuite) throws {
    ///     let start = try suite.beginStart(safeAfter: 3)
    ///     for change in start.withheld { print("withheld:", change) }
    ///     // ... begin to work with the settings, then:
    ///     try start.markHealthy()
    /// }
    /// ```
    ///
    /// A start is *safe* if that many starts in a row have failed, each with values that were not those of the last healthy
    /// one, and some of the changes are still there. Then these are withheld, and `.withheld` is reported to
    /// ``failures``: reads, snapshots and observers get the values of the last healthy start, and ``explain(forKey:)``
    /// says so. The settings file is not changed.
    ///
    /// - What is stored afterwards is served: by this process, also where it is what was withheld; by another one or a
    ///   person, where it is something else. A change in place begins with the value that is served.
    /// - A change that no failed start has had, such as an edit since the last one, is served.
    /// - Nothing is withheld before the first healthy start, in memory, where nothing has changed, and where the settings
    ///   have been migrated since. A program that stores something at each start changes something at each.
    ///
    /// What cannot be read or written of the files that this takes is reported, and the start goes on, since a full disk is
    /// no reason not to start: what is stored is served if the good values cannot be read. Processes that begin a start of
    /// one suite at the same time damage nothing, but may count as one.
    ///
    /// - Parameter failedStarts: how many starts have to fail.
    /// - Throws: `.invalidValue` for less than one; `.readOnly` for a suite that was opened so; what prevented the settings
    ///   from being read, as in ``storedValues()``, except `.malformedFile`, where the values of the last healthy start
    ///   take the place of what cannot be read.
    /// - Cost: reads two files; while there are other values than the good ones, it waits for the disk.
    public func beginStart(safeAfter failedStarts: Int) throws(DefaultsError) -> DefaultsStart {
        do { return try current.begin(failedStarts) } catch { throw error.inSuite(name) }
    }

    private func begin(_ limit: Int) throws(DefaultsError) -> DefaultsStart {
        guard limit > 0 else {
            throw DefaultsError(
                .invalidValue, underlyingDescription: "a start is safe after at least one that failed")
        }
        let context = ownContext
        try context.location?.checkWritable()
        let snapshot = try context.view().snapshot
        guard let settings = snapshot.files?.location else { return DefaultsStart(of: self) }
        let files = StartFiles(of: settings)
        guard let good = reporting({ () throws(DefaultsError) in try files.good() }) ?? nil else {
            return DefaultsStart(of: self, files: files)
        }
        let failed = reporting { () throws(DefaultsError) in try files.failedStarts() } ?? FailedStarts()
        let changed = changes(of: snapshot.values, since: good.document)
        let next = changed.isEmpty ? FailedStarts() : failed.adding(changed.mapValues(\.stored))
        if failed.count > 0 || next.count > 0 {
            reporting { () throws(DefaultsError) in try files.setFailedStarts(next) }
        }
        let withheld = changed.filter { failed.hasTried($0.value.stored, of: $0.key) }
        guard failed.count >= limit, !withheld.isEmpty else {
            context.withhold(nil)
            return DefaultsStart(of: self, files: files)
        }
        context.withhold(WithheldValues(withheld, after: failed.count, good: good))
        context.report(
            report(of: withheld.keys.map(\.string).sorted(), after: failed.count, at: settings.path))
        return DefaultsStart(of: self, files: files, isSafe: true)
    }

    /// Nil after a failure, which is reported.
    @discardableResult
    private func reporting<Result>(_ body: () throws(DefaultsError) -> Result) -> Result? {
        do { return try body() } catch {
            ownContext.report(error.inSuite(name))
            return nil
        }
    }

    /// What is stored and what was good, where they differ; empty where the two cannot be compared.
    private func changes(
        of values: StoredValues, since good: SettingsDocument
    ) -> [KeyName: WithheldValues.Pair] {
        // Values that a migration has changed since are of another form.
        for steps in [KeyName.migrations, .migrationLists]
        where !good.value(forKey: steps).isSame(as: values.value(forKey: steps)) { return [:] }
        var changed: [KeyName: WithheldValues.Pair] = [:]
        for key in values.keys + good.keys where key.isSetting && changed[key] == nil {
            let (stored, good) = (values.value(forKey: key), good.value(forKey: key))
            if stored.isSame(as: good) { continue }
            // Detached, because a slice would keep the whole file.
            changed[key] = WithheldValues.Pair(stored: stored?.detached, good: good?.detached)
        }
        return changed
    }

    private func report(of keys: [String], after count: Int, at path: String) -> DefaultsError {
        let starts = count == 1 ? "a start has failed" : "\(count) starts have failed"
        let names = keys.map { "\"\($0)\"" }.joined(separator: ", ")
        return DefaultsError(
            .withheld, suite: name, key: keys.count == 1 ? keys[0] : nil, path: path,
            underlyingDescription: keys.count == 1 ? starts : "\(starts), the keys are \(names)")
    }
}

extension SuiteContext {
    /// Serves the values of the last healthy start in place of what is stored; nil ends that.
    func withhold(_ values: WithheldValues?) {
        let keys = [domains.load().contents.withheld, values].compactMap(\.self).flatMap(\.pairs.keys)
        guard !keys.isEmpty else { return }
        changeDomains(.thisProcess, touched: { _ in keys }) { $0.changing { $0.withheld = values } }
    }
}
