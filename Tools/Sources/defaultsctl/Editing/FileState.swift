import DefaultsStore

/// A settings file at one moment: its bytes, and the values they are where they can be read.
struct FileState {
    /// Nil where there is no file.
    let bytes: [UInt8]?
    /// Nil where the file is no settings file.
    let values: DefaultsObject?

    /// What an editor begins with: an object even where there is no file, or an empty one.
    var textToEdit: [UInt8] { bytes.flatMap { FileState.isBlank($0) ? nil : $0 } ?? Array("{\n}\n".utf8) }

    private static func isBlank(_ bytes: [UInt8]) -> Bool { bytes.allSatisfy(" \t\r\n".utf8.contains) }

    /// The present state, once the file holds everything that was written.
    ///
    /// Of a suite that is not there nothing is asked, because that would make it.
    static func present(of suite: DefaultsSuite, _ path: String) throws -> FileState {
        guard try PlaceOptions.isThere(path) else { return FileState(bytes: nil, values: [:]) }
        do {
            _ = try suite.storedObject()
            try suite.checkpoint()
        } catch {
            // One that is broken is to be mended by hand; what others have written stays in the journal until then.
            guard error.code == .malformedFile else { throw error }
        }
        let bytes = try System.contents(path)
        return FileState(bytes: bytes, values: values(bytes))
    }

    /// From these very bytes, because what the suite has may be newer.
    private static func values(_ bytes: [UInt8]?) -> DefaultsObject? {
        guard let bytes, !isBlank(bytes) else { return [:] }
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        do { return try DefaultsValue(json: text).object } catch { return nil }
    }
}
