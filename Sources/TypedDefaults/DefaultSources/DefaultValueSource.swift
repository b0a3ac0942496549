public import DefaultsStore

/// Something that supplies default values: a file in the program's resources, a server, a table in code.
///
/// Give it to a suite with `read(sources:)` or `follow(_:)`. Its values become one layer of the suite's registration
/// domain: above `register(defaults:)` and the keys' own defaults, below everything stored.
///
/// ```swift
/// struct HostDefaults: DefaultValueSource {
///     let name = "host"
///     func defaultValues() async throws -> [String: DefaultsValue] { ["threads": 4] }
/// }
/// ```
///
/// The rules, which the product `DefaultValueSourceConformance` checks:
/// - Every answer is the whole layer: a name that is missing in the next one has no value of this source any more.
/// - While nothing changes, two answers are equal. What cannot be read is thrown, never left out.
/// - Names are 1 to 65,536 bytes of UTF-8, values are nested at most 128 levels deep.
/// - It may be asked by several tasks at once. When the asking task is cancelled, it gets an answer or an error soon.
///
/// The idea, and the names, are those of Locus.
public protocol DefaultValueSource: Sendable {
    /// Identifies the source within a suite: two sources of one name share one layer, so that the later one replaces
    /// what the earlier one supplied.
    ///
    /// One reading does not accept both.
    var name: String { get }

    /// Returns the whole layer as it is now.
    ///
    /// It is called on a thread that is not the caller's, and not under any lock.
    func defaultValues() async throws -> [String: DefaultsValue]

    /// Returns the whole layers from now on, each when it differs from the one before it; nil if changes cannot be
    /// noticed.
    ///
    /// A failure ends the stream with an error. The follower then asks again for values and another stream. The
    /// stream ends soon after its consumer stops.
    func changes() -> AsyncThrowingStream<[String: DefaultsValue], any Error>?
}

extension DefaultValueSource {
    /// By default, changes cannot be noticed.
    public func changes() -> AsyncThrowingStream<[String: DefaultsValue], any Error>? { nil }
}

/// A source that can say where its values are.
package protocol PlacedDefaultValueSource: DefaultValueSource {
    /// A path or an address.
    var place: String { get }
}
