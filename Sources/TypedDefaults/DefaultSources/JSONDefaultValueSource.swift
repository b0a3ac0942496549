public import DefaultsStore

/// Default values in JSON text: a file's, or whatever a closure supplies.
///
/// The text has to be one object, whose members are the layer. Comments and trailing commas are allowed, as
/// in a settings file. The limits are 64 MiB and 128 levels. A fault is thrown as `.sourceFailed` with path,
/// line and column.
///
/// ```swift
/// let suite = DefaultsSuite.standard
/// let following = suite.follow(
///     JSONDefaultValueSource(path: "/etc/player/defaults.json"))
/// ```
public struct JSONDefaultValueSource: PlacedDefaultValueSource {
    /// Identifies the source within a suite: the path, or the name given.
    public let name: String
    package let place: String
    private let file: ForeignFile?
    private let text: @Sendable () async throws -> [UInt8]
    private let mapper: Mapper?

    /// Converts JSON that is not one member for each key into a layer.
    public typealias Mapper = @Sendable (DefaultsValue) throws -> [String: DefaultsValue]

    /// Creates a source of a file, which can be followed.
    ///
    /// Saves in place and by renaming are noticed. A deleted file is a failure that keeps the last layer.
    ///
    /// - Parameters:
    ///   - path: the file's path.
    ///   - name: identifies the source; nil for the path. Two sources with one name share a layer, so name
    ///     them if two mappers read one file.
    ///   - mapper: converts the text into the layer; nil if its members are the layer.
    public init(path: String, name: String? = nil, mapper: Mapper? = nil) {
        let file = ForeignFile(path)
        self.file = file
        self.name = name ?? path
        place = path
        text = { try await FileChanges.inBackground(at: file.path) { Result { try file.read() } }.get() }
        self.mapper = mapper
    }

    /// Creates a source of a text that a closure supplies, in UTF-8.
    ///
    /// - Parameters:
    ///   - name: identifies the source; errors give it as the location too.
    ///   - text: called for each read, possibly several times at once.
    ///   - mapper: converts the text into the layer; nil if its members are the layer.
    public init(
        name: String, text: @escaping @Sendable () async throws -> [UInt8], mapper: Mapper? = nil
    ) {
        self.init(name: name, place: name, text: text, mapper: mapper)
    }

    /// Creates a source of a text with a place, which errors name.
    package init(
        name: String, place: String, text: @escaping @Sendable () async throws -> [UInt8], mapper: Mapper?
    ) {
        file = nil
        self.name = name
        self.place = place
        self.text = text
        self.mapper = mapper
    }

    /// Returns the members of the text as it is now.
    ///
    /// - Throws: `.sourceFailed` for a text that cannot be read or is not one object within the limits; what
    ///   the closure or the mapper throws.
    public func defaultValues() async throws -> [String: DefaultsValue] {
        try layer(of: try await text())
    }

    /// Returns the layers of the file as it changes; nil for a source of a closure.
    public func changes() -> AsyncThrowingStream<[String: DefaultsValue], any Error>? {
        guard let file else { return nil }
        return FileChanges.layers(
            watch: { PathWatch(file, $0) }, read: { [self] in try layer(of: file.read()) })
    }

    private func layer(of text: [UInt8]) throws -> [String: DefaultsValue] {
        guard text.count <= ForeignFile.limit else {
            throw DefaultsError(
                .sourceFailed, path: place,
                underlyingDescription: "it is larger than \(ForeignFile.limit) bytes")
        }
        if let mapper {
            do { return try mapper(StoredValue(validating: text).value) } catch let fault as JSONFault {
                throw fault.at(place)
            }
        }
        // A name with half a surrogate pair, which no `String` has, can be no key.
        let members = try SettingsDocument.members(of: text, at: place).filter { !$0.key.hasHalves }
        return Dictionary(
            members.map { ($0.key.string, $0.value.value) }, uniquingKeysWith: { _, last in last })
    }
}
