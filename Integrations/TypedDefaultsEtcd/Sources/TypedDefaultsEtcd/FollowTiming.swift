/// How long things may take, and how much comes at once; tests have smaller ones.
struct FollowTiming: Sendable {
    /// How long one answer may take, a connection included.
    var answer = Duration.seconds(5)
    /// How long the watch may be silent before the server is asked whether it is there; etcd allows every 5 seconds.
    var ping = Duration.seconds(30)
    /// How long it has for that answer.
    var pong = Duration.seconds(10)
    /// How long a watch may tell nothing before the next endpoint is asked; etcd sends word of its progress to a watch
    /// without news at the second turn of ten to eleven minutes at the latest.
    var silence = Duration.seconds(1_500)
    /// The pause after the first round of endpoints of which none answered.
    var shortestPause = Duration.milliseconds(250)
    /// No pause is longer, apart from its jitter.
    var longestPause = Duration.seconds(30)
    /// What went well for so long starts over with the shortest pause.
    var steady = Duration.seconds(5)
    /// How long a start waits for an endpoint before the last known layer is used.
    var grace = Duration.seconds(1)
    /// How many keys are listed at once.
    var page = 1_000
    /// The most bytes of one answer.
    var message = 16 << 20
    /// How long a listing may take as a whole.
    var listing = Duration.seconds(120)
    /// The most bytes and keys that a prefix, or what is changed at once, may have: more is not held.
    var most = EtcdBounds()
    /// Which endpoint is asked first; nil for any.
    var firstEndpoint: Int?
    /// Called between the listing and the watch.
    var listed: (@Sendable () async -> Void)?
    /// Called for each answer of a watch.
    var heard: (@Sendable () -> Void)?
    /// Called for each connection that is begun.
    var connecting: (@Sendable (EtcdEndpoint) -> Void)?
}
