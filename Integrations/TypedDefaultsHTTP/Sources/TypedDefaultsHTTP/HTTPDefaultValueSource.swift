public import AsyncHTTPClient
import Foundation
import NIOCore
public import TypedDefaults

/// Default values that a server supplies as JSON, asked for again and again.
///
/// ```swift
/// let fleet = HTTPDefaultValueSource(url: "https://example.com/player.json", every: .minutes(5)) { json in
///     ["theme": json["ui"]?["theme"] ?? "light"]
/// }
/// let following = DefaultsSuite.standard.follow(fleet, keepingLastKnown: true)
/// ```
///
/// - The address is https, or http on this machine, and then by no proxy; it holds no user.
/// - A header whose name or value would not arrive as it is, such as a token with a line feed, is not sent, and
///   nothing is asked.
/// - Redirects are followed within the same scheme, host and port, five at most, and get none of the headers.
/// - The answer has status 200 and at most 1 MiB; everything takes ten seconds at most.
/// - It says where it ends, by a length that it keeps or by chunks, and is not compressed, which it is asked not to be.
/// - The server is asked whether its answer has changed since the last one, by `ETag` and `Last-Modified`, and an
///   answer that has not is not sent again.
/// - Between two questions there is the time `every`, by chance up to a tenth more or less. After a failure the next
///   comes after a second, then after twice as long each time, up to `every`, or to a minute if that is longer, by
///   chance up to half more or less: so many programs that lost one server do not come back at one moment. A server
///   that answers another status with `Retry-After` and a number of seconds is not asked before, up to the same limit.
///
/// What fails is told to the suite's `failures`, once until it is over, with the address, and the last good layer stays.
/// Nothing that a server says ends the program. No cookies are taken, and what the server says is never written into a
/// settings file.
public struct HTTPDefaultValueSource: LiveDefaultValueSource {
    /// Makes the layer of a text that is not an object with a member for each key.
    public typealias Mapper = JSONDefaultValueSource.Mapper

    /// What tells the source from others of a suite: the address without query, or the name given.
    public let name: String
    private let fetch: HTTPFetch
    private let pace: HTTPPace
    private let mapper: Mapper?

    /// Makes a source of an address; nothing is asked of it yet.
    ///
    /// - Parameters:
    ///   - url: the address; its query and fragment appear in no error and no `explain`.
    ///   - interval: how long to wait between two questions.
    ///   - headers: sent to that address alone.
    ///   - client: what asks.
    ///   - name: what tells the source from others; nil for the address without query. Two sources of one name share a
    ///     layer, so name them where their addresses differ in the query alone.
    ///   - mapper: makes the whole layer of the answer; nil where its members are the layer.
    public init(
        url: String, every interval: Interval = .minutes(5), headers: [String: String] = [:],
        client: Client = .shared, name: String? = nil, mapper: Mapper? = nil
    ) {
        self.init(
            fetch: HTTPFetch(url: url, headers: headers, client: client),
            pace: HTTPPace(interval: interval.duration), name: name, mapper: mapper)
    }

    /// The same within other limits, for tests.
    init(fetch: HTTPFetch, pace: HTTPPace, name: String? = nil, mapper: Mapper? = nil) {
        self.name = name ?? fetch.shown
        (self.fetch, self.pace, self.mapper) = (fetch, pace, mapper)
    }

    /// What the server says now and at every later question, until the consumer stops.
    public func layerUpdates() -> AsyncStream<DefaultsLayerUpdate> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task.detached { [fetch, pace, mapper, name] in
                var poll = HTTPPoll(
                    fetch: fetch, pace: pace, place: name == fetch.shown ? nil : fetch.shown, mapper: mapper)
                await poll.run { continuation.yield($0) }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

extension HTTPDefaultValueSource {
    /// How long to wait between two questions: a second at least, and a year at most.
    ///
    /// ```swift
    /// let often = HTTPDefaultValueSource.Interval.seconds(30)
    /// ```
    public struct Interval: Hashable, Sendable {
        /// The time; what is shorter or longer than that becomes the nearest.
        public let duration: Duration

        private static let longest = 366 * 86_400

        /// Waits that long.
        public init(_ duration: Duration) {
            self.duration = min(max(duration, .seconds(1)), .seconds(Interval.longest))
        }

        /// So many seconds.
        public static func seconds(_ count: Int) -> Interval { of(count, seconds: 1) }
        /// So many minutes.
        public static func minutes(_ count: Int) -> Interval { of(count, seconds: 60) }
        /// So many hours.
        public static func hours(_ count: Int) -> Interval { of(count, seconds: 3_600) }

        private static func of(_ count: Int, seconds: Int) -> Interval {
            Interval(.seconds(min(max(count, 0), longest) * seconds))
        }
    }

    /// What asks servers: an `HTTPClient` that speaks HTTP/1.1, follows no redirect and unpacks nothing by itself.
    ///
    /// ```swift
    /// import AsyncHTTPClient
    ///
    /// var configuration = HTTPClient.Configuration()
    /// configuration.timeout.connect = .seconds(3)
    /// let client = HTTPDefaultValueSource.Client(configuration)
    /// ```
    ///
    /// It is shut down when nothing has it any more.
    public struct Client: Sendable {
        private let kept: KeptClient
        /// Whether it asks a proxy.
        let hasProxy: Bool

        /// The client of all sources that are given no other.
        public static let shared = Client(HTTPClient.Configuration())

        /// Makes a client, for example one that trusts other certificates, or asks a proxy.
        ///
        /// The source needs a few things its own way, whatever the configuration says: `redirectConfiguration`,
        /// `decompression`, `httpVersion` and `connectionPool.retryConnectionEstablishment`. A
        /// `http1_1ConnectionDebugInitializer` is called after the source's own, and those of HTTP/2 never.
        public init(_ configuration: HTTPClient.Configuration) {
            var own = configuration
            own.redirectConfiguration = .disallow
            own.decompression = .disabled
            // Each connection has a guard, which a stream of HTTP/2 would be without.
            own.httpVersion = .http1Only
            let theirs = configuration.http1_1ConnectionDebugInitializer
            own.http1_1ConnectionDebugInitializer = { channel in
                AnswerGuard.join(channel).flatMap {
                    theirs?(channel) ?? channel.eventLoop.makeSucceededVoidFuture()
                }
            }
            // Else nobody at an address would be told only after the time to connect.
            own.connectionPool.retryConnectionEstablishment = false
            kept = KeptClient(own)
            hasProxy = own.proxy != nil
        }

        var http: HTTPClient { kept.http }
    }
}

/// A client that is shut down with its last reference, as AsyncHTTPClient asks for.
private final class KeptClient: Sendable {
    let http: HTTPClient

    init(_ configuration: HTTPClient.Configuration) { http = HTTPClient(configuration: configuration) }

    deinit {
        Task.detached { [http] in
            do { try await http.shutdown() } catch {
                // Whatever it could not end properly it has closed; there is nobody to tell, and nothing to mend.
                return
            }
        }
    }
}

extension HTTPDefaultValueSource: CustomReflectable {
    /// The name and the place: neither the query of the address nor a header is printed.
    @_documentation(visibility: internal)
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name, "place": fetch.shown], displayStyle: .struct)
    }
}
