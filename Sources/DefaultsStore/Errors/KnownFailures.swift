/// Distinct failures, as many as are worth remembering.
struct KnownFailures {
    /// So that a flood of failures takes limited memory.
    private static let most = 1_024

    /// By the bytes of the key; nil for failures of no key.
    private var all: [[UInt8]?: [DefaultsError]] = [:]
    private var count = 0

    var isEmpty: Bool { count == 0 }

    var ofNoKey: [DefaultsError] { all[nil] ?? [] }

    var keys: [[UInt8]] { all.keys.compactMap(\.self) }

    func contains(_ error: DefaultsError) -> Bool {
        all[KnownFailures.key(of: error)]?.contains(error) == true
    }

    /// - Returns: whether the failure was not known.
    mutating func insert(_ error: DefaultsError) -> Bool {
        if contains(error) { return false }
        if count >= KnownFailures.most { self = KnownFailures() }
        all[KnownFailures.key(of: error), default: []].append(error)
        count += 1
        return true
    }

    mutating func remove(ofKey key: [UInt8]) { count -= all.removeValue(forKey: key)?.count ?? 0 }

    mutating func remove(where isOver: (DefaultsError) -> Bool) {
        all = all.mapValues { $0.filter { !isOver($0) } }.filter { !$0.value.isEmpty }
        count = all.values.reduce(0) { $0 + $1.count }
    }

    private static func key(of error: DefaultsError) -> [UInt8]? { error.key.map { Array($0.utf8) } }
}
