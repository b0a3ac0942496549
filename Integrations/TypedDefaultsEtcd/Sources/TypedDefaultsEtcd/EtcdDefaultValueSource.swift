public import TypedDefaults

/// Default values that stand in etcd once, for every process of every machine.
///
/// ```swift
/// let fleet = EtcdDefaultValueSource(
///     endpoints: ["https://etcd-1.example:2379", "https://etcd-2.example:2379"], prefix: "/config/player")
/// let following = DefaultsSuite.standard.follow(fleet)
/// ```
///
/// Every key below the prefix is a default value: `/config/player/server.url` of the setting `server.url`. A name is
/// what stands behind the prefix, byte for byte, slashes included. A value is JSON, or a bare word that stands for
/// itself. A key that is neither is told to the suite's failures and left out; the others count.
///
/// - The keys are listed once and then watched. What one etcd transaction changes, a suite's observers see in one step.
/// - When an endpoint fails the next one is asked at once; when none answers, again after a pause that grows to half a
///   minute. What was known goes on to count, and `explain` calls it stale.
/// - The layer is kept in a suite of its own on disk. A program that starts while no endpoint answers begins with it.
/// - Keys below `locked/` are ignored, unless `takesLocked` says that they are to be managed: then they count before
///   everything but an administrator's file, and setting one throws `.locked`.
/// - When the following ends, so do the task, the watch and the connection.
public struct EtcdDefaultValueSource: LiveDefaultValueSource {
    /// What tells the source from others of a suite: "etcd" and the prefix, or the name given.
    public let name: String
    private var settings: Result<FollowSettings, DefaultsError>
    private let lastKnown: Result<LastKnownLayer, DefaultsError>

    /// Makes a source; nothing is asked of the endpoints yet, and what is wrong with them is told when they are.
    ///
    /// - Parameters:
    ///   - endpoints: members of one cluster, or proxies before it, each as `https://host:port`.
    ///   - prefix: a path: `/config/player` is about `/config/player/volume` and not about `/config/players/volume`.
    ///   - credentials: who asks; nil where the cluster asks nobody.
    ///   - tls: how both sides prove who they are; nil for the system's authorities and no certificate.
    ///   - takesLocked: whether this machine lets keys below `locked/` be managed.
    ///   - allowsPlainText: whether `http` may be spoken to other machines than this one.
    ///   - lastKnown: where the layer is kept; nil for a suite in this user's folder that the endpoints and the prefix
    ///     name, and `DefaultsSuite.inMemory()` for nowhere. Give it a suite of its own. The key `layer` and all that
    ///     begin with `v/` or `l/` are the source's; it leaves the others alone. A file that does not parse is repaired
    ///     unasked, as `repairFiles()` does it: the values in it are the cluster's, and its bytes are kept beside it.
    ///
    ///     No two sources may share one. Another prefix's layer is neither used nor replaced, and told as a failure,
    ///     until somebody empties the suite, also where a program's prefix has changed. Sources of one prefix in two
    ///     clusters cannot be told from one cluster that was made anew, and replace each other's layer.
    ///   - name: what tells the source from others.
    public init(
        endpoints: [String], prefix: String, credentials: EtcdCredentials? = nil, tls: EtcdTLS? = nil,
        takesLocked: Bool = false, allowsPlainText: Bool = false, lastKnown: DefaultsSuite? = nil,
        name: String? = nil
    ) {
        self.name = name ?? "etcd \(prefix)"
        settings = Result { () throws(DefaultsError) in
            try FollowSettings(
                endpoints: endpoints, prefix: prefix, credentials: credentials, tls: tls,
                takesLocked: takesLocked, allowsPlainText: allowsPlainText)
        }
        self.lastKnown = Result { () throws(DefaultsError) in
            let path = try EtcdPrefix(prefix)
            if let lastKnown { return LastKnownLayer(lastKnown, of: path) }
            let suite = LastKnownLayer.suiteName(endpoints, prefix, credentials?.user)
            return LastKnownLayer(try DefaultsSuite(suite), of: path)
        }
    }

    /// The same with other times, for tests.
    func timed(_ change: (inout FollowTiming) -> Void) -> EtcdDefaultValueSource {
        var copy = self
        copy.settings = settings.map { settings in
            var settings = settings
            change(&settings.timing)
            return settings
        }
        return copy
    }

    /// What is known, from the first answer or the last known layer on, until the consumer stops.
    public func layerUpdates() -> AsyncStream<DefaultsLayerUpdate> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            switch settings {
            case .success(let settings):
                let feed = ReportFeed(settings, lastKnown, continuation)
                let task = Task.detached { await EtcdFollower(settings: settings, feed: feed).run() }
                continuation.onTermination = { _ in task.cancel() }
            case .failure(let error):
                // It stays so: the stream goes on, so that it is told once.
                continuation.yield(DefaultsLayerUpdate(failures: [error]))
            }
        }
    }
}
