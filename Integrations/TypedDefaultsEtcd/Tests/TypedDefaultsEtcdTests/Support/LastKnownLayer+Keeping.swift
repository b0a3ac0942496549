import TypedDefaults

@testable import TypedDefaultsEtcd

extension LastKnownLayer {
    /// Keeps a state and waits until that is done.
    ///
    /// - Returns: what failed.
    func keep(
        _ contents: Contents, changes: (all: Changes, since: Stamp)? = nil, replacing stamp: Stamp? = nil
    ) async -> DefaultsError? {
        await withCheckedContinuation { continuation in
            keep(contents, changes: changes, replacing: stamp) { outcome in
                switch outcome {
                case .success: continuation.resume(returning: nil)
                case .failure(let error): continuation.resume(returning: error)
                }
            }
        }
    }
}
