import DefaultsStore

/// A failed reading of a source: as the suite reports it, and as the source threw it.
struct SourceFailure: Error {
    let reported: DefaultsError
    let own: any Error

    init(_ reported: DefaultsError) { (self.reported, own) = (reported, reported) }

    init(of source: any DefaultValueSource, _ own: any Error) {
        (reported, self.own) = (SourceLayer.failure(of: source, own), own)
    }
}

/// The answer of one source, validated before a suite accepts it.
struct SourceLayer: Sendable {
    private let layer: DefaultsLayer
    /// Failures that the source reports beside its layer.
    private(set) var failures: [DefaultsError] = []
    /// When the source was asked, on the monotonic clock; for an unrequested layer, when it came.
    private var asked = SystemCalls.monotonicNanoseconds

    /// Accepts an answer as a whole or not at all.
    ///
    /// - Throws: `.sourceFailed` for an invalid name or a value that no file could hold.
    init(_ values: [String: DefaultsValue], of source: any DefaultValueSource) throws(DefaultsError) {
        // A source that is named after its location has it in the error already.
        let place = (source as? any PlacedDefaultValueSource)?.place
        try self.init(DefaultsLayer(values, location: place == source.name ? nil : place), of: source)
    }

    init(_ layer: DefaultsLayer, of source: any DefaultValueSource) throws(DefaultsError) {
        if let refusal = layer.texts.refusals.first ?? layer.lockedTexts.refusals.first {
            throw SourceLayer.failure(of: source, refusal)
        }
        // The member that names a schema for the editor of a source's file is not a default.
        var layer = layer
        layer.set(nil, forKey: KeyName.schema.string)
        layer.setLocked(nil, forKey: KeyName.schema.string)
        self.layer = layer
    }

    /// Asks a source.
    ///
    /// - Throws: `.sourceFailed`, naming the source.
    static func read(_ source: any DefaultValueSource) async throws(SourceFailure) -> SourceLayer {
        guard !Task.isCancelled else {
            throw SourceFailure(
                DefaultsError(
                    .sourceFailed, underlyingDescription: "\"\(source.name)\": the reading was cancelled"))
        }
        if let source = source as? any LiveDefaultValueSource {
            return try await read(reporting: source)
        }
        let asked = SystemCalls.monotonicNanoseconds
        let values: [String: DefaultsValue]
        do { values = try await source.defaultValues() } catch { throw SourceFailure(of: source, error) }
        return try accepted { () throws(DefaultsError) in try SourceLayer(values, of: source) }.asked(
            at: asked)
    }

    private static func read(
        reporting source: any LiveDefaultValueSource
    ) async throws(SourceFailure) -> SourceLayer {
        let asked = SystemCalls.monotonicNanoseconds
        let first: (layer: DefaultsLayer, failures: [DefaultsError])
        do { first = try await source.firstLayer() } catch { throw SourceFailure(of: source, error) }
        var result = try accepted { () throws(DefaultsError) in try SourceLayer(first.layer, of: source) }
            .asked(at: asked)
        result.failures = first.failures.map { failure(of: source, $0) }
        return result
    }

    private static func accepted(
        _ make: () throws(DefaultsError) -> SourceLayer
    ) throws(SourceFailure) -> SourceLayer {
        do { return try make() } catch { throw SourceFailure(error) }
    }

    private func asked(at moment: UInt64) -> SourceLayer {
        var layer = self
        layer.asked = moment
        return layer
    }

    /// Replaces the source's last layer by this one, unless the last one was requested later.
    ///
    /// - Parameter keepsPlace: whether it keeps its position among the other layers; otherwise it takes
    ///   precedence.
    func install(in context: SuiteContext, of source: any DefaultValueSource, keepsPlace: Bool = false) {
        context.setLayer(
            source.name, values: layer.texts, locked: layer.lockedTexts, texts: layer.fileTexts,
            isSecret: layer.isSecret, location: layer.location, age: layer.age, asked: asked,
            keepsPlace: keepsPlace
        )
        for failure in failures { context.report(failure) }
    }

    /// What is kept for the next start; nil for nothing.
    ///
    /// A secret is not written to a file if the source has kept it out of one. A text that gets its type from
    /// a key is in a file of this machine already.
    var known: KnownLayer? {
        guard !layer.isSecret, layer.fileTexts.isEmpty else { return nil }
        return KnownLayer(
            values: layer.texts, locked: layer.lockedTexts, location: layer.location, age: layer.age)
    }

    /// The refusal of a second source with one name: it would replace the first one's layer.
    static func repeated(_ source: any DefaultValueSource) -> DefaultsError {
        DefaultsError(
            .sourceFailed,
            underlyingDescription: "\"\(source.name)\": another source of this reading has the same name; "
                + "give one of them another name")
    }

    static func recovered(
        _ source: any DefaultValueSource, _ what: String = "it has answered, and nothing of it fails"
    ) -> DefaultsError {
        DefaultsError(.recovered, underlyingDescription: "\"\(source.name)\": \(what)")
    }

    /// A source's error as a `DefaultsError`, with the source's name.
    static func failure(of source: any DefaultValueSource, _ error: any Error) -> DefaultsError {
        guard let known = error as? DefaultsError else {
            return DefaultsError(
                .sourceFailed, underlyingDescription: "\"\(source.name)\": \(describe(error))")
        }
        let code = known.code == .sourceFailed ? nil : known.code.clause
        let reasons = [code, known.underlyingDescription].compactMap { $0 }.joined(separator: ": ")
        return DefaultsError(
            .sourceFailed, key: known.key, path: known.path, line: known.line, column: known.column,
            systemError: known.systemError,
            underlyingDescription: "\"\(source.name)\"" + (reasons.isEmpty ? "" : ": " + reasons))
    }
}
