public import DefaultsStore

/// Reading default values from sources, once.
extension DefaultsSuite {
    /// Reads sources one after the other, each into its own layer of the registration domain.
    ///
    /// The one read last takes precedence. Observers of keys whose effective value a layer changes are called with
    /// the cause `.defaultsChanged(name)` before the next source is read. Nothing runs on the caller's thread.
    ///
    /// ```swift
    /// let shipped = DictionaryDefaultValueSource(["volume": 0.5], name: "shipped")
    /// try await DefaultsSuite.standard.read(sources: shipped, JSONDefaultValueSource(path: "defaults.json"))
    /// ```
    ///
    /// Where two readings of one source overlap, the answer to the later question stays.
    ///
    /// A source with the name of one that was read before replaces that one's layer. Of several sources with one name
    /// in a call the first is read, and the others are refused, because each would replace the layer of the one
    /// before.
    ///
    /// - Throws: `.sourceFailed`, naming every source that failed or was refused. Such a source keeps its last good
    ///   layer, and the others have been read all the same.
    public func read(sources: any DefaultValueSource...) async throws(DefaultsError) {
        try await read(sources: sources)
    }

    /// Does the same for an array of sources.
    public func read(sources: [any DefaultValueSource]) async throws(DefaultsError) {
        let context = context
        let failures = await Task.detached { await DefaultsSuite.readAll(sources, into: context) }
            .valueCancelling()
        guard let error = DefaultsSuite.joined(failures) else { return }
        throw error.inSuite(name)
    }

    /// Does the same for callers that cannot wait.
    ///
    /// - Parameter completion: called once, on a thread of the library's; nil if every source was read.
    public func read(
        sources: any DefaultValueSource..., completion: @escaping @Sendable (DefaultsError?) -> Void
    ) {
        read(sources: sources, completion: completion)
    }

    /// Does the same for callers that cannot wait, and an array of sources.
    public func read(
        sources: [any DefaultValueSource], completion: @escaping @Sendable (DefaultsError?) -> Void
    ) {
        Task.detached { [self] in
            do throws(DefaultsError) {
                try await read(sources: sources)
                completion(nil)
            } catch {
                completion(error)
            }
        }
    }

    private static func readAll(
        _ sources: [any DefaultValueSource], into context: SuiteContext
    ) async -> [DefaultsError] {
        var failures: [DefaultsError] = []
        var names: Set<String> = []
        for source in sources {
            do throws(DefaultsError) {
                guard names.insert(source.name).inserted else { throw SourceLayer.repeated(source) }
                try await SourceLayer.read(source).install(in: context, of: source)
            } catch {
                failures.append(error)
            }
        }
        return failures
    }

    /// Returns one error for all failures; it names a place only if there is just one.
    private static func joined(_ failures: [DefaultsError]) -> DefaultsError? {
        guard failures.count > 1 else { return failures.first }
        let reasons = failures.map { failure in
            let place = failure.path.map { path in
                " at \(path)" + (failure.line.map { ":\($0):\(failure.column ?? 1)" } ?? "")
            }
            let key = failure.key.map { " (key \"\($0)\")" }
            let system = failure.systemError.map { ": \($0)" }
            return (failure.underlyingDescription ?? "") + (system ?? "") + (key ?? "") + (place ?? "")
        }
        return DefaultsError(.sourceFailed, underlyingDescription: reasons.joined(separator: "; "))
    }
}

extension Task where Failure == Never {
    /// Returns the task's value; the task is cancelled when the one that waits for it is.
    fileprivate func valueCancelling() async -> Success {
        await withTaskCancellationHandler {
            await value
        } onCancel: {
            cancel()
        }
    }
}
