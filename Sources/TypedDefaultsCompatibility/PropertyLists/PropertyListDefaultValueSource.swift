public import DefaultsStore
public import TypedDefaults
import TypedDefaultsPropertyLists

/// Default values in a property list, XML or binary.
///
/// The outermost value has to be a dictionary, whose members are the layer. Dates become ISO 8601 in UTC and
/// data base64, as keys of `Date` and `Data` read them. The limits are 64 MiB, 128 levels and a million
/// values. A fault is thrown as `.sourceFailed` with the path and, for XML, line and column.
public struct PropertyListDefaultValueSource: PlacedDefaultValueSource {
    /// Identifies the source within a suite: the path.
    public let name: String
    package var place: String { name }
    private let file: ForeignFile

    /// Creates a source of a file, which can be followed.
    ///
    /// Saves in place and by renaming are noticed. A deleted file is a failure that keeps the last layer.
    public init(path: String) {
        name = path
        file = ForeignFile(path)
    }

    /// Returns the members of the list as it is now.
    ///
    /// - Throws: `.sourceFailed` for a file that cannot be read or is not such a list.
    public func defaultValues() async throws -> [String: DefaultsValue] {
        try await FileChanges.inBackground(at: name) { [self] in Result { try layer() } }.get()
    }

    /// Returns the layers of the file as it changes.
    public func changes() -> AsyncThrowingStream<[String: DefaultsValue], any Error>? {
        FileChanges.layers(watch: { [file] in PathWatch(file, $0) }, read: { [self] in try layer() })
    }

    private func layer() throws -> [String: DefaultsValue] {
        let bytes = try file.read()
        do throws(PropertyListFault) {
            return try PropertyListValue.read(bytes).layer()
        } catch {
            throw error.at(file.path)
        }
    }
}
