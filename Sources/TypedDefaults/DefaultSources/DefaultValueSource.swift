public import DefaultsStore

/// A supplier of default values: a file in the program's resources, a server, a table in code.
///
/// Pass it to a suite's `read(sources:)` or `follow(_:)`. Its values become one layer of the suite's
/// registration domain: above `register(defaults:)` and the keys' own defaults, below everything stored.
///
/// ```swift
/// struct HostDefaults: DefaultValueSource {
///     let name = "host"
///     func defaultValues() async throws -> [String: DefaultsValue] {
///         ["threads": 4]
///     }
/// }
/// ```
///
/// The rules, which the product `DefaultValueSourceConformance` checks:
/// - Every answer is the whole layer: a name that is missing in the next answer loses its value of this
///   source.
/// - While nothing changes, two answers are equal. A value that cannot be read is thrown as an error, never
///   left out.
/// - Names are 1 to 65,536 bytes of UTF-8, values are nested at most 128 levels deep.
/// - Several tasks may call it at once. A call whose task is cancelled soon returns or throws.
///
/// The idea, and the names, are those of Locus.
public protocol DefaultValueSource: Sendable {
    /// Identifies the source within a suite.
    ///
    /// Two sources with one name share one layer: the later one replaces the layer of the earlier one. One
    /// call of `read(sources:)` refuses the second.
    var name: String { get }

    /// Returns the whole layer as it is now.
    ///
    /// It is called on a thread that is not the caller's, and not under any lock.
    ///
    /// - Throws: any error if a value cannot be read; the suite reports it as `.sourceFailed`, and the last
    ///   good layer stays.
    func defaultValues() async throws -> [String: DefaultsValue]

    /// Returns the whole layer after each change from now on; nil if changes cannot be noticed.
    ///
    /// A layer differs from the one before it. A failure ends the stream with an error; the follower then
    /// asks for values and for another stream. The stream ends soon after its consumer stops.
    func changes() -> AsyncThrowingStream<[String: DefaultsValue], any Error>?
}

extension DefaultValueSource {
    /// By default, changes cannot be noticed.
    public func changes() -> AsyncThrowingStream<[String: DefaultsValue], any Error>? { nil }
}

/// A source with a known location of its values.
package protocol PlacedDefaultValueSource: DefaultValueSource {
    /// A path or an address.
    var place: String { get }
}
