/// How long nothing has been heard of a watch.
///
/// etcd sends word of its progress to a watch without news. A proxy between may answer pings and pass on nothing.
actor Silence {
    private var began = ContinuousClock.now

    /// Something was heard.
    func end() { began = .now }

    /// Waits until it has lasted for so long.
    func wait(for limit: Duration) async throws {
        while case let left = limit - (.now - began), left > .zero { try await Task.sleep(for: left) }
    }
}
