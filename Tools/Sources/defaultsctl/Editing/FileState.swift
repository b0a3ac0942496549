import DefaultsStore

/// A settings file at one moment: its bytes, and the values they are where they can be read.
struct FileState {
    /// Nil where there is no file.
    let bytes: [UInt8]?
    /// Nil where the file is no settings file.
    let values: DefaultsObject?
    let mode: UInt32

    /// The present state, once the file holds everything that was written.
    ///
    /// Of a suite that is not there nothing is asked, because that would make it.
    static func present(of suite: DefaultsSuite, _ path: String) throws -> FileState {
        guard try PlaceOptions.isThere(path) else { return FileState(bytes: nil, values: [:], mode: 0o600) }
        do {
            _ = try suite.storedObject()
            try suite.checkpoint()
        } catch {
            // One that is broken is to be mended by hand; a checkpoint would put another file in its place.
            guard error.code == .malformedFile else { throw error }
        }
        let bytes = try System.contents(path)
        return FileState(bytes: bytes, values: values(bytes), mode: try System.status(path)?.mode ?? 0o600)
    }

    /// From these very bytes, because what the suite has may be newer.
    private static func values(_ bytes: [UInt8]?) -> DefaultsObject? {
        guard let bytes else { return [:] }
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        do { return try DefaultsValue(json: text).object } catch { return nil }
    }
}
