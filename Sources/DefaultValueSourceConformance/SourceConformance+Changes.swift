import TypedDefaults

/// The rules about changes.
extension SourceConformance {
    /// After a change the stream gives the whole new layer, which is what the source answers too.
    ///
    /// - Parameter change: changes what the source is about to something that it can read.
    public func checkChanges(after change: @escaping @Sendable () async throws -> Void) async throws {
        let source = try make()
        guard let changes = source.changes() else {
            throw SourceViolation(.wholeLayers, "the source has no stream of changes")
        }
        let before = try await answer(of: source)
        let met = try await timed(.wholeLayers) {
            try await change()
            var layers: [[String: DefaultsValue]] = []
            for try await layer in changes {
                layers.append(layer)
                if try await layer == source.defaultValues(), layer != before { break }
            }
            return layers
        }
        guard let last = met.last, last != before else {
            throw SourceViolation(.wholeLayers, "the stream ended without the change")
        }
        for (one, next) in zip(met, met.dropFirst()) where one == next {
            throw SourceViolation(.difference, "\(one.count) values came twice in a row")
        }
    }
}
