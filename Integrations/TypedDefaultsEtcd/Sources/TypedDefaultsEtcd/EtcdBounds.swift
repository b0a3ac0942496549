/// The most that is held of what any server says.
struct EtcdBounds: Hashable, Sendable {
    /// The most bytes of keys and values: as many as a settings file may have, in which they are kept.
    var bytes = 64 << 20
    /// The most keys, however short they are.
    var keys = 200_000

    /// Refuses what is more.
    ///
    /// - Parameter what: what there is too much of.
    func check(bytes: Int, keys: Int, of what: String) throws(EtcdFault) {
        guard bytes <= self.bytes else {
            throw EtcdFault(.unreachable, "\(what) more than \(self.bytes) bytes")
        }
        guard keys <= self.keys else {
            throw EtcdFault(.unreachable, "\(what) more than \(self.keys) keys")
        }
    }
}
