public import Foundation
public import TypedDefaults

/// Default values that a server or a file supplies, in any form.
///
/// ```swift
/// if let address = URL(string: "https://example.com/motd") {
///     let remote = URLDefaultValueSource(
///         url: address, headers: ["Authorization": "Bearer 0123"]
///     ) { body in
///         ["motd": .string(String(decoding: body, as: UTF8.self))]
///     }
///     try await DefaultsSuite.standard.read(sources: remote)
/// }
/// ```
///
/// - The address is https, or http on this machine without a proxy. It has no user.
/// - A header whose name or value would arrive changed, such as a token with a line feed, is not sent, and no
///   request is made.
/// - Redirects are followed within the same scheme, host and port, five at most, and get none of the headers.
/// - The answer has status 200 and at most 1 MiB. Everything takes ten seconds at most.
/// - The answer has a certain end: by a length that it keeps, by chunks, or, over https, by the end of the
///   connection. Compressed answers are refused, because Foundation returns a truncated one as whole.
///
/// A failure throws `.sourceFailed` with the address, and the last good layer stays. Nothing is kept on disk,
/// no cookies are sent or accepted, and the server's values are never written into a settings file.
///
/// Outside Apple's systems a server can end the program through faults of Swift 6.3's Foundation, which
/// the page *Defaults from a server* lists. Ask servers that you trust, or fetch with another client,
/// in a `DefaultValueSource` of your own.
///
/// The URL of a file on this machine is read as `JSONDefaultValueSource` reads a path: up to 64 MiB, without
/// headers, and it can be followed.
public struct URLDefaultValueSource: PlacedDefaultValueSource {
    /// Identifies the source within a suite: the name given, else the address without query, or the path of a
    /// file.
    public let name: String
    package var place: String { file?.path ?? RemoteAddress.shown(fetch.url) }
    private let fetch: RemoteFetch
    private let file: ForeignFile?
    private let mapper: @Sendable (Data) throws -> [String: DefaultsValue]

    /// Creates a source of an address, without a request.
    ///
    /// - Parameters:
    ///   - url: the address; its query and fragment appear in no error and no `explain`.
    ///   - headers: sent to that address alone.
    ///   - name: identifies the source; nil for the address without query, or the path of a file. Two sources
    ///     with one name share a layer, so name them if their addresses differ in the query alone.
    ///   - mapper: converts the body into the whole layer.
    public init(
        url: URL, headers: [String: String] = [:], name: String? = nil,
        mapper: @escaping @Sendable (Data) throws -> [String: DefaultsValue]
    ) {
        self.init(fetch: RemoteFetch(url: url, headers: headers), name: name, mapper: mapper)
    }

    /// With other limits, for tests.
    init(
        fetch: RemoteFetch, name: String? = nil,
        mapper: @escaping @Sendable (Data) throws -> [String: DefaultsValue]
    ) {
        file = fetch.url.pathOfLocalFile.map(ForeignFile.init)
        self.name = name ?? file?.path ?? RemoteAddress.shown(fetch.url)
        self.fetch = fetch
        self.mapper = mapper
    }

    /// Requests the address, or reads the file, and converts the body into the layer.
    ///
    /// - Throws: `.sourceFailed` with the address or the path; what the mapper throws; `CancellationError`.
    public func defaultValues() async throws -> [String: DefaultsValue] {
        guard let file else { return try mapper(try await fetch.body()) }
        let bytes = try await FileChanges.inBackground(at: file.path) { Result { try file.read() } }.get()
        return try mapper(Data(bytes))
    }

    /// The layers of a file as it changes; nil for a server.
    public func changes() -> AsyncThrowingStream<[String: DefaultsValue], any Error>? {
        guard let file else { return nil }
        return FileChanges.layers(
            watch: { PathWatch(file, $0) }, read: { [mapper] in try mapper(Data(try file.read())) })
    }
}

extension URLDefaultValueSource: CustomReflectable {
    /// The name and the address; its query and the headers are left out.
    @_documentation(visibility: internal)
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name, "place": place], displayStyle: .struct)
    }
}

extension URL {
    /// The path of a file on this machine; nil for every other address.
    fileprivate var pathOfLocalFile: String? {
        let host = host(percentEncoded: false) ?? ""
        return isFileURL && (host.isEmpty || host == "localhost") ? path(percentEncoded: false) : nil
    }
}

extension JSONDefaultValueSource {
    /// Creates a source of an address that answers with a JSON object.
    ///
    /// The limits are those of ``URLDefaultValueSource``. The URL of a file on this machine makes a source of
    /// its path, without headers.
    ///
    /// ```swift
    /// if let address = URL(string: "https://example.com/defaults.json") {
    ///     let remote = JSONDefaultValueSource(url: address) { json in
    ///         ["theme": json["ui"]?["theme"] ?? "light"]
    ///     }
    ///     try await DefaultsSuite.standard.read(sources: remote)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - url: the address; its query and fragment appear in no error and no `explain`.
    ///   - headers: sent to that address alone.
    ///   - name: identifies the source; nil for the address without query, or the path of a file. Two sources
    ///     with one name share a layer, so name them if their addresses differ in the query alone.
    ///   - mapper: converts the answer into the whole layer; nil if its members are the layer.
    public init(url: URL, headers: [String: String] = [:], name: String? = nil, mapper: Mapper? = nil) {
        if let path = url.pathOfLocalFile {
            self.init(path: path, name: name, mapper: mapper)
            return
        }
        let (fetch, shown) = (RemoteFetch(url: url, headers: headers), RemoteAddress.shown(url))
        self.init(
            name: name ?? shown, place: shown, text: { Array(try await fetch.body()) }, mapper: mapper)
    }
}
