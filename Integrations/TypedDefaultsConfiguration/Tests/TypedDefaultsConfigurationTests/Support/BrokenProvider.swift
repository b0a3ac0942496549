import Configuration

/// A provider that does what no provider should.
struct BrokenProvider: ConfigProvider, ConfigSnapshot {
    enum Fault { case throwing, hanging, mistyped, late }

    struct Refusal: Error {}

    let fault: Fault
    /// For `.late`: whether it has begun to answer.
    let begun = Recorder<Bool>()
    var providerName: String { "broken" }

    func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
        LookupResult(encodedKey: "\(key)", value: fault == .mistyped ? "hunter2" : 8080)
    }

    func fetchValue(forKey key: AbsoluteConfigKey, type: ConfigType) async throws -> LookupResult {
        try value(forKey: key, type: type)
    }

    func watchValue<Return: ~Copyable>(
        forKey key: AbsoluteConfigKey, type: ConfigType,
        updatesHandler: (ConfigUpdatesAsyncSequence<Result<LookupResult, any Error>, Never>) async throws ->
            Return
    ) async throws -> Return { throw Refusal() }

    func snapshot() -> any ConfigSnapshot { self }

    func watchSnapshot<Return: ~Copyable>(
        updatesHandler: (ConfigUpdatesAsyncSequence<any ConfigSnapshot, Never>) async throws -> Return
    ) async throws -> Return {
        let (snapshots, continuation) = AsyncStream.makeStream(of: (any ConfigSnapshot).self)
        switch fault {
        case .throwing: throw Refusal()
        case .hanging: break
        case .mistyped: continuation.yield(self)
        case .late:
            await begun.wait { !$0.isEmpty }
            continuation.yield(self)
        }
        return try await updatesHandler(ConfigUpdatesAsyncSequence(snapshots))
    }
}
