import TypedDefaults

extension LastKnownLayer {
    /// What one state of the layer has other than an earlier one.
    struct Changes: Sendable {
        /// By key of the suite, in its bytes, since a text of other bytes is another key there; nil takes it away.
        private var values: [[UInt8]: DefaultsValue?] = [:]

        /// Notes what a name has now.
        mutating func note(_ value: DefaultsValue?, _ name: String, isLocked: Bool) {
            let key = (isLocked ? LastKnownLayer.lockedMark : LastKnownLayer.valueMark) + name
            values[Array(key.utf8)] = .some(value)
        }

        /// Adds those that came later.
        mutating func add(_ later: Changes) { values.merge(later.values) { $1 } }

        /// All of them by the suite's keys.
        var stored: [(key: String, value: DefaultsValue?)] {
            values.map { (key: String(decoding: $0.key, as: UTF8.self), value: $0.value) }
        }
    }
}
