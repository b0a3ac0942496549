public import DefaultsStore

/// Something that supplies default values: a file in the program's resources, a server, a table in code.
///
/// Give it to a suite with `read(sources:)` or `follow(_:)`. Its values become one layer of the suite's registration
/// domain: above what `register(defaults:)` and the keys' own defaults say, below everything stored.
///
/// ```swift
/// struct HostDefaults: DefaultValueSource {
///     let name = "host"
///     func defaultValues() async throws -> [String: DefaultsValue] { ["threads": 4] }
/// }
/// ```
///
/// The rules, which the product `DefaultValueSourceConformance` runs against a source:
/// - Every answer is the whole layer: a name that is missing in the next one has no value of this source any more.
/// - While nothing changes, two answers are equal. What cannot be read is thrown, never left out.
/// - Names are 1 to 65,536 bytes of UTF-8, values nest at most 128 levels deep.
/// - It may be asked by several tasks at once. Who cancels the asking task gets an answer or an error soon.
///
/// The idea, and the names, are those of Locus.
public protocol DefaultValueSource: Sendable {
    /// What tells the source from others of a suite: two sources of one name share one layer, so that the later one
    /// replaces what the earlier one said. One reading does not take both.
    var name: String { get }

    /// The whole layer as it is now.
    ///
    /// It is called on no thread of the caller's, and not under any lock.
    func defaultValues() async throws -> [String: DefaultsValue]

    /// The whole layers from now on, each when it differs from the one before it; nil where nobody can tell.
    ///
    /// A failure ends the stream with an error. Whoever follows asks again for values and another stream. The stream
    /// ends soon when its consumer stops.
    func changes() -> AsyncThrowingStream<[String: DefaultsValue], any Error>?
}

extension DefaultValueSource {
    /// Nobody can tell when the values change.
    public func changes() -> AsyncThrowingStream<[String: DefaultsValue], any Error>? { nil }
}

/// A source that can say where its values stand.
package protocol PlacedDefaultValueSource: DefaultValueSource {
    /// A path or an address.
    var place: String { get }
}
