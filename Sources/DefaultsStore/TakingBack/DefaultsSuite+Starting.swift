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
        guard let settings = snapshot.files?.location else {
            return DefaultsStart(of: self, safeAfter: limit)
        }
        let files = StartFiles(of: settings)
        guard let good = reporting({ () throws(DefaultsError) in try files.good() }) ?? nil else {
            return DefaultsStart(of: self, safeAfter: limit, files: files)
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
            return DefaultsStart(of: self, safeAfter: limit, files: files)
        }
        context.withhold(WithheldValues(withheld, after: failed.count, good: good))
        context.report(
            report(of: withheld.keys.map(\.string).sorted(), after: failed.count, at: settings.path))
        return DefaultsStart(of: self, safeAfter: limit, files: files, isSafe: true)
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
